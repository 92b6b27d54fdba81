internal import PluginABI
import Locking
import Synchronization

/// What stands behind the `host_data` of one instance: all that a plugin may reach from any thread.
///
/// Requests are enqueued and followed on the control thread. Lock order: `tokens` and `posts` are leaves.
final class PluginContext: Sendable {
    /// What a plugin asked for, from any thread.
    enum Request: Sendable {
        case fail(mh_status, String)
        case main
        case acknowledge(mh_token, mh_status)
        case reply(mh_token, Value)
        case respond(mh_token, ControlResponse)
        case reject(mh_token, PluginCallError)
        case progress(mh_token, Double, String)
        case post(String, Value, cause: Event?)
        case workDone
        case cancelTimer(mh_token)
        case withdrawNotification(mh_token)
        /// The watch that had this number.
        case unwatchFile(Int32, UInt64)
    }

    /// Requests that wait for the control thread, at most; answers to what the host has asked are not among them.
    static let mostWaiting = 256

    /// How far an instance has come, for calls that come from other threads.
    enum Phase: UInt8, AtomicRepresentable {
        /// Made, and in `init`.
        case created
        case begun
        case gone
    }

    let instance: String
    let log: Log
    let counters = PluginCounters()
    let metrics = PluginMetrics()
    let directory: InstanceDirectory
    /// Who holds files beyond the end of the process; nil: nobody.
    let keptFiles: KeptFiles?
    private let phase = Atomic(Phase.created)
    private let posts = Locked(PostLimit())
    let clock: any HostClock
    private let workers: WorkerPool
    private let mainIsRequested = Atomic(false)
    private let hasFailed = Atomic(false)
    private let waiting = Atomic(0)
    /// The number of each watch of a file descriptor.
    private let watches = Locked<[Int32: UInt64]>([:])
    private let running = Atomic(0)
    /// What the lifecycle has asked last, until it is answered; 0: nothing.
    private let question = Atomic<UInt64>(0)
    /// Commands and requests not answered yet.
    private let tokens = Locked(CommandTokens())

    /// - Parameter stateRoot: where the instance's own directory may be; nil: nowhere.
    init(
        instance: String, log: Log, clock: any HostClock, workers: WorkerPool, stateRoot: String? = nil,
        keptFiles: KeptFiles? = nil
    ) {
        self.keptFiles = keptFiles
        directory = InstanceDirectory(root: stateRoot, instance: instance)
        self.instance = instance
        self.log = log
        self.clock = clock
        self.workers = workers
    }

    /// The instance it belongs to, while there is one.
    @HostActor weak var owner: PluginInstance?
    /// The same, from its deactivate until it is destroyed: a tap or work that comes back late may find nobody else left.
    @HostActor var leaving: PluginInstance?

    func enter(_ phase: Phase) {
        self.phase.store(phase, ordering: .releasing)
        // This object stays for threads that were left behind; what it has to show does not.
        if phase == .gone { metrics.forget() }
    }

    /// Whether the instance is ready, active or on its way out.
    var isBegun: Bool { phase.load(ordering: .acquiring) == .begun }

    var isGone: Bool { phase.load(ordering: .acquiring) == .gone }

    func send(_ request: Request) {
        HostActor.enqueueForPlugin { [self] in owner?.receive(request) }
    }

