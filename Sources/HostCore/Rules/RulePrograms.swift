internal import GStreamerKit

/// The programs that rules run: so many at once, none for ever, none left when the host ends.
@HostActor
final class RulePrograms {
    /// More at once are a storm, not work.
    nonisolated static let most = 8
    /// From the request to end to the kill.
    nonisolated static let grace = ClockTime.seconds(1)
    /// From the kill to where one that the kernel does not let go is left to itself.
    nonisolated static let patience = ClockTime.seconds(5)
    /// How long what runs when the host ends may go on by itself.
    nonisolated static let lastWait = ClockTime.seconds(2)

    private let clock: any HostClock
    private let workers: WorkerPool
    private var running: [UInt64: RuleProcess] = [:]
    private var last: UInt64 = 0
    private var waiter: (@HostActor () -> Void)?

    init(clock: any HostClock, workers: WorkerPool) {
        self.clock = clock
        self.workers = workers
    }

    var count: Int { running.count }

    /// Runs a program to its end.
    /// - Throws: where it cannot be run, is ended for being late, or ends with another code than 0.
    func run(_ request: RuleProcess.Request, timeout: ClockTime) async throws(RuleFailure) {
        guard running.count < Self.most else {
            var busy = RuleFailure("\(running.count) programs of rules run already")
            busy.isBusy = true
            throw busy
        }
        // Its place is taken before anything is waited for: others may ask meanwhile.
        last += 1
        let id = last
        let process = RuleProcess()
        running[id] = process
        let (ending, isLate) = await end(of: process, id, request, timeout: timeout)
        let words = ending.lastLine.map { ": \($0)" } ?? ""
        var failure: RuleFailure
        switch (ending.how, isLate) {
        case (.exited(0), false): return
        case (.notStarted(let reason), _): failure = RuleFailure("cannot be run: \(reason)")
        case (_, true):
            failure = RuleFailure(
                "took longer than \(Quantity.durationText(timeout.nanoseconds)) and was ended\(words)")
        case (.exited(let code), false):
            failure = RuleFailure("ended with exit code \(code)\(words)")
            failure.exitCode = code
        case (.signalled(let number), false): failure = RuleFailure("was ended by signal \(number)\(words)")
        }
        failure.lastLine = ending.lastLine
        throw failure
    }

    private func end(
        of process: RuleProcess, _ id: UInt64, _ request: RuleProcess.Request, timeout: ClockTime
    ) async -> (RuleProcess.Ending, isLate: Bool) {
        let alarm = RuleAlarm(process, clock: clock, timeout: timeout)
        let ending = await withCheckedContinuation { (continuation: CheckedContinuation<RuleProcess.Ending, Never>) in
            workers.submit {
                let ending = process.run(request)
                HostActor.enqueue { continuation.resume(returning: ending) }
            }
        }
        alarm.cancel()
        running[id] = nil
        if running.isEmpty, let waiter {
            self.waiter = nil
            waiter()
        }
        return (ending, alarm.hasRung)
    }

    /// Calls `done` when none is left: at once, or when those that run have ended by themselves, were asked to, or killed.
    func endAll(_ done: @escaping @HostActor () -> Void) {
        guard !running.isEmpty else { return done() }
        let ring: @HostActor @Sendable () -> Void = { [weak self] in
            for process in self?.running.values ?? [:].values { process.ring() }
        }
        let timers = [
            clock.schedule(after: Self.lastWait, ring), clock.schedule(after: Self.lastWait + Self.grace, ring),
            // One that the kernel does not let go is left.
            clock.schedule(after: Self.lastWait + Self.grace + Self.patience) { [weak self] in
                guard let waiter = self?.waiter else { return }
                self?.waiter = nil
                waiter()
            },
        ]
        waiter = {
            for timer in timers { timer.cancel() }
            done()
        }
    }
}
