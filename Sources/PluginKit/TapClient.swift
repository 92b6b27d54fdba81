import PluginABI

/// One attached tap between the C table and the plugin's object.
///
/// Ownership: the host holds the one reference from `attach` until `detached`, as the table's context. The trampolines
/// borrow it, so a buffer costs no reference count and no allocation.
final class TapClient: Sendable {
    private let tap: any StreamTap
    let handle: TapHandle
    // Host memory valid as long as the instance; read only.
    private nonisolated(unsafe) let host: UnsafePointer<mh_tap_ext_1>
    // Written once in `table(context:)`, before the host knows of it; then read by the host only.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<mh_tap_client_1>

    init(_ tap: any StreamTap, handle: TapHandle, table: UnsafePointer<mh_tap_ext_1>) {
        self.tap = tap
        self.handle = handle
        host = table
        memory = .allocate(capacity: 1)
    }

    deinit { memory.deallocate() }

    func table(context: UnsafeMutableRawPointer) -> UnsafePointer<mh_tap_client_1> {
        memory.initialize(
            to: mh_tap_client_1(
                context: context, epoch: Self.epoch, format: Self.format, buffer: Self.buffer, gap: Self.gap,
                eos: Self.eos, detached: Self.detached))
        return UnsafePointer(memory)
    }

    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (TapClient) -> Void) {
        guard let context else { return }
        Unmanaged<TapClient>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }

    private static let epoch: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<mh_epoch_1>?) -> Void = {
        context, epoch in
        guard let epoch else { return }
        with(context) { $0.tap.epoch(StreamEpoch(epoch)) }
    }

    private static let format: @convention(c) (UnsafeMutableRawPointer?, UInt32, mh_str_1) -> Void = {
        context, id, caps in
        UnsafeRawBufferPointer(start: caps.ptr, count: caps.ptr == nil ? 0 : caps.len)
            .withMemoryRebound(to: UInt8.self) { text in
                with(context) { $0.tap.format(id, caps: text.span) }
            }
    }

    private static let buffer: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<mh_buffer_1>?) -> Void = {
        context, buffer in
        guard let buffer else { return }
        with(context) { $0.tap.buffer(StreamBuffer(buffer, table: $0.host)) }
    }

    private static let gap: @convention(c) (UnsafeMutableRawPointer?, mh_time, mh_time) -> Void = {
        context, time, duration in
        with(context) {
            $0.tap.gap(
                at: Timestamp(abi: time),
                lasting: Timestamp(abi: duration).map { .nanoseconds($0.nanoseconds) })
        }
    }

    private static let eos: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        with(context) { $0.tap.endOfStream() }
    }

    private static let detached: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { return }
        let client = Unmanaged<TapClient>.fromOpaque(context).takeRetainedValue()
        client.handle.closed()
        client.tap.detached()
    }
}
