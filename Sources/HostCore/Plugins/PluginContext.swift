internal import PluginABI
import Locking
import Synchronization

/// What stands behind the `host_data` of one instance: all that a plugin may reach from any thread.
///
/// Requests are enqueued and followed on the control thread. Lock order: `tokens` is a leaf.
final class PluginContext: Sendable {
    /// What a plugin asked for, from any thread.
    enum Request: Sendable {
        case fail(mh_status, String)
        case main
        case acknowledge(mh_token, mh_status)
        case reply(mh_token, Value)
        case reject(mh_token, mh_status, String)
        case progress(mh_token, Double, String)
        case post(String, Value)
        case workDone
    }

    let instance: String
    let log: Log
    let clock: any HostClock
    private let workers: WorkerPool
    private let mainIsRequested = Atomic(false)
    private let running = Atomic(0)
    /// Commands not answered yet.
    private let tokens = Locked<Set<mh_token>>([])

    init(
        instance: String, log: Log, clock: any HostClock, workers: WorkerPool
    ) {
        self.instance = instance
        self.log = log
        self.clock = clock
        self.workers = workers
    }

    /// The instance it belongs to, while there is one.
    @HostActor weak var owner: PluginInstance?

    func send(_ request: Request) {
        HostActor.enqueue { [self] in owner?.receive(request) }
    }

    /// Merged with a request that was not followed yet.
    func requestMain() {
        if !mainIsRequested.exchange(true, ordering: .acquiringAndReleasing) { send(.main) }
    }

    func mainIsAboutToRun() { mainIsRequested.store(false, ordering: .releasing) }

    func open(_ token: mh_token) { tokens.withLock { _ = $0.insert(token) } }

    /// True for the first answer to a token.
    func close(_ token: mh_token) -> Bool { tokens.withLock { $0.remove(token) != nil } }

    var hasRunningWork: Bool { running.load(ordering: .acquiring) > 0 }

    func submit(_ work: @escaping @Sendable () -> Void) {
        running.add(1, ordering: .acquiringAndReleasing)
        workers.submit { [self] in
            work()
            if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { send(.workDone) }
        }
    }

    /// The context behind a host table, or nil where the plugin passed none.
    static func of(_ host: UnsafePointer<mh_host_1>?) -> PluginContext? {
        guard let data = host?.pointee.host_data else { return nil }
        return Unmanaged<PluginContext>.fromOpaque(data).takeUnretainedValue()
    }
}
