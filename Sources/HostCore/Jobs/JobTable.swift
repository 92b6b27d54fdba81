internal import GStreamerKit

/// The commands that run, and of those that outlasted the patience of their callers the last ones that have ended.
///
/// A caller waits for the result. Where that takes longer than it has patience for, it gets the job in its place and asks about it later;
/// from then on the command belongs to nobody, and goes on when the caller leaves.
/// - Thread: main.
@HostActor
public final class JobTable {
    typealias Report = @HostActor @Sendable (_ fraction: Double, _ text: String) -> Void
    typealias Work = @HostActor @Sendable (_ report: @escaping Report) async throws(ControlError) -> Value

    enum Answer: Sendable {
        case result(Value)
        /// It goes on.
        case job(Value)
    }

    nonisolated static let mostRunning = 256
    /// How many that have ended can be asked about.
    nonisolated static let mostEnded = 32
    /// No caller has less patience: what answers at once is no job.
    nonisolated static let leastPatience = ClockTime.milliseconds(50)
    /// Progress becomes an event so often at most.
    nonisolated static let tellsEvery = ClockTime.milliseconds(200)

    private struct Waiter {
        var continuation: CheckedContinuation<Void, Never>
        var timer: HostTimer?
    }

    private struct Entry {
        var job: Job
        /// Of who asked for it.
        var origin: RequestOrigin
        var task: Task<Void, Never>?
        /// Its caller was given the job.
        var isKept = false
        var waiters: [UInt64: Waiter] = [:]
        var lastTold: ClockTime?
        /// Tells of progress that came too soon after the last.
        var telling: HostTimer?
        /// In the order in which they ended.
        var end: UInt64 = 0
    }

    /// How many have ended.
    private var ends: UInt64 = 0
    private let events: EventHub
    private let clock: any HostClock
    private var entries: [UInt64: Entry] = [:]
    private var last: UInt64 = 0
    private var lastWaiter: UInt64 = 0

    init(events: EventHub, clock: any HostClock) {
        self.events = events
        self.clock = clock
    }

    /// In the order in which they began.
    var list: Value { .list(entries.keys.sorted().map { value(of: $0) }) }

    private func value(of number: UInt64) -> Value {
        entries[number]?.job.value(text(of: number), at: clock.monotonic()) ?? .null
    }

    // MARK: Callers

    /// Does `work`, which answers at once or later.
    /// - Parameter patience: nil: as long as it takes. Who is cancelled meanwhile cancels the work, too.
    /// - Throws: what the work throws; `busy` where too many run.
    func perform(
        _ command: String, of plugin: String, for origin: RequestOrigin, patience: ClockTime?,
        _ work: @escaping Work
    ) async throws(ControlError) -> Answer {
        let number = try start(command, of: plugin, for: origin, work)
        await wait(for: number, atMost: patience.map { max($0, Self.leastPatience) })
        guard let entry = entries[number] else { throw ControlError(.cancelled, "it was given up") }
        if let outcome = entry.job.outcome {
            if !entry.isKept { entries[number] = nil }
            return .result(try outcome.get())
        }
        guard !Task.isCancelled else {
            cancel(number)
            if !entry.isKept { entries[number] = nil }
            throw ControlError(.cancelled, "nobody waits for it any more")
        }
        keep(number)
        return .job(value(of: number))
    }

    /// Somebody knows it, and may ask what became of it.
    private func keep(_ number: UInt64) {
        guard entries[number]?.isKept == false else { return }
        entries[number]?.isKept = true
        tell("job.started", number)
    }

    /// The job, when it has ended or the time is over. One that was only waited for needs no `forget`.
    func job(_ id: String, patience: ClockTime?) async throws(ControlError) -> Value {
        let number = try number(of: id)
        keep(number)
        if let patience, patience > .zero { await wait(for: number, atMost: patience) }
        guard entries[number] != nil else { throw unknown(id) }
        return value(of: number)
    }

    /// Has the plugin told that it is not wanted any more, and returns the job as it is then.
    func cancel(_ id: String) throws(ControlError) -> Value {
        let number = try number(of: id)
        guard let job = entries[number]?.job, !job.isOver else {
            throw ControlError(.state, "job \(id) has ended: there is nothing to cancel")
        }
        keep(number)
        cancel(number)
        return value(of: number)
    }

    // MARK: The work's side

