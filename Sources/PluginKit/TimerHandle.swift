import PluginABI

/// A timer that is armed. Dropping it cancels, so keep it as long as the timer shall live.
public final class TimerHandle: Sendable {
    private let host: Host
    private let token: mh_token

    init(_ host: Host, _ token: mh_token) {
        self.host = host
        self.token = token
    }

    deinit { cancel() }

    /// No call follows. Twice, or after it has fired, is harmless.
    /// - Thread: any; from another than main one call may be on its way.
    public func cancel() { host.cancelTimer(token) }
}
