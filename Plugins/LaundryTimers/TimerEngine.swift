import Locking
import PluginKit

/// Takes orders from any thread and does them on a worker, one batch after the other: all that came while one was written is the
/// next one, in one transaction. That is the group commit.
///
/// Lock order: `inbox` and `outbox` are leaves; nothing is called while they are held.
// `keeper` belongs to the one drain that runs (`Inbox.isRunning`); the lock orders one drain after the other.
final class TimerEngine: @unchecked Sendable {
    typealias Reply = @Sendable (Result<TimerAnswer, PluginError>) -> Void

    /// For main, since it looked last.
    struct Outbox: Sendable {
        var deliveries: [TimerStore.OpenTimer] = []
        var settled: [Settled] = []
        /// When the store is to be looked at again, by clock.
        var heads: [DueQueue.Line: Int64] = [:]
        /// Timers are over.
        var hasCompleted = false
        var active = 0
        /// How many wait for the wall clock.
        var waiting = 0
        /// Somebody started, stopped or changed a timer, or is done with one.
        var hasChanged = false
        /// Where the store does not take what it is given: when to look again.
        var retryAfter: Duration?
        /// The store is another one: what the config says is not in it.
        var mustDefine = false
    }

    private struct Job: Sendable {
        let order: TimerOrder
        /// What the store does not take goes with the next batch: nobody says it again.
        let isKept: Bool
        let reply: Reply
    }

    private struct Inbox: Sendable {
        var jobs: [Job] = []
        var isRunning = false
        /// Why nothing more is done.
        var end: PluginError?
    }

    private let host: Host
    private let environment: TimerEnvironment
    private let policy: TimerPolicy
    private let inbox = Locked(Inbox())
    private let outbox = Locked(Outbox())
    let dueSoon = DueSoon()
    private var keeper: TimerKeeper?
    /// When main has something to tell next, as it was told last.
    private var nextTelling: Int64?
    private var path = ""
    /// What the store did not take yet.
    private var owed: [Job] = []
    /// When the store was to be opened first, on the monotonic clock.
    private var firstTry: Int64?
    /// A damaged store that was put aside and said; the next one takes its place.
    private var toldAside: String?
    /// What was said last of a store that does not take anything.
    private var complaint = ""

    /// How long orders wait for a store that another host has: `mediahost timers deliver` ends soon.
    static let patience: Int64 = 4_000_000_000
    static let firstPace = Duration.milliseconds(250)
    static let pace = Duration.seconds(5)

    init(_ host: Host, _ environment: TimerEnvironment, _ policy: TimerPolicy) {
        self.host = host
        self.environment = environment
        self.policy = policy
    }

    /// The reply comes when it is on the disk.
    /// - Parameter isKept: where the store does not take it, it goes with the next batch, as what the plugin says of itself always does.
    /// - Thread: main, worker.
    func send(_ order: TimerOrder, isKept: Bool = false, _ reply: @escaping Reply = { _ in }) {
        let job = Job(order: order, isKept: isKept || order.isNote, reply: reply)
        let (mustStart, end) = inbox.withLock { inbox -> (Bool, PluginError?) in
            guard inbox.end == nil else { return (false, inbox.end) }
            inbox.jobs.append(job)
            defer { inbox.isRunning = true }
            return (!inbox.isRunning, nil)
        }
        if let end { reply(.failure(end)) }
        if mustStart { start() }
    }

    /// What is in the batch that runs is done still, and what was told is noted; then the file is closed.
    /// - Parameter unsent: of which nobody was told, by number of their start.
    /// - Thread: main.
    func close(unsent: [Int64]) {
        let refusal = PluginError("the timers have been stopped", code: .state)
        let (mustStart, jobs) = inbox.withLock { inbox -> (Bool, [Job]) in
            guard inbox.end == nil else { return (false, []) }
            inbox.end = refusal
            let refused = inbox.jobs.filter { !$0.order.isNote }
            inbox.jobs = inbox.jobs.filter(\.order.isNote) + [Job(order: .unsent(unsent), isKept: true) { _ in }]
            defer { inbox.isRunning = true }
            return (!inbox.isRunning, refused)
        }
        for job in jobs { job.reply(.failure(refusal)) }
        if mustStart { start() }
    }