    /// As `send`, for what a plugin may ask for as often as it likes. False where too much waits already: the control thread
    /// must come to others, too.
    func offer(_ request: Request, _ function: StaticString) -> Bool {
        guard waiting.add(1, ordering: .relaxed).oldValue < Self.mostWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            if PluginCounters.count(counters.refusedRequests) {
                log.warning(
                    "calls \(function) faster than the host follows: \(Self.mostWaiting) requests wait; not done, said once, "
                        + "counted from here on")
            }
            return false
        }
        HostActor.enqueueForPlugin { [self] in
            waiting.subtract(1, ordering: .relaxed)
            owner?.receive(request)
        }
        return true
    }

    /// The lifecycle is about to ask. - Thread: main.
    func ask(_ token: mh_token) { question.store(token, ordering: .releasing) }

    /// Whether the answer to it was given, and waits for its turn at most. - Thread: main.
    func hasAnswered(_ token: mh_token) -> Bool { question.load(ordering: .acquiring) != token }

    /// The answer to the question has its room, however much waits.
    func acknowledge(_ token: mh_token, _ status: mh_status) {
        let isAnswer =
            token != 0
            && question.compareExchange(expected: token, desired: 0, ordering: .acquiringAndReleasing).exchanged
        // Nobody's token: it is counted, and answers for nobody else.
        if isAnswer { send(.acknowledge(token, status)) } else { _ = offer(.acknowledge(0, status), "lifecycle.ack") }
    }

    /// The first one counts.
    func fail(_ status: mh_status, _ text: String) {
        if !hasFailed.exchange(true, ordering: .acquiringAndReleasing) { send(.fail(status, text)) }
    }

    /// Only what is open has any progress.
    func progress(_ token: mh_token, _ fraction: Double, _ text: String) {
        if tokens.withLock({ $0.isOpen(token) }) { _ = offer(.progress(token, fraction, text), "commands.progress") }
    }

    /// A watch of a file descriptor begins. - Thread: main.
    func beginWatch(_ file: Int32) { watches.withLock { $0[file, default: 0] += 1 } }

    /// The number of the last watch.
    func watch(of file: Int32) -> UInt64 { watches.withLock { $0[file] ?? 0 } }

    /// Merged with a request that was not followed yet.
    func requestMain() {
        if !mainIsRequested.exchange(true, ordering: .acquiringAndReleasing) { send(.main) }
    }

    func mainIsAboutToRun() { mainIsRequested.store(false, ordering: .releasing) }

    func open(_ token: mh_token) { tokens.withLock { $0.open(token) } }

    /// True for the first answer to a token. One that comes after the host gave up is dropped; every other one is counted,
    /// and the first of those named.
    func close(_ token: mh_token) -> Bool {
        let answer = tokens.withLock { $0.answer(token) }
        if answer == .wanted { return true }
        guard answer == .unasked || isGone else { return false }
        if PluginCounters.count(counters.ignoredAnswers) {
            let what = isGone ? "answered after it was destroyed" : "answered twice, or what it was not asked"
            log.warning("\(what); said once, counted from here on")
        }
        return false
    }

    /// Whether the caller is on the control thread, as `function` asks. Who is not is counted, and named the first time.
    func isOnMain(_ function: StaticString) -> Bool {
        guard !HostActor.isCurrent else { return true }
        if PluginCounters.count(counters.misplacedCalls) {
            log.warning(
                "called \(function) on a thread of its own or of a stream, which is only for [main] (mediahost/types.h); not done, "
                    + "said once, counted from here on")
        }
        return false
    }

    /// No answer to it counts any more. True where none had come.
    func forget(_ token: mh_token) -> Bool { tokens.withLock { $0.giveUp(token) } }

    /// - Thread: main, worker.
    func post(_ name: String, _ payload: Value) -> mh_status {
        guard isBegun else { return mh_status(MH_E_STATE) }
        let cause = HostActor.isCurrent ? HostActor.assumeIsolated { owner?.handledEvent } : nil
        if let cause, cause.depth >= EventHub.deepest {
            if PluginCounters.count(counters.deepEvents) {
                log.warning(
                    "posts \(name) because of \(cause.name), which followed from \(EventHub.deepest) others: a loop; "
                        + "not delivered, said once, counted from here on")
            }
            return mh_status(MH_E_LIMIT)
        }
        let now = clock.monotonic()
        guard posts.withLock({ $0.take(at: now) }) else {
            if PluginCounters.count(counters.frequentEvents) {
                log.warning(
                    "posts more than \(PostLimit.perSecond) events in a second (\(name)); those over it are not "
                        + "delivered, said once, counted from here on")
            }
            return mh_status(MH_E_LIMIT)
        }
        return mh_status(offer(.post(name, payload, cause: cause), "events.post") ? MH_OK : MH_E_LIMIT)
    }

    var hasRunningWork: Bool { running.load(ordering: .acquiring) > 0 }

    /// - Returns: whether it will run.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard isBegun else { return false }
        running.add(1, ordering: .acquiringAndReleasing)
        workers.submit { [self] in
            work()
            if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { send(.workDone) }
        }
        return true
    }

    /// The context behind a host table, or nil where the plugin passed none.
    static func of(_ host: UnsafePointer<mh_host_1>?) -> PluginContext? {
        guard let data = host?.pointee.host_data else { return nil }
        return Unmanaged<PluginContext>.fromOpaque(data).takeUnretainedValue()
    }
}
