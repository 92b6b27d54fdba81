import PluginABI

/// A notification that was taken. Dropping it changes nothing: what is shown stays.
public final class NotificationHandle: Sendable {
    private let host: Host
    private let token: mh_token
    /// Whether there was no service to show it, so that it waits for one.
    public let isWaiting: Bool

    init(_ host: Host, _ token: mh_token, isWaiting: Bool) {
        self.host = host
        self.token = token
        self.isWaiting = isWaiting
    }

    /// Takes it off the screen, or out of those that wait. No response follows. Twice, or after its end, is harmless.
    /// - Thread: any; from another than main one response may be on its way.
    public func withdraw() { host.withdrawNotification(token) }
}
