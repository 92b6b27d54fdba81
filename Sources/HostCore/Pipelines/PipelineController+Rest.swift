internal import GStreamerKit

/// Who waits for a pipeline to be at rest.
extension PipelineController {
    /// Calls `done` when nothing is under way any more.
    public func whenAtRest(_ done: @escaping @HostActor () -> Void) {
        if machine.isAtRest { done() } else { add(nil, isPatient: false) { _ in done() } }
    }

    /// The same, but not for longer than `limit`, nor over an attempt to play that fails.
    /// - Parameter isPatient: whether the way there may take as long as it does.
    func whenAtRest(
        within limit: ClockTime, isPatient: Bool = false, _ done: @escaping @HostActor (RestWaiter.Outcome) -> Void
    ) {
        if machine.isAtRest { return done(.atRest) }
        let number = waiterNumber + 1
        let timer = clock.schedule(after: limit) { [weak self] in self?.tell(.late) { $0.number == number } }
        add(timer, isPatient: isPatient, done)
    }

    /// Returns when it plays, or is at rest otherwise, because it ended or somebody wanted something else of it.
    /// - Throws: `failed` or `timeout` where it does not come to that; it goes on all the same.
    func comesToPlay() async throws(ControlError) {
        let limit = limits.arrival
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<RestWaiter.Outcome, Never>) in
            whenAtRest(within: limit, isPatient: true) { continuation.resume(returning: $0) }
        }
        let now = "pipeline \(name) is \(condition.rawValue)"
        switch outcome {
        case .atRest:
            // One that a reload has in hand, or that was stopped, is as it was.
            guard let failure, isToRun else { return }
            let next = hasEnded ? "" : "; it is tried again later"
            throw ControlError(.failed, "\(now): \(failure.reason.text)\(next)")
        case .attemptFailed: throw ControlError(.failed, "\(now): \(reason.text); it is tried again")
        // Its start is given as much time, and it may be on its way down by now.
        case .late where failure != nil:
            throw ControlError(.failed, "\(now): \(reason.text)")
        case .late:
            let next = condition == .recovering ? "it is tried again" : "it plays when its media come"
            throw ControlError(
                .timeout,
                "\(now), and does not play after \(Quantity.durationText(limit.nanoseconds)): \(reason.text); \(next)")
        }
    }

    /// Behind each step.
    func tellWaiters(after previous: PipelineStateMachine.State) {
        // One after the other: the first may have it begin anew.
        while machine.isAtRest, !waiters.isEmpty { answer(waiters.removeFirst(), .atRest) }
        guard case .waiting(let retry) = machine.state, retry.failure != nil, machine.state != previous else { return }
        tell(.attemptFailed) { $0.timer != nil }
    }

    private func add(
        _ timer: HostTimer?, isPatient: Bool, _ done: @escaping @HostActor (RestWaiter.Outcome) -> Void
    ) {
        waiterNumber += 1
        waiters.append(RestWaiter(number: waiterNumber, timer: timer, isPatient: isPatient, done: done))
    }

    private func tell(_ outcome: RestWaiter.Outcome, where isMeant: (RestWaiter) -> Bool) {
        let told = waiters.filter(isMeant)
        waiters.removeAll(where: isMeant)
        for waiter in told { answer(waiter, outcome) }
    }

    private func answer(_ waiter: RestWaiter, _ outcome: RestWaiter.Outcome) {
        waiter.timer?.cancel()
        waiter.done(outcome)
    }
}
