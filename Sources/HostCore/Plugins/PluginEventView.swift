internal import PluginABI

/// An event as plugins see it, made once for all of them.
///
/// Ownership: what `pointer` leads to lives as long as this object.
@HostActor
final class PluginEventView {
    // Allocated in init, and freed when nobody has this object any more.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<mh_event_1>
    // As above.
    private nonisolated(unsafe) let texts: UnsafeMutablePointer<CChar>

    private let payload: ValueNode

    var pointer: UnsafePointer<mh_event_1> { UnsafePointer(memory) }

    init(_ event: Event, bootID: UInt64) {
        payload = ValueNode(event.payload)
        let (name, source) = (event.name.utf8, event.source.utf8)
        texts = .allocate(capacity: max(1, name.count + source.count))
        for (index, byte) in name.enumerated() { texts[index] = CChar(bitPattern: byte) }
        for (index, byte) in source.enumerated() { texts[name.count + index] = CChar(bitPattern: byte) }
        memory = .allocate(capacity: 1)
        memory.initialize(
            to: mh_event_1(
                size: UInt32(MemoryLayout<mh_event_1>.size), flags: 0, sequence: event.sequence, boot_id: bootID,
                monotonic: event.monotonic.nanoseconds, realtime: event.realtime.nanoseconds, cause: event.cause ?? 0,
                depth: event.depth, reserved: 0, name: mh_str_1(ptr: texts, len: name.count),
                source: mh_str_1(ptr: texts + name.count, len: source.count), payload: payload.handle))
    }

    deinit {
        memory.deallocate()
        texts.deallocate()
    }
}