    private func start(
        _ command: String, of plugin: String, for origin: RequestOrigin, _ work: @escaping Work
    ) throws(ControlError) -> UInt64 {
        let places = SharedPlaces(
            Self.mostRunning, taken: entries.values.lazy.filter { !$0.job.isOver }.map(\.origin))
        guard places.hasRoom(for: origin) else {
            throw ControlError(.busy, "\(places.most(for: origin)) commands of plugins run: try again later")
        }
        last += 1
        let number = last
        entries[number] = Entry(
            job: Job(plugin: plugin, command: command, at: clock.monotonic(), date: clock.realtime()), origin: origin)
        entries[number]?.task = HostActor.task { [weak self] in
            let outcome: Job.Outcome
            do throws(ControlError) {
                outcome = .success(try await work { [weak self] in self?.report(number, $0, $1) })
            } catch {
                outcome = .failure(error)
            }
            self?.end(number, outcome)
        }
        return number
    }

    private func report(_ number: UInt64, _ fraction: Double, _ text: String) {
        guard entries[number]?.job.isOver == false else { return }
        entries[number]?.job.report(fraction, text)
        guard let entry = entries[number], entry.isKept, entry.telling == nil else { return }
        let wait = entry.lastTold.map { $0 + Self.tellsEvery - clock.monotonic() } ?? .zero
        guard wait > .zero else { return tellProgress(number) }
        entries[number]?.telling = clock.schedule(after: wait) { [weak self] in self?.tellProgress(number) }
    }

    private func tellProgress(_ number: UInt64) {
        entries[number]?.telling = nil
        entries[number]?.lastTold = clock.monotonic()
        tell("job.progress", number)
    }

    private func end(_ number: UInt64, _ outcome: Job.Outcome) {
        guard var entry = entries[number] else { return }
        entry.job.end(outcome, at: clock.monotonic())
        ends += 1
        entry.end = ends
        entry.task = nil
        entry.telling?.cancel()
        entry.telling = nil
        let waiters = entry.waiters.values
        entry.waiters = [:]
        entries[number] = entry
        if entry.isKept {
            let ended = entries.filter { $0.value.isKept && $0.value.job.isOver }.sorted { $0.value.end < $1.value.end }
            for old in ended.dropLast(Self.mostEnded) { entries[old.key] = nil }
            tell("job.ended", number)
        }
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.continuation.resume()
        }
    }

    private func cancel(_ number: UInt64) {
        guard entries[number]?.job.cancel() == true else { return }
        entries[number]?.task?.cancel()
    }

    private func tell(_ name: String, _ number: UInt64) {
        guard let job = entries[number]?.job else { return }
        events.post(name, source: job.plugin, .map(job.brief(text(of: number), at: clock.monotonic())))
    }

    // MARK: Waiting

    /// Until it has ended, the time is over or the task is cancelled.
    private func wait(for number: UInt64, atMost limit: ClockTime?) async {
        guard entries[number]?.job.isOver == false, limit.map({ $0 > .zero }) ?? true else { return }
        lastWaiter += 1
        let waiter = lastWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The wake of who was cancelled before may have come, and found nobody here.
                guard !Task.isCancelled else { return continuation.resume() }
                let timer = limit.map { clock.schedule(after: $0) { [weak self] in self?.wake(waiter, of: number) } }
                entries[number]?.waiters[waiter] = Waiter(continuation: continuation, timer: timer)
            }
        } onCancel: {
            HostActor.enqueue { [weak self] in self?.wake(waiter, of: number) }
        }
    }

    private func wake(_ waiter: UInt64, of number: UInt64) {
        guard let found = entries[number]?.waiters.removeValue(forKey: waiter) else { return }
        found.timer?.cancel()
        found.continuation.resume()
    }

    // MARK: Names

    /// Numbers begin anew with each start of the host, so what an id names is told from what it named before.
    private func text(of number: UInt64) -> String {
        StreamPosition(boot: events.bootID, sequence: number).text
    }

    private func number(of id: String) throws(ControlError) -> UInt64 {
        guard let place = StreamPosition(id) else {
            throw ControlError(.invalid, "\(quoted(id)) is not the id of a job, as in \(text(of: 1))", field: "job")
        }
        guard place.boot == events.bootID, entries[place.sequence] != nil else { throw unknown(id) }
        return place.sequence
    }

    private func unknown(_ id: String) -> ControlError {
        ControlError(
            .notFound,
            "there is no job \(id): the host has started anew since, or it is older than the last \(Self.mostEnded) that ended",
            field: "job")
    }
}
