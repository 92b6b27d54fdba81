internal import GStreamerKit

/// Performs what the lifecycle machine decides: asks, waits no longer than each deadline, names the late.
///
/// One thing is done at a time: what comes from inside a call of a plugin or of a pipeline waits until that is done.
@HostActor
public final class LifecycleController {
    private enum Work {
        case event(LifecycleStateMachine.Event)
        case join(any LifecycleParticipant)
    }

    private var machine = LifecycleStateMachine()
    private var triggers = LifecycleTriggers()
    private var roster = LifecycleRoster<ObjectIdentifier>()
    private var participants: [ObjectIdentifier: any LifecycleParticipant] = [:]
    private let clock: any HostClock
    private let events: EventHub
    private let log: Log
    private weak var pipelines: (any LifecyclePipelines)?
    private var work: [Work] = []
    private var isWorking = false
    private var barrier: PauseBarrier<UInt64>?
    private var asked: [UInt64: any LifecycleParticipant] = [:]
    /// When the last of those who are asked is late.
    private var roundEnd = ClockTime.zero
    private var timers: [HostTimer] = []
    private var nextToken: UInt64 = 1
    private var waiters: [@HostActor () -> Void] = []
    /// Missed deadlines since start, by name of the plugin.
    public private(set) var stragglers: [String: Int] = [:]
    /// Answers nobody waited for.
    public private(set) var ignoredAnswers = 0

    public init(clock: any HostClock, events: EventHub, log: Log) {
        self.clock = clock
        self.events = events
        self.log = log
    }

    public func connect(_ pipelines: any LifecyclePipelines) { self.pipelines = pipelines }

    /// Tells and asks from the next change on, in this order.
    public func add(_ participant: any LifecycleParticipant) {
        participants[ObjectIdentifier(participant)] = participant
        roster.add(ObjectIdentifier(participant))
    }

    /// Adds one that comes while the host runs, and tells it what holds: the pause that is under way, or over, included.
    public func welcome(_ participant: any LifecycleParticipant) {
        participants[ObjectIdentifier(participant)] = participant
        perform(.join(participant))
    }

    /// Tells and asks in this order of names from the next change on.
    public func arrange(by names: [String]) {
        roster.sort { member in
            participants[member].flatMap { names.firstIndex(of: $0.name) } ?? names.count
        }
    }

    /// Forgets a participant, and waits for it no longer.
    public func remove(_ participant: any LifecycleParticipant) {
        participants[ObjectIdentifier(participant)] = nil
        roster.remove(ObjectIdentifier(participant))
        for (token, waiting) in asked where waiting === participant { _ = barrier?.giveUp(token) }
        proceedIfOver()
    }

    /// What the host is to be; it may still be on its way there.
    public var desired: DesiredState { triggers.state }

    /// Those whose answer is waited for now.
    var awaited: [String] { asked.filter { barrier?.waiting.contains($0.key) == true }.map(\.value.name) }

    /// Who interrupts the host now.
    public var interrupters: [String] { triggers.interrupters }

    /// "running", "pausing", "paused", "resuming".
    public var stateName: String {
        switch machine.state {
        case .running, .adapting(isPaused: false): "running"
        case .asking(.willResume), .resuming: "resuming"
        case .asking, .pausing: "pausing"
        case .paused, .adapting(isPaused: true): "paused"
        }
    }

    /// Something has happened around the host.
    public func follow(_ trigger: LifecycleTrigger) {
        for notice in triggers.handle(trigger) { events.post(notice.eventName, source: "host", notice.payload) }
        perform(.event(.desired(triggers.state)))
    }

    /// Adds and removes bits of the desired state.
    public func change(adding: DesiredState = [], removing: DesiredState = []) {
        follow(.bits(adding: adding, removing: removing))
    }

    /// Calls `done` when the desired state is reached and everybody was told.
    public func whenSettled(_ done: @escaping @HostActor () -> Void) {
        if machine.isSettled, !isWorking { done() } else { waiters.append(done) }
    }

    /// An answer to a question. - Thread: main.
    public func acknowledge(_ token: UInt64, accepted: Bool) {
        guard barrier?.answer(token) == .accepted else {
            ignoredAnswers += 1
            return
        }
        if !accepted, let name = asked[token]?.name { log.warning("plugin \(name) refused; going on without it") }
        proceedIfOver()
    }

    // MARK: - Performing

    private func perform(_ next: Work) {
        work.append(next)
        guard !isWorking else { return }
        isWorking = true
        while !work.isEmpty {
            switch work.removeFirst() {
            case .event(let event): for action in machine.handle(event) { perform(action) }
            case .join(let participant): join(participant)
            }
        }
        isWorking = false
        guard machine.isSettled else { return }
        let done = waiters
        waiters = []
        for waiter in done { waiter() }
    }

