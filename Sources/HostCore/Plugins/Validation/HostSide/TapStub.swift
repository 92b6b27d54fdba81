internal import PluginABI

/// The client of a tap, as the host calls it: each call goes to the plugin as plain data.
///
/// It holds itself until `detached`, or `end`.
// Constant after init.
final class TapStub: @unchecked Sendable {
    private let memory = UnsafeMutablePointer<mh_tap_client_1>.allocate(capacity: 1)
    private let tap: Int64
    private let instance: Int64
    private let plugin: any CallTarget
    private let onDetached: @Sendable () -> Void

    init(tap: Int64, instance: Int64, plugin: any CallTarget, onDetached: @escaping @Sendable () -> Void) {
        self.tap = tap
        self.instance = instance
        self.plugin = plugin
        self.onDetached = onDetached
        memory.initialize(
            to: mh_tap_client_1(
                context: Unmanaged.passRetained(self).toOpaque(),
                epoch: { context, epoch in
                    guard let epoch = epoch?.pointee else { return }
                    TapStub.of(context)?.send(
                        .epoch,
                        [
                            .int(Int64(epoch.epoch)), .int(epoch.offset), .int(epoch.monotonic), .int(epoch.boottime),
                            .int(epoch.realtime),
                        ])
                },
                format: { context, id, caps in
                    TapStub.of(context)?.send(.format, [.int(Int64(id)), .string(String(caps))])
                },
                buffer: { context, buffer in
                    guard let buffer = buffer?.pointee else { return }
                    let bytes = Array(
                        UnsafeBufferPointer(start: buffer.data, count: buffer.data == nil ? 0 : buffer.size))
                    TapStub.of(context)?.send(
                        .buffer,
                        [
                            .int(buffer.pts), .int(buffer.dts), .int(buffer.running_time), .int(buffer.duration),
                            .int(Int64(buffer.flags)), .int(Int64(buffer.caps_id)), .int(Int64(buffer.epoch)),
                            .int(Int64(buffer.stream)),
                        ], data: bytes)
                },
                gap: { TapStub.of($0)?.send(.gap, [.int($1), .int($2)]) },
                eos: { TapStub.of($0)?.send(.endOfStream, []) },
                detached: { context in
                    guard let stub = TapStub.of(context) else { return }
                    stub.send(.detached, [])
                    stub.onDetached()
                    stub.end()
                }))
    }

    deinit { memory.deallocate() }

    var table: UnsafePointer<mh_tap_client_1> { UnsafePointer(memory) }

    /// Nobody calls it any more.
    func end() { Unmanaged.passUnretained(self).release() }

    private func send(_ function: PluginFunction, _ arguments: [Value], data: [UInt8] = []) {
        _ = plugin.perform(TrialCall(function, instance, [.int(tap)] + arguments, data: data))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> TapStub? {
        context.map { Unmanaged<TapStub>.fromOpaque($0).takeUnretainedValue() }
    }
}
