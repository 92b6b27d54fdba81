internal import GStreamerKit

/// One side of a link: an element and those of its pads that may be meant.
struct LaunchLinkSide {
    var factory: String
    /// As messages name it.
    var title: String
    /// Tells elements of one text apart.
    var key: String
    var templates: [PadTemplate] = []
    /// The pads named in the text.
    var pads: [LaunchEnd.Pad] = []
    /// What a capsfilter lets through.
    var filter: Caps?

    /// What may pass each of its pads.
    var formats: [Caps] {
        templates.map { template in filter.map { template.caps.intersection(with: $0) } ?? template.caps }
    }

    /// `video/x-raw, audio/x-raw`, or all of it where that is short.
    var formatText: String {
        var types: [String] = []
        for caps in formats {
            let text = caps.description
            if formats.count == 1, text.utf8.count <= 60 { return text }
            for type in caps.mediaTypes where !types.contains(type) { types.append(type) }
        }
        let more = types.count > 6 ? ", ..." : ""
        return types.isEmpty ? "nothing" : types.prefix(6).joined(separator: ", ") + more
    }
}
