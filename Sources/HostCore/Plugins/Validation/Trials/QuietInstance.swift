internal import Glibc
internal import GStreamerKit
internal import PluginABI
import Locking

/// A host that says yes and does nothing: for loops in which only the plugin is of interest.
///
/// Lock order: a leaf.
final class QuietHost: CallTarget {
    private let number: Int64
    private let directory: String
    private let taps = Locked<[Int64]>([])
    private let work = Locked(0)
    private let isKeeping: Bool
    private let lines = Locked<String>("")
    private let timers = Locked<Int64>(0)

    init(_ number: Int64, directory: String, isKeeping: Bool = true) {
        self.number = number
        self.directory = directory
        self.isKeeping = isKeeping
    }

    func perform(_ call: TrialCall) -> [Value] {
        switch HostFunction(rawValue: call.function) {
        case .attach?: if let tap = call[1].int { taps.withLock { $0.append(tap) } }
        case .clock?:
            let clock = SystemClock()
            return [
                .int(
                    [clock.monotonic(), clock.boottime(), clock.realtime()][max(0, min(2, Int(call[0].int ?? 0)))]
                        .nanoseconds)
            ]
        case .stateDirectory?: return [0, .string(directory)]
        case .takeFile?: return [.int(Int64(MH_E_NOT_FOUND)), -1]
        case .submit?: work.withLock { $0 += 1 }
        case .workDone?: work.withLock { $0 -= 1 }
        case .arm?, .showNotification?:
            let timer = timers.withLock { timers in
                timers += 1
                return timers
            }
            return [0, .int(timer)]
        case .respondFile?: if let file = call[3].int { close(Int32(truncatingIfNeeded: file)) }
        case .element?: return [.int(Int64(MH_E_NOT_FOUND)), 0]
        case .log?: if isKeeping { lines.withLock { $0 = call[1].string ?? "" } }
        default: break
        }
        return [0]
    }

    var lastLine: String { lines.withLock { $0 } }
    var isWorking: Bool { work.withLock { $0 > 0 } }

    func takeTaps() -> [Int64] {
        taps.withLock { taps in
            defer { taps = [] }
            return taps
        }
    }
}

/// An instance before a quiet host, called step by step.
@HostActor
struct QuietInstance {
    private let number: Int64
    private let id: String
    private let plugin: any CallTarget
    let host: QuietHost

    init(_ number: Int64, _ id: String, _ plugin: any CallTarget, _ host: QuietHost) {
        self.number = number
        self.id = id
        self.plugin = plugin
        self.host = host
    }

    func create() -> Bool {
        guard let failure = plugin.perform(TrialCall(.create, number, [.string(id), "quiet"])).first?.string else {
            return true
        }
        TrialPipe.tell(
            TrialFault(failure, expected: "an instance each time", fix: "let create depend on nothing but memory"))
        return false
    }

    func initialise(_ config: Value) -> Bool {
        let status = plugin.perform(TrialCall(.initialise, number, [config])).status
        if status == 0 {
            _ = plugin.perform(TrialCall(.tables, number))
            return true
        }
        TrialPipe.tell(
            TrialFault(
                "init failed the second time (status \(status)): \(host.lastLine)", expected: "as the first time",
                fix: "give back in destroy what init took"))
        destroy()
        return false
    }

    func activate() -> Bool {
        let status = plugin.perform(TrialCall(.activate, number)).status
        if status == 0 { return true }
        TrialPipe.tell(
            TrialFault(
                "activate failed after a deactivate (status \(status)): \(host.lastLine)",
                expected: "as the first time",
                fix: "give back in deactivate what activate took"))
        deactivate()
        return false
    }

    /// Then the last call of each tap, as the host does it.
    func deactivate() {
        _ = plugin.perform(TrialCall(.deactivate, number))
        for tap in host.takeTaps() { _ = plugin.perform(TrialCall(.detached, number, [.int(tap)])) }
    }

    func destroy() { _ = plugin.perform(TrialCall(.destroy, number)) }
}