    private func perform(_ action: LifecycleStateMachine.Action) {
        switch action {
        case .ask(let change, let state): ask(change, state)
        case .tell(let change, let state):
            announce(change, state)
            for member in roster.take(change) {
                participants[member]?.lifecycle(change, state: state, token: nil, deadline: nil)
            }
        case .follow(let state):
            guard let pipelines else { return perform(.event(.pipelinesDone)) }
            pipelines.follow(state) { [weak self] in self?.perform(.event(.pipelinesDone)) }
        }
    }

    private func join(_ participant: any LifecycleParticipant) {
        let member = ObjectIdentifier(participant)
        // It may have failed while it waited for its turn.
        guard participants[member] === participant else { return }
        switch roster.welcome(member, in: machine.state, told: machine.told) {
        case .nothing: break
        case .tell(let changes):
            for change in changes {
                participants[member]?.lifecycle(change, state: machine.told, token: nil, deadline: nil)
            }
        case .ask(let change):
            // It does not make the round longer, and where all have answered there is none.
            let within = min(participant.acknowledgeWithin, roundEnd - clock.monotonic())
            guard barrier != nil, within > .zero else {
                return participant.lifecycle(change, state: machine.told, token: nil, deadline: nil)
            }
            let token = token(for: participant)
            barrier?.ask(token)
            put(change, machine.told, token, within)
            arm(token, within)
        }
    }

    private func ask(_ change: LifecycleChange, _ state: DesiredState) {
        announce(change, state)
        let questions = roster.take(change).compactMap { participants[$0] }.map { (token(for: $0), $0) }
        barrier = PauseBarrier(asking: questions.map(\.0))
        for (token, participant) in questions { put(change, state, token, participant.acknowledgeWithin) }
        // Measured from when everybody was told: who comes after a slow one is not late for it.
        roundEnd = clock.monotonic() + (questions.map(\.1.acknowledgeWithin).max() ?? .zero)
        for (token, participant) in questions where barrier?.waiting.contains(token) == true {
            arm(token, participant.acknowledgeWithin)
        }
        proceedIfOver()
    }

    private func token(for participant: any LifecycleParticipant) -> UInt64 {
        defer { nextToken += 1 }
        asked[nextToken] = participant
        return nextToken
    }

    /// One may have gone while those before it were told.
    private func put(_ change: LifecycleChange, _ state: DesiredState, _ token: UInt64, _ within: ClockTime) {
        guard barrier?.waiting.contains(token) == true, let participant = asked[token] else { return }
        let begin = clock.monotonic()
        participant.lifecycle(change, state: state, token: token, deadline: begin + within)
        // An answer from inside a call that held all others up is no better than a late one.
        let took = clock.monotonic() - begin
        guard took > within else { return }
        _ = barrier?.giveUp(token)
        stragglers[participant.name, default: 0] += 1
        log.warning(
            "plugin \(participant.name) held the host up for \(took.nanoseconds / 1_000_000) ms when it was asked; it had "
                + "\(within.nanoseconds / 1_000_000) ms")
    }

    /// - Parameter isAgain: the process stood still the first time.
    private func arm(_ token: UInt64, _ within: ClockTime, isAgain: Bool = false) {
        let due = clock.monotonic() + within
        roundEnd = max(roundEnd, due)
        timers.append(
            clock.schedule(after: within) { [weak self] in
                guard let self else { return }
                // Who is asked stood still, too, and has its time from now on. Once: a sleep may wait for the round.
                let stoodStill = clock.monotonic() - due > FlowWatch.lateness
                if stoodStill, !isAgain { arm(token, within, isAgain: true) } else { giveUp(token, after: within) }
            })
    }

    private func giveUp(_ token: UInt64, after within: ClockTime) {
        // An answer that stands behind what kept the control thread until now is followed when its turn comes.
        guard let participant = asked[token], !participant.hasAnswered(token), barrier?.giveUp(token) == true else {
            return
        }
        stragglers[participant.name, default: 0] += 1
        log.warning(
            "plugin \(participant.name) did not acknowledge within \(within.nanoseconds / 1_000_000) ms; "
                + "going on without it")
        proceedIfOver()
    }

    /// While a round is being told it is not over: all who are asked are in it from its beginning.
    private func proceedIfOver() {
        guard let barrier, barrier.isOver else { return }
        self.barrier = nil
        asked = [:]
        for timer in timers { timer.cancel() }
        timers = []
        perform(.event(.answered))
    }

    private func announce(_ change: LifecycleChange, _ state: DesiredState) {
        events.post(change.eventName, source: "host", ["state": .list(state.names.map { .string($0) })])
    }
}
