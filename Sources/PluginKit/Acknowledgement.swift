import PluginABI
import Synchronization

/// The answer the host waits for before it pauses or resumes.
///
/// Dropping it is an answer: when the last reference goes, the change is acknowledged. A plugin that does its work inside
/// `lifecycle` therefore ignores it; one that needs longer keeps it, say in the closure it gives to `Host.submit`, until
/// that work has ended. One that keeps it for ever is named in the host's log when the deadline has passed.
/// The first answer counts; where none is expected all of this does nothing.
public final class Acknowledgement: Sendable {
    private let host: Host
    private let token: mh_token
    private let answered: Atomic<Bool>
    /// When the host stops waiting, on its monotonic clock; `nil` where it does not wait.
    public let deadline: Timestamp?

    init(host: Host, token: mh_token, deadline: mh_time) {
        self.host = host
        self.token = token
        self.deadline = token == 0 ? nil : Timestamp(abi: deadline)
        answered = Atomic(token == 0)
    }

    deinit { answer(statusOK) }

    /// Ready for the change.
    /// - Thread: any.
    public func done() { answer(statusOK) }

    /// Not ready. It happens all the same and is logged with this plugin's name; the text is logged beside it.
    /// - Thread: main, worker.
    public func refuse(_ error: PluginError) {
        guard answer(error.status) else { return }
        host.log(.warning, error.message)
    }

    @discardableResult private func answer(_ status: mh_status) -> Bool {
        guard !answered.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        host.acknowledge(token, status)
        return true
    }
}