    /// - Thread: main.
    func takeOutbox() -> Outbox {
        outbox.withLock { outbox in
            defer {
                outbox.deliveries = []
                outbox.settled = []
                outbox.hasChanged = false
                outbox.hasCompleted = false
                outbox.mustDefine = false
            }
            return outbox
        }
    }

    private func start() {
        do throws(PluginError) {
            try host.submit { self.drain() }
        } catch {
            let jobs = inbox.withLock { inbox in
                defer {
                    inbox.jobs = []
                    inbox.isRunning = false
                }
                return inbox.jobs
            }
            for job in jobs { job.reply(.failure(error)) }
        }
    }

    /// - Thread: worker, one at a time.
    private func drain() {
        while true {
            let (jobs, end) = inbox.withLock { inbox -> ([Job], PluginError?) in
                defer { inbox.jobs = [] }
                // Nobody starts another one after the end: the keeper stays this one's.
                if inbox.jobs.isEmpty, inbox.end == nil { inbox.isRunning = false }
                return (inbox.jobs, inbox.end)
            }
            if let end { return finish(jobs, end) }
            guard !jobs.isEmpty else { return }
            perform(jobs)
        }
    }

    /// The last of all: nothing is completed any more, what was told is noted, and the file is free.
    private func finish(_ jobs: [Job], _ end: PluginError) {
        let jobs = owed + jobs
        owed = []
        for job in jobs where !job.order.isNote { job.reply(.failure(end)) }
        guard let keeper else { return }
        self.keeper = nil
        let untold = takeOutbox().deliveries.map(\.timer.start)
        do throws(StoreError) {
            try keeper.note(jobs.map(\.order) + [.unsent(untold)])
        } catch {
            host.log(.warning, "what was told last could not be noted and will be told again: \(error.message)")
        }
        keeper.store.close()
    }

    private func perform(_ new: [Job]) {
        let jobs = owed + new
        owed = []
        guard let now = Moment.now(host) else {
            return refuse(jobs, PluginError("the host has no clock", code: .unsupported))
        }
        do throws(StoreError) {
            let keeper = try openKeeper(now)
            let round = try keeper.perform(
                jobs.map(\.order), at: now, isSynchronised: environment.isSynchronised(), zone: environment.zone())
            if !complaint.isEmpty { host.log(.notice, "timers are kept in \(path) again") }
            complaint = ""
            tell(round, keeper)
            for (job, answer) in zip(jobs, round.answers) { job.reply(answer) }
            makeReady(keeper)
        } catch {
            fail(error, jobs)
        }
    }

    /// Nobody who has given an order waits for this.
    private func makeReady(_ keeper: TimerKeeper) {
        do throws(StoreError) {
            try keeper.makeReady()
            tell(TimerKeeper.Round(), keeper)
        } catch {
            fail(error, [])
        }
    }

    private func refuse(_ jobs: [Job], _ refusal: PluginError) {
        for job in jobs { job.reply(.failure(refusal)) }
    }

    private func openKeeper(_ now: Moment) throws(StoreError) -> TimerKeeper {
        if let keeper { return keeper }
        do throws(PluginError) {
            path = try host.stateDirectory() + "/timers.db"
        } catch {
            throw .unreachable(error.message)
        }
        let opened = try StoreFile(path: path, environment: environment, dueSoon: dueSoon).open(at: now, policy: policy)
        if let (aside, reason) = opened.damage, aside != toldAside { tell(of: aside, reason) }
        toldAside = nil
        if opened.wasEmpty {
            host.log(.warning, "\(path) was there and empty; the timers begin anew")
        }
        keeper = opened.keeper
        return opened.keeper
    }

    private func tell(of aside: String, _ reason: String) {
        host.log(
            .error,
            "the timers of \(path) could not be read (\(reason)). The file is kept as \(aside), and the timers begin anew; "
                + "`sqlite3 \(aside) .recover` shows what can be saved")
        try? host.post("store-set-aside", ["path": .string(aside), "reason": .string(reason)])
    }

