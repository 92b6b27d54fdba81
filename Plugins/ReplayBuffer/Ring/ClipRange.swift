import PluginKit

/// A pinned range of the ring. Whoever got it gives the pin back.
struct ClipRange: Equatable, Sendable {
    /// Why a clip begins later than asked for.
    enum Cut: String, CaseIterable, FieldValue {
        case formatChange = "format-change"
        case ringStart = "buffer-start"
    }

    var slot: Int
    /// Sequence numbers of the ring: all that is pinned. The lead of the first key frame comes first.
    var first: UInt64
    var end: UInt64
    /// The first key frame.
    var key: UInt64
    /// The ring's own number of the reference's caps.
    var format: UInt16
    /// Media time of that key frame, and where the clip ends: nothing that begins there or later is asked for.
    var start: Int64
    var finish: Int64
    /// Where the caller wanted it to begin; `start` where that is not in the clip.
    var wanted: Int64
    var cut: Cut?
}
