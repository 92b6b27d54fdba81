internal import CMemory
internal import PluginABI

/// One tap of an instance under trial.
// Set before anybody else has it; the table is the plugin's, constant until `detached`.
final class GuardedTap: @unchecked Sendable {
    let client: UnsafePointer<mh_tap_client_1>
    private let memory = LentMemory("an mh_tap_1", size: 64)
    /// What the plugin holds: an address, with nothing behind it that it knows.
    let handle: OpaquePointer?

    init(_ client: UnsafePointer<mh_tap_client_1>) {
        self.client = client
        handle = memory.put(UInt64(0)).map { OpaquePointer($0) }
    }

    func end() { memory.end() }
}

extension GuardedPlugin {
    func attach(
        _ pad: String, _ client: UnsafePointer<mh_tap_client_1>, _ result: UnsafeMutablePointer<OpaquePointer?>
    ) -> mh_status {
        guard PluginTapClient.isComplete(client) else {
            TrialPipe.tell(
                TrialFault(
                    "attached a tap whose client lacks functions",
                    expected: "all functions are required (mediahost/tap.h)",
                    fix: "fill in all six, empty ones too"))
            return mh_status(MH_E_INVALID)
        }
        let tap = GuardedTap(client)
        let number = state.withLock { state in
            state.lastTap += 1
            // Before it is attached: the first buffer may come before the answer.
            state.taps[state.lastTap] = tap
            return state.lastTap
        }
        let status = ask(.attach, .string(pad), .int(number)).status
        if status == mh_status(MH_OK) {
            result.pointee = tap.handle
        } else {
            state.withLock { _ = $0.taps.removeValue(forKey: number) }
            tap.end()
        }
        return status
    }

    func detach(_ handle: OpaquePointer?) {
        let number = state.withLock { state in state.taps.first { $0.value.handle == handle }?.key }
        guard let number else {
            TrialPipe.tell(
                TrialFault(
                    "called tap.detach with a tap that it does not have",
                    expected: "what attach wrote, until detached was called (mediahost/tap.h)",
                    fix: "forget the tap in detached"))
            return
        }
        _ = ask(.detach, .int(number))
    }

    /// Calls of a tap: the first argument is which.
    func stream(_ function: PluginFunction, _ call: TrialCall) {
        guard let number = call[0].int, let tap = state.withLock({ $0.taps[number] }) else { return }
        let (client, context) = (tap.client.pointee, tap.client.pointee.context)
        guard function.isStream else {
            during(.detached) { client.detached?(context) }
            state.withLock { _ = $0.taps.removeValue(forKey: number) }
            tap.end()
            return
        }
        let isNew = state.withLock { state in
            defer { state.streaming = function }
            return state.streaming != function
        }
        if isNew { TrialPipe.write(TrialReport.stream(function.rawValue)) }
        let role = mh_thread_role()
        mh_set_thread_role(CallRole.stream.rawValue)
        defer { mh_set_thread_role(role) }
        func time(_ index: Int) -> Int64 { call[index].int ?? .min }
        func small(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: call[index].int ?? 0) }
        switch function {
        case .epoch:
            LentMemory.during("the mh_epoch_1 of a tap", size: 128) { memory in
                let view = memory.put(
                    mh_epoch_1(
                        epoch: small(1), reserved: 0, offset: time(2), monotonic: time(3), boottime: time(4),
                        realtime: time(5)))
                client.epoch?(context, view)
            }
        case .format:
            let caps = call[2].string ?? ""
            LentMemory.during("the caps of a tap's format", size: LentMemory.size(caps)) {
                client.format?(context, small(1), $0.put(caps))
            }
        case .buffer:
            LentMemory.during("a buffer of a tap", size: call.data.count + 256) { memory in
                let view = memory.put(
                    mh_buffer_1(
                        data: memory.put(call.data), size: call.data.count, pts: time(1), dts: time(2),
                        running_time: time(3), duration: time(4), flags: small(5), caps_id: small(6), epoch: small(7),
                        stream: small(8), host_data: nil))
                client.buffer?(context, view)
            }
        case .gap: client.gap?(context, time(1), time(2))
        case .endOfStream: client.eos?(context)
        default: break
        }
    }
}
