import Locking
import PluginKit

/// A plugin that lives by timers, files and a config that changes while it runs.
final class Washer: MediaPlugin, LiveConfigurable {
    struct Settings: PluginRecord {
        let cycle: Duration
        let detergent: String?
        static let fields = Fields(
            Settings.init,
            Field("cycle", \.cycle, default: .seconds(60), limits: .atLeast(.seconds(1)), "How long a wash takes"),
            Field("detergent", \.detergent, "What is put in"))
    }

    static let descriptor = PluginDescriptor(
        id: "org.example.washer", name: "Washer", version: "1.0.0", summary: "Washes.",
        requires: [.clock, .events, .timer])

    private struct Handles {
        var timers: [String: TimerHandle] = [:]
    }

    let host: Host
    let seen = Locked<[String]>([])
    private let handles = Locked(Handles())

    /// The last object made; weak, so tests see when it goes.
    static let last = Locked(WeakWasher())

    init(host: Host, settings: Settings) throws(PluginError) {
        self.host = host
        Self.last.withLock { $0.washer = self }
        do throws(PluginError) {
            try arm("early", after: .zero)
        } catch {
            note("in init: \(error.code == .state)")
        }
    }

    func note(_ text: String) { seen.withLock { $0.append(text) } }

    /// The closure holds the plugin, as a careless author has it: nothing may leak all the same.
    func arm(
        _ name: String, after delay: Duration, on clock: ClockKind = .monotonic, every interval: Duration? = nil,
        slack: Duration = .zero
    ) throws(PluginError) {
        let handle = try host.schedule(after: delay, on: clock, every: interval, slack: slack) { expiry in
            self.note("\(name) x\(expiry.expirations) late \(expiry.late)")
        }
        keep(name, handle)
    }

    func keep(_ name: String, _ handle: TimerHandle?) {
        let old = handles.withLock { handles in
            defer { handles.timers[name] = handle }
            return handles.timers[name]
        }
        _ = old
    }

    var subscriptions: [String] { ["clock.*"] }

    func handle(_ event: PluginEvent) { note("\(event.name) \(event.payload.int("step_ns") ?? 0)") }

    func deactivate() { note("deactivate") }

    func validate(_ settings: Settings) throws(PluginError) {
        switch settings.detergent {
        case "sand": throw PluginError("sand is no detergent", code: .invalid, key: "detergent")
        case "other machine": throw PluginError("only in another machine", code: .unsupported)
        default: note("would take \(settings.cycle)")
        }
    }

    func apply(_ settings: Settings) throws(PluginError) {
        guard settings.detergent != "late" else { throw PluginError("too late for that", code: .state) }
        note("takes \(settings.cycle)")
    }
}

/// A weak reference that may cross threads inside a lock.
struct WeakWasher: Sendable {
    weak var washer: Washer?
}
