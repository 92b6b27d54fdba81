internal import CMemory
internal import Glibc
import Locking

/// The host's end of the wire, seen from the plugin's process.
///
/// Lock order: `aside` is held over a call from another thread than the control thread, nothing else.
final class HostLink: CallTarget {
    private let main = WireSocket(GuestChild.Files.main)
    private let side = WireSocket(GuestChild.Files.side)
    private let stream = WireSocket(GuestChild.Files.stream)
    private let aside = Locked(())
    private let calls = Locked(0)

    /// Takes one call of the control thread. - Thread: main.
    func serve(_ plugin: any CallTarget) {
        do throws(WireSocket.Ended) {
            guard case .call(let call) = try main.read() else { return }
            try main.write(.answer(enter(call, plugin)))
        } catch {
            _exit(0)
        }
    }

    /// Takes the calls of taps, from now on. - Thread: one of its own.
    func serveStream(_ plugin: any CallTarget) {
        while true {
            do throws(WireSocket.Ended) {
                guard case .call(let call) = try stream.read() else { continue }
                try stream.write(.answer(plugin.perform(call)))
            } catch {
                _exit(0)
            }
        }
    }

    /// - Thread: any.
    func perform(_ call: TrialCall) -> [Value] {
        do throws(WireSocket.Ended) {
            guard HostActor.isCurrent, calls.withLock({ $0 > 0 }) else {
                return try aside.withLock { _ throws(WireSocket.Ended) -> [Value] in
                    try side.write(.call(call))
                    guard case .answer(let values) = try side.read() else { return [] }
                    return values
                }
            }
            try main.write(.call(call))
            while true {
                switch try main.read() {
                case .answer(let values): return values
                case .call(let inner):
                    guard let plugin = plugin.withLock({ $0 }) else { return [] }
                    try main.write(.answer(enter(inner, plugin)))
                }
            }
        } catch {
            _exit(0)
        }
    }

    private let plugin = Locked<(any CallTarget)?>(nil)

    private func enter(_ call: TrialCall, _ plugin: any CallTarget) -> [Value] {
        self.plugin.withLock { $0 = plugin }
        calls.withLock { $0 += 1 }
        defer { calls.withLock { $0 -= 1 } }
        return plugin.perform(call)
    }
}