    private func tell(_ round: TimerKeeper.Round, _ keeper: TimerKeeper) {
        var heads: [DueQueue.Line: Int64] = [:]
        for line in DueQueue.Line.allCases { heads[line] = keeper.nextRound(line) }
        let (active, nextTelling) = (keeper.queue.count, dueSoon.next)
        defer { self.nextTelling = nextTelling }
        let isReadyAnew = nextTelling != self.nextTelling
        let hasNews = outbox.withLock { outbox in
            let before = (outbox.heads, outbox.active, outbox.waiting)
            outbox.deliveries += round.deliveries
            outbox.settled += round.settled
            outbox.heads = heads
            outbox.active = active
            outbox.waiting = keeper.waiting.count + keeper.calendar.waiting.count
            outbox.hasChanged = outbox.hasChanged || round.hasChanged
            outbox.hasCompleted = outbox.hasCompleted || round.hasCompleted
            defer { outbox.retryAfter = nil }
            return outbox.retryAfter != nil || before != (heads, active, outbox.waiting) || isReadyAnew
                || round.hasChanged || round.hasCompleted || !round.deliveries.isEmpty || !round.settled.isEmpty
        }
        if round.mismatches > 0 {
            host.log(.warning, "\(round.mismatches) timers were not in the queue as in the store; the store counts")
        }
        if hasNews { host.requestMain() }
    }

    /// Nothing of the batch was done. A damaged store is put aside by whoever opens it next; what may be well again is tried again, so
    /// that a disk that was full, or another host that had the store, does not leave a board without timers.
    private func fail(_ error: StoreError, _ jobs: [Job]) {
        let what = path.isEmpty ? "cannot keep timers" : "cannot keep timers in \(path)"
        let text =
            if error.isBusy {
                "\(what): another host has it open; give each a state directory of its own, or end the other one"
            } else {
                "\(what): \(error.message)"
            }
        let refusal = PluginError(text, code: error.isBusy ? .busy : .failed)
        if keeper != nil, error.isDamage { return beginAnew(error, refusal, jobs) }
        if error.isForGood || error.isDamage { return end(refusal, jobs) }
        let isPatient = keeper == nil && error.isBusy && !hasWaited()
        owed = isPatient ? jobs : jobs.filter(\.isKept)
        outbox.withLock { $0.retryAfter = isPatient ? Self.firstPace : Self.pace }
        host.requestMain()
        guard !isPatient else { return }
        if complaint != text { host.log(.error, "\(text); tried again every 5 s") }
        complaint = text
        refuse(jobs.filter { !$0.isKept }, refusal)
    }

    /// What was damaged was not seen when it was opened: another one takes its place, as if it had been.
    private func beginAnew(_ error: StoreError, _ refusal: PluginError, _ jobs: [Job]) {
        keeper = nil
        dueSoon.forget()
        do throws(StoreError) {
            let aside = try StoreFile(path: path, environment: environment).setAside()
            toldAside = aside
            tell(of: aside, error.message)
        } catch {
            return end(PluginError(error.message, code: .failed), jobs)
        }
        // Notes are about the old one.
        owed = jobs.filter { $0.isKept && !$0.order.isNote }
        outbox.withLock { outbox in
            outbox.mustDefine = true
            outbox.retryAfter = Self.firstPace
        }
        host.requestMain()
        refuse(jobs.filter { !$0.isKept }, refusal)
    }

    private func end(_ refusal: PluginError, _ jobs: [Job]) {
        inbox.withLock { $0.end = refusal }
        dueSoon.close()
        host.fail(refusal)
        refuse(jobs, refusal)
    }

    /// Whether the store was to be opened long ago.
    private func hasWaited() -> Bool {
        guard let now = host.monotonic?.nanoseconds else { return true }
        let first = firstTry ?? now
        firstTry = first
        return now.subtractingClamped(first) >= Self.patience
    }
}
