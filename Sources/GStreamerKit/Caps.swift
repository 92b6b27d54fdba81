internal import CGStreamer

/// A media format: one owned reference to immutable `GstCaps`.
public final class Caps: Sendable, CustomStringConvertible {
    // Never written after init; GstCaps that are shared are immutable, and counting is atomic.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstCaps>

    init(retaining pointer: UnsafeMutablePointer<GstCaps>) {
        gst_mini_object_ref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
        self.pointer = pointer
    }

    init(adopting pointer: UnsafeMutablePointer<GstCaps>) { self.pointer = pointer }

    /// Nil where the text is no caps.
    public init?(_ text: String) {
        guard let caps = gst_caps_from_string(text) else { return nil }
        pointer = caps
    }

    deinit { gst_mini_object_unref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self)) }

    /// As GStreamer writes them; `init(_:)` reads it back.
    public var description: String { takeString(gst_caps_to_string(pointer)) ?? "" }

    /// "video/x-h264", or nil for ANY and EMPTY.
    public var mediaType: String? {
        guard gst_caps_get_size(pointer) > 0, let structure = gst_caps_get_structure(pointer, 0) else { return nil }
        return borrowString(gst_structure_get_name(structure))
    }

    /// The time one video frame takes, where the caps name a constant frame rate.
    public var frameDuration: ClockTime? {
        guard gst_caps_get_size(pointer) > 0, let structure = gst_caps_get_structure(pointer, 0) else { return nil }
        var numerator: gint = 0
        var denominator: gint = 0
        guard gst_structure_get_fraction(structure, "framerate", &numerator, &denominator) != 0, numerator > 0 else {
            return nil
        }
        return ClockTime(gst_util_uint64_scale_int(1_000_000_000, denominator, numerator))
    }

    /// Whether there is a format that is both.
    public func canIntersect(_ other: Caps) -> Bool { gst_caps_can_intersect(pointer, other.pointer) != 0 }

    /// Whether both are the same format.
    func isEqual(to other: Caps) -> Bool { gst_caps_is_equal(pointer, other.pointer) != 0 }

    public var isVideo: Bool { mediaType.map { $0.hasPrefix("video/") || $0.hasPrefix("image/") } ?? false }
    /// Whether it is raw video with the colours of HD, said or by its size.
    var hasMatrixOfBT709: Bool {
        var info = GstVideoInfo()
        return isRaw && gst_video_info_from_caps(&info, pointer) != 0
            && info.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_BT709
    }

    /// Whether nothing but the range of its colours is in the way of a JPEG: planes of 4:2:0, square pixels, the matrix of HD.
    var differsFromJPEGInRange: Bool {
        var info = GstVideoInfo()
        return hasMatrixOfBT709 && gst_video_info_from_caps(&info, pointer) != 0 && info.par_n == info.par_d
            && [GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12].contains { $0 == info.finfo?.pointee.format }
    }

    /// Whether it is what subtitles are made of: text, or small pictures of it.
    var isSubtitles: Bool {
        let kinds = ["text/", "subpicture/", "application/x-ssa", "application/x-ass", "application/x-subtitle"]
        return mediaType.map { type in kinds.contains { type.hasPrefix($0) } } ?? false
    }

    public var isRaw: Bool { mediaType.map { $0.hasSuffix("/x-raw") } ?? false }
}

extension Caps {
    /// Whether nothing is of this format.
    public var isEmpty: Bool { gst_caps_is_empty(pointer) != 0 }

    /// Whether everything is.
    public var isAny: Bool { gst_caps_is_any(pointer) != 0 }

    /// What is of both formats; may be empty.
    public func intersection(with other: Caps) -> Caps { Caps(adopting: gst_caps_intersect(pointer, other.pointer)) }
}

extension Caps {
    /// The media types, each once, with their features: "video/x-raw", "video/x-raw(memory:GLMemory)".
    public var mediaTypes: [String] {
        var found: [String] = []
        for index in 0..<gst_caps_get_size(pointer) {
            guard let structure = gst_caps_get_structure(pointer, index),
                var type = borrowString(gst_structure_get_name(structure))
            else { continue }
            if let features = gst_caps_get_features(pointer, index), gst_caps_features_is_any(features) == 0,
                let text = takeString(gst_caps_features_to_string(features)), text != "memory:SystemMemory"
            {
                type += "(\(text))"
            }
            if !found.contains(type) { found.append(type) }
        }
        return isAny ? ["ANY"] : found
    }

    /// The fields of the first structure.
    public var fieldNames: [String] {
        guard gst_caps_get_size(pointer) > 0, let structure = gst_caps_get_structure(pointer, 0) else { return [] }
        return (0..<gst_structure_n_fields(structure)).compactMap {
            borrowString(gst_structure_nth_field_name(structure, guint($0)))
        }
    }

    /// The value of a field of the first structure, as text.
    public func valueText(of field: String) -> String? {
        guard gst_caps_get_size(pointer) > 0, let structure = gst_caps_get_structure(pointer, 0),
            let value = gst_structure_get_value(structure, field)
        else { return nil }
        return takeString(gst_value_serialize(value))
    }
}
