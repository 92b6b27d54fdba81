/// What the store knows of one boot of the machine: how to read its boottimes when it is over.
///
/// The wall time at which an elapsed timer is due is its boottime plus this offset. Setting the clock changes one offset, not
/// every timer.
struct BootRecord: Sendable, Equatable {
    /// Row number.
    var row: Int64
    /// Realtime minus boottime when it was last heard of.
    var offset: Int64
    /// What the wall clock was worth then.
    var trust: ClockTrust
    /// The boottime then.
    var last: Int64

    /// The wall clock then.
    var seen: Int64 { last.addingClamped(offset) }
}
