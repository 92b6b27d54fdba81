import PluginKit
import Locking

/// A plugin that writes down what it is told; `config.mode` makes it misbehave.
final class Probe: MediaPlugin {
    static let descriptor = PluginDescriptor(
        id: "org.example.probe", name: "Probe", version: "1.0.0", summary: "Sees what happens.", requires: [.tap],
        configSchema: #"{"type":"object"}"#)

    let host: Host
    let config: PluginValue
    let stream = ProbeTap()
    let seen = Locked<[String]>([])
    let kept = Locked<[Acknowledgement]>([])
    let replies = Locked<[CommandReply]>([])
    let handle = Locked<TapHandle?>(nil)

    /// The last object made; weak, so tests see when it goes.
    static let last = Locked<WeakProbe>(WeakProbe())

    init(host: Host, config: PluginValue) throws(PluginError) {
        guard config.string("mode") != "fail-init" else { throw PluginError("mode forbids it", code: .invalid) }
        self.host = host
        self.config = config
        Self.last.withLock { $0.probe = self }
    }

    func activate() throws(PluginError) {
        let attached = try host.attachTap("cam/encoded.src", stream)
        handle.withLock { $0 = attached }
        seen.withLock { $0.append("activate") }
    }

    func deactivate() {
        handle.withLock { $0 }?.detach()
        handle.withLock { $0 }?.detach()
        seen.withLock { $0.append("deactivate") }
    }

    func lifecycle(_ change: LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement) {
        seen.withLock { $0.append("\(change) \(state.rawValue)") }
        switch config.string("mode") {
        case "keep": kept.withLock { $0.append(acknowledgement) }
        case "refuse": acknowledgement.refuse(PluginError("not now", code: .busy))
        default: break
        }
    }

    var acknowledgesWithin: Duration { .milliseconds(200) }

    var commands: [Command] {
        let echo = Command("echo", summary: "Says it again.", parameters: "{}", result: "{}") { parameters, reply in
            reply.succeed(parameters)
            reply.succeed(["second": true])
            reply.reject(PluginError("third"))
        }
        let no = Command("no", summary: "Declines.") { _, reply in reply.reject(PluginError("no", code: .busy)) }
        let forget = Command("forget", summary: "Never answers.") { _, _ in }
        let later = Command("later", summary: "Answers later.") { [weak self] _, reply in
            self?.replies.withLock { $0.append(reply) }
            reply.progress(0.5, "half")
        }
        let twice = Command("echo", summary: "A name used twice.") { _, _ in }
        return [echo, no, forget, later] + (config.string("mode") == "two-echoes" ? [twice] : [])
    }

    var subscriptions: [String] { ["pipeline.*"] }

    func handle(_ event: PluginEvent) {
        seen.withLock { $0.append("\(event.name) from \(event.source): \(event.payload.string("state") ?? "-")") }
    }

    func onMain() { seen.withLock { $0.append("main") } }
}

/// A weak reference that may cross threads inside a lock.
struct WeakProbe: Sendable {
    weak var probe: Probe?
}

/// Counts without allocating.
final class ProbeTap: StreamTap {
    struct Seen: Equatable {
        var epoch: UInt32 = 0
        var caps = ""
        var buffers = 0
        var bytes = 0
        var sum = 0
        var keys = 0
        var lastPTS: Timestamp?
        var gaps = 0
        var ends = 0
        var detached = 0
    }

    let seen = Locked(Seen())

    func epoch(_ epoch: StreamEpoch) { seen.withLock { $0.epoch = epoch.number } }

    func format(_ id: UInt32, caps: Span<UInt8>) {
        let text = String(copying: caps)
        seen.withLock { $0.caps = text }
    }

    func buffer(_ buffer: borrowing StreamBuffer) {
        var sum = 0
        buffer.withBytes { bytes in
            for index in bytes.byteOffsets { sum += Int(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
        }
        let (count, isKey, pts) = (buffer.byteCount, buffer.isKeyFrame, buffer.pts)
        seen.withLock {
            $0.buffers += 1
            $0.bytes += count
            $0.sum += sum
            $0.keys += isKey ? 1 : 0
            $0.lastPTS = pts
        }
    }

    func gap(at time: Timestamp?, lasting duration: Duration?) { seen.withLock { $0.gaps += 1 } }
    func endOfStream() { seen.withLock { $0.ends += 1 } }
    func detached() { seen.withLock { $0.detached += 1 } }
}
