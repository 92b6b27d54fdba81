import PluginABI

/// Something that happened, told to a plugin that subscribed to its name.
public struct PluginEvent: Sendable {
    /// `pipeline.state`, `lifecycle.did-pause`, or the reverse-DNS id of a plugin, a dot and its word for it.
    public let name: String
    /// `host`, the name of a pipeline or of an instance.
    public let source: String
    public let payload: PluginValue
    /// Counts from 1 without gaps for one `bootID`.
    public let sequence: UInt64
    /// Random per start of the host.
    public let bootID: UInt64
    /// When it happened.
    public let monotonic: Timestamp
    public let realtime: Timestamp
    /// The event this one follows from.
    public let cause: UInt64?

    init(copying event: UnsafePointer<mh_event_1>, with table: UnsafePointer<mh_value_ext_1>) {
        name = String(event.pointee.name)
        source = String(event.pointee.source)
        payload = PluginValue(copying: event.pointee.payload, with: table)
        sequence = event.pointee.sequence
        bootID = event.pointee.boot_id
        monotonic = Timestamp(nanoseconds: event.pointee.monotonic)
        realtime = Timestamp(nanoseconds: event.pointee.realtime)
        cause = event.pointee.cause == 0 ? nil : event.pointee.cause
    }
}
