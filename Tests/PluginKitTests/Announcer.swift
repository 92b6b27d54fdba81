import Locking
import PluginKit

/// A plugin that shows notifications and writes down what comes of them.
final class Announcer: MediaPlugin {
    static let descriptor = PluginDescriptor(
        id: "org.example.announcer", name: "Announcer", version: "1.0.0", summary: "Announces.", optional: [.notify])

    private struct Handles {
        var open: [String: NotificationHandle] = [:]
    }

    let host: Host
    let seen = Locked<[String]>([])
    private let handles = Locked(Handles())

    /// The last object made; weak, so tests see when it goes.
    static let last = Locked(WeakAnnouncer())

    init(host: Host, settings: NoFields) throws(PluginError) {
        self.host = host
        Self.last.withLock { $0.announcer = self }
    }

    func note(_ text: String) { seen.withLock { $0.append(text) } }

    /// The closure holds the plugin, as a careless author has it: nothing may leak all the same.
    @discardableResult
    func show(_ notification: PluginKit.Notification) throws(PluginError) -> NotificationHandle {
        let handle = try host.notify(notification) { response in self.note("\(notification.summary): \(response)") }
        handles.withLock { $0.open[notification.summary] = handle }
        return handle
    }

    func deactivate() {
        // Still allowed here.
        handles.withLock { $0.open["leaving"] }?.withdraw()
    }
}

/// A weak reference that may cross threads inside a lock.
struct WeakAnnouncer: Sendable {
    weak var announcer: Announcer?
}
