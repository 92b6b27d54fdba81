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

    public var isVideo: Bool { mediaType.map { $0.hasPrefix("video/") || $0.hasPrefix("image/") } ?? false }
    public var isRaw: Bool { mediaType.map { $0.hasSuffix("/x-raw") } ?? false }
}
