import PluginKit
import Locking

/// A plugin that writes down what it is told; `mode` makes it misbehave.
final class Probe: MediaPlugin {
    enum Mode: String, CaseIterable, FieldValue {
        case plain, keep, refuse
        case failInit = "fail-init"
        case twoEchoes = "two-echoes"
    }

    struct Settings: PluginRecord {
        let mode: Mode
        let window: Duration?
        let names: [String]
        let on: Bool

        static let fields = Fields(
            Settings.init,
            Field("mode", \.mode, default: .plain, "How it behaves"),
            Field("window", \.window, "A duration"),
            Field("list", \.names, default: [], "Some texts"),
            Field("on", \.on, default: false, "A switch"))
    }

    struct Echo: PluginRecord {
        struct Inner: PluginRecord {
            let gain: Double
            static let fields = Fields(Inner.init, Field("gain", \.gain, "A number"))
        }

        let count: Int
        let flags: [Bool]
        let inner: Inner?

        static let fields = Fields(
            Echo.init,
            Field("count", \.count, "A whole number"),
            Field("flags", \.flags, default: [], "Some switches"),
            Field("inner", \.inner, "A map"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.probe", name: "Probe", version: "1.0.0", summary: "Sees what happens.", requires: [.tap])

    let host: Host
    let settings: Settings
    let stream = ProbeTap()
    let seen = Locked<[String]>([])
    let kept = Locked<[Acknowledgement]>([])
    let replies = Locked<[CommandReply<NoFields>]>([])
    let handle = Locked<TapHandle?>(nil)

    /// The last object made; weak, so tests see when it goes.
    static let last = Locked<WeakProbe>(WeakProbe())

    init(host: Host, settings: Settings) throws(PluginError) {
        guard settings.mode != .failInit else { throw PluginError("mode forbids it", code: .invalid) }
        self.host = host
        self.settings = settings
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
        switch settings.mode {
        case .keep: kept.withLock { $0.append(acknowledgement) }
        case .refuse: acknowledgement.refuse(PluginError("not now", code: .busy))
        default: break
        }
    }

    var acknowledgesWithin: Duration { .milliseconds(200) }

    var commands: [Command] {
        let no = Command("no", summary: "Declines.") { () throws(PluginError) in throw PluginError("no", code: .busy) }
        let forget = Command("forget", summary: "Never answers.") { (_: CommandReply<NoFields>) in }
        let twice = Command("echo", summary: "A name used twice.") {}
        return [
            Command("echo", summary: "Says it again.", run: echo), no, forget,
            Command("later", summary: "Answers later.", run: later),
        ] + (settings.mode == .twoEchoes ? [twice] : [])
    }

    private func echo(_ request: Echo, _ reply: CommandReply<Echo>) {
        reply.succeed(request)
        reply.succeed(Echo(count: 2, flags: [], inner: nil))
        reply.reject(PluginError("third"))
    }

    private func later(_ reply: CommandReply<NoFields>) {
        replies.withLock { $0.append(reply) }
        reply.progress(0.5, "half")
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
