internal import CGLib
internal import Glibc
import Locking

/// The plugin's end of the wire, seen from the host's process: three sockets to the process that the plugin is in.
///
/// `main` carries the calls of the control thread, in both directions and nested; `side` what the plugin calls from other
/// threads; `stream` the calls of taps. Lock order: `streaming` is held over a call of a tap, nothing else.
final class PluginLink: CallTarget {
    struct Files: Sendable {
        var main: Int32
        var side: Int32
        var stream: Int32
    }

    private let main: WireSocket
    private let side: WireSocket
    private let stream: WireSocket
    private let streaming = Locked(())
    private let host: any CallTarget
    private let guest: pid_t

    /// - Parameter guest: the process at the other end; when it is gone, so is this one.
    init(_ files: Files, guest: pid_t, host: any CallTarget) {
        main = WireSocket(files.main)
        side = WireSocket(files.side)
        stream = WireSocket(files.stream)
        self.host = host
        self.guest = guest
    }

    /// Takes the plugin's calls from other threads, from now on. - Thread: one of its own.
    func serveSide() {
        while true {
            do throws(WireSocket.Ended) {
                guard case .call(let call) = try side.read() else { continue }
                try side.write(.answer(host.perform(call)))
            } catch {
                end()
            }
        }
    }

    /// - Thread: main; for calls of taps stream.
    func perform(_ call: TrialCall) -> [Value] {
        do throws(WireSocket.Ended) {
            if PluginFunction(rawValue: call.function)?.isStream == true {
                return try streaming.withLock { _ throws(WireSocket.Ended) in try exchange(call, over: stream) }
            }
            return try exchange(call, over: main)
        } catch {
            end()
        }
    }

    /// Until the answer comes, the calls that the plugin makes from inside.
    private func exchange(_ call: TrialCall, over socket: WireSocket) throws(WireSocket.Ended) -> [Value] {
        try socket.write(.call(call))
        while true {
            switch try socket.read() {
            case .answer(let values): return values
            case .call(let inner): try socket.write(.answer(host.perform(inner)))
            }
        }
    }

    /// Without the plugin there is nothing left to do but to say how it went.
    private func end() -> Never {
        var status: Int32 = 0
        while waitpid(guest, &status, 0) < 0 {
            // Another thread has told it.
            if errno != EINTR { pause() }
        }
        TrialPipe.write(
            TrialReport.guest(status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)))
        _exit(1)
    }
}
