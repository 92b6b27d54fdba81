internal import Glibc
internal import PluginABI
import Locking

/// The real host behind one instance: calls from plain data into the tables that every plugin has.
///
/// Lock order: `state` is a leaf.
// The table lives as long as the process.
final class HostPlace: CallTarget, @unchecked Sendable {
    private struct State {
        /// Handles, by the plugin's number.
        var taps: [Int64: UInt] = [:]
        var work: [Int64: WorkGate] = [:]
    }

    let table: UnsafePointer<mh_host_1>
    let files: HostFiles
    private let number: Int64
    private let plugin: any CallTarget
    private let state = Locked(State())

    init(_ table: UnsafePointer<mh_host_1>, number: Int64, plugin: any CallTarget, files: HostFiles) {
        self.files = files
        self.table = table
        self.number = number
        self.plugin = plugin
    }

    func perform(_ call: TrialCall) -> [Value] {
        guard let function = HostFunction(rawValue: call.function) else { return [] }
        func token(_ index: Int) -> mh_token { UInt64(bitPattern: call[index].int ?? 0) }
        func status(_ index: Int) -> mh_status { Int32(truncatingIfNeeded: call[index].int ?? -1) }
        func text(_ index: Int, _ body: (mh_str_1) -> mh_status?) -> [Value] {
            [.int(Int64((call[index].string ?? "").withABI(body) ?? -1))]
        }
        switch function {
        case .fail:
            _ = text(1) {
                table.pointee.fail?(table, status(0), $0); return 0
            }
        case .requestMain: table.pointee.request_main?(table)
        case .log:
            _ = text(1) {
                HostInterface.log.pointee.write?(table, status(0), $0); return 0
            }
        case .clock:
            let clock = HostInterface.clock.pointee
            let read = [clock.monotonic, clock.boottime, clock.realtime][max(0, min(2, Int(call[0].int ?? 0)))]
            return [.int(read?(table) ?? 0)]
        case .post: return text(0) { HostInterface.events.pointee.post?(table, $0, builder(call[1])) }
        case .acknowledge: HostInterface.lifecycle.pointee.ack?(table, token(0), status(1))
        case .reply:
            return [.int(Int64(HostInterface.commands.pointee.reply?(table, token(0), builder(call[1])) ?? -1))]
        case .reject:
            return text(2) { words in
                (call[3].string ?? "").withABI {
                    HostInterface.commands2.pointee.reject?(table, token(0), status(1), $0, words)
                }
            }
        case .progress:
            _ = text(2) {
                HostInterface.commands.pointee.progress?(table, token(0), call[1].double ?? 0, $0); return 0
            }
        case .submit: return [.int(Int64(submit(call[0].int ?? 0)))]
        case .workDone: state.withLock { $0.work.removeValue(forKey: call[0].int ?? 0) }?.open()
        case .stateDirectory:
            var path = mh_str_1()
            let status = HostInterface.stateDirectory.pointee.path?(table, &path) ?? -1
            return [.int(Int64(status)), .string(String(path))]
        case .keepFile:
            return text(0) {
                HostInterface.fileStore.pointee.keep?(table, $0, Int32(truncatingIfNeeded: call[1].int ?? -1))
            }
        case .takeFile:
            var file: Int32 = -1
            return text(0) { HostInterface.fileStore.pointee.take?(table, $0, &file) } + [.int(Int64(file))]
        case .dropFile: return text(0) { HostInterface.fileStore.pointee.drop?(table, $0) }
        case .attach: return text(0) { attach($0, call[1].int ?? 0) }
        case .detach:
            let tap = state.withLock { $0.taps[call[0].int ?? 0] }
            if let tap { HostInterface.tap.pointee.detach?(table, OpaquePointer(bitPattern: tap)) }
        case .declare: return declare(call[0])
        case .element:
            var element: UnsafeMutableRawPointer?
            let answer = text(0) { HostInterface.gst.pointee.element?(table, $0, &element) }
            return answer + [.int(Int64(Int(bitPattern: element)))]
        case .watch: return watch(call)
        case .modify: return modify(call)
        case .unwatch: return unwatch(call)
        case .refuse:
            (call[0].string ?? "").withABI { key in
                (call[1].string ?? "").withABI { HostInterface.config.pointee.refuse?(table, key, $0) ?? () }
            }
        case .respond: return respond(call)
        case .respondFile: return respondFile(call)
        case .respondValue:
            let value = builder(call[1])
            return [.int(Int64(HostInterface.routes.pointee.respond_value?(table, token(0), value) ?? -1))]
        case .rejectRequest:
            return text(2) { HostInterface.routes.pointee.reject?(table, token(0), status(1), $0) }
        case .arm:
            var timer = mh_timer_1(
                clock: Int32(truncatingIfNeeded: call[0].int ?? -1), reserved: 0, at: call[1].int ?? .min,
                repeat: call[2].int ?? 0, slack: call[3].int ?? 0)
            var token: mh_token = 0
            let status = HostInterface.timer.pointee.arm?(table, &timer, &token) ?? -1
            return [.int(Int64(status)), .int(Int64(bitPattern: token))]
        case .cancelTimer: return [.int(Int64(HostInterface.timer.pointee.cancel?(table, token(0)) ?? -1))]
        case .showNotification: return showNotification(call[0])
        case .withdrawNotification:
            return [.int(Int64(HostInterface.notify.pointee.withdraw?(table, token(0)) ?? -1))]
        case .getExtension, .retain: break
        }
        return [.int(0)]
    }

    private func builder(_ value: Value) -> OpaquePointer {
        let handle = ValueBuilder.makeHandle()
        let builder = ValueBuilder.borrow(handle)
        for member in value.members ?? [] { builder?.put(member.key, member.value) }
        return handle
    }

    /// The work itself runs beside the plugin; here a worker waits for it, so that the host knows of it.
    private func submit(_ work: Int64) -> mh_status {
        let gate = WorkGate()
        state.withLock { $0.work[work] = gate }
        let status =
            HostInterface.worker.pointee.submit?(
                table, { $0.map { Unmanaged<WorkGate>.fromOpaque($0).takeRetainedValue().wait() } },
                Unmanaged.passRetained(gate).toOpaque()) ?? -1
        if status != mh_status(MH_OK) {
            state.withLock { _ = $0.work.removeValue(forKey: work) }
            Unmanaged.passUnretained(gate).release()
        }
        return status
    }

    private func attach(_ pad: mh_str_1, _ number: Int64) -> mh_status {
        let stub = TapStub(tap: number, instance: self.number, plugin: plugin) { [weak self] in
            self?.state.withLock { _ = $0.taps.removeValue(forKey: number) }
        }
        var tap: OpaquePointer?
        let status = HostInterface.tap.pointee.attach?(table, pad, stub.table, &tap) ?? -1
        let handle = UInt(bitPattern: tap)
        if status == mh_status(MH_OK) { state.withLock { $0.taps[number] = handle } } else { stub.end() }
        return status
    }
}

/// A worker waits at it until the work it stands for is done.
// The semaphore may be used by any thread.
private final class WorkGate: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }
}
