import PluginKit

/// The file formats a clip can have, by the extension of its name.
enum Container: String, CaseIterable, Sendable {
    case matroska = ".mkv"
    case mp4 = ".mp4"
    case mpegTS = ".ts"

    init(path: String) throws(PluginError) {
        guard let found = Container.allCases.first(where: { path.hasSuffix($0.rawValue) }) else {
            let known = Container.allCases.map(\.rawValue).joined(separator: ", ")
            throw PluginError("cannot save \(path): the name must end in one of \(known)", code: .invalid, key: "to")
        }
        self = found
    }

    /// Matroska is written here where that is possible; all else is GStreamer's.
    /// - Thread: worker.
    func writer(_ descriptor: Int32, _ tracks: [ClipTrack]) throws(PluginError) -> any ClipWriter {
        if self == .matroska, let writer = try MatroskaClipWriter(descriptor: descriptor, tracks: tracks) {
            return writer
        }
        return try PipelineClipWriter(descriptor: descriptor, container: self, caps: tracks.map(\.caps))
    }

    /// The element that makes the file.
    var muxer: String {
        switch self {
        case .matroska: "matroskamux"
        case .mp4: "mp4mux latency=\(Self.room)"
        case .mpegTS: "mpegtsmux alignment=7 latency=\(Self.room)"
        }
    }

    /// What a GstAggregator takes of each track in advance, in nanoseconds: with the usual 0 it hands every frame over by itself, two
    /// switches of threads each, and a minute with two tracks of sound takes twice as long.
    private static let room = 1_000_000_000

    /// The template of the muxer's pad for a track.
    func pad(isVideo: Bool) -> String {
        switch self {
        case .matroska, .mp4: isVideo ? "video_%u" : "audio_%u"
        case .mpegTS: "sink_%d"
        }
    }

    /// The element between the frames and the muxer, `h264parse`; empty where none is needed.
    func parser(for mediaType: String) throws(PluginError) -> String {
        guard let codec = Container.codecs.first(where: { $0.mediaType == mediaType }) else {
            let known = Container.codecs.map(\.mediaType).joined(separator: ", ")
            throw PluginError(
                "cannot save a clip of \(mediaType.isEmpty ? "a stream without caps" : mediaType); known are \(known)",
                code: .unsupported)
        }
        guard self == .matroska || codec.others.contains(self) else {
            throw PluginError("\(rawValue) cannot hold \(mediaType); save to .mkv", code: .unsupported, key: "to")
        }
        return codec.parser
    }

    private struct Codec {
        var mediaType: String
        var parser = ""
        /// Where it fits besides Matroska.
        var others: [Container] = []
    }

    /// As the muxers of GStreamer 1.22 have it.
    private static let codecs = [
        Codec(mediaType: "video/x-h264", parser: "h264parse", others: [.mp4, .mpegTS]),
        Codec(mediaType: "video/x-h265", parser: "h265parse", others: [.mp4, .mpegTS]),
        Codec(mediaType: "video/x-av1", parser: "av1parse", others: [.mp4]),
        Codec(mediaType: "video/x-vp8"),
        Codec(mediaType: "video/x-vp9", parser: "vp9parse", others: [.mp4]),
        Codec(mediaType: "image/jpeg"),
        Codec(mediaType: "audio/mpeg", parser: "aacparse", others: [.mp4, .mpegTS]),
        Codec(mediaType: "audio/x-opus", parser: "opusparse", others: [.mp4, .mpegTS]),
        Codec(mediaType: "audio/x-raw"),
    ]
}
