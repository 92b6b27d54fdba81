import PluginABI

/// One run of a pipeline, from a start to the next.
public struct StreamEpoch: Hashable, Sendable {
    /// Counts from 1.
    public let number: UInt32
    /// Media time = running time + offset.
    public let offset: Duration
    /// The clocks when the first buffer passed.
    public let monotonic: Timestamp
    public let boottime: Timestamp
    public let realtime: Timestamp

    init(_ epoch: UnsafePointer<mh_epoch_1>) {
        number = epoch.pointee.epoch
        offset = .nanoseconds(epoch.pointee.offset)
        monotonic = Timestamp(nanoseconds: epoch.pointee.monotonic)
        boottime = Timestamp(nanoseconds: epoch.pointee.boottime)
        realtime = Timestamp(nanoseconds: epoch.pointee.realtime)
    }
}
