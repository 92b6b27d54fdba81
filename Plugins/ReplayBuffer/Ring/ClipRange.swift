import PluginKit

/// A pinned range of the ring. Whoever got it gives the pin back.
struct ClipRange: Equatable, Sendable {
    /// Why a clip begins later than asked for.
    enum Cut: String, CaseIterable, FieldValue {
        case formatChange = "format-change"
        case ringStart = "buffer-start"
    }

    var slot: Int
    /// Sequence numbers of the ring.
    var first: UInt64
    var end: UInt64
    /// The ring's own number of the caps.
    var format: UInt16
    /// Media time of the first key frame and of the newest end.
    var start: Int64
    var finish: Int64
    var cut: Cut?
}
