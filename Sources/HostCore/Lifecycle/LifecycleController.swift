public import GStreamerKit

/// Somebody who is told of the lifecycle and answers: a plugin instance.
@HostActor
public protocol LifecycleParticipant: AnyObject {
    var name: String { get }
    /// The longest an answer may take.
    var acknowledgeWithin: ClockTime { get }
    /// Tells a change. `token` is nil where no answer is expected; else the answer comes by
    /// `LifecycleController.acknowledge`.
    func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?)
}

/// Pipelines as the lifecycle sees them.
@HostActor
public protocol LifecyclePipelines: AnyObject {
    /// Brings each pipeline to its background mode (stopped, where the host shuts down), then calls `done`.
    func quiet(_ state: DesiredState, done: @escaping @HostActor () -> Void)
    /// Starts what was running before; `done` when all were started.
    func restore(done: @escaping @HostActor () -> Void)
}

/// Performs what the lifecycle machine decides: asks, waits no longer than each deadline, names the late.
@HostActor
public final class LifecycleController {
    private var machine = LifecycleStateMachine()
    private let clock: any HostClock
    private let events: EventHub
    private let log: Log
    private weak var pipelines: (any LifecyclePipelines)?
    private var participants: [any LifecycleParticipant] = []
    private var barrier: PauseBarrier<UInt64>?
    private var asked: [UInt64: any LifecycleParticipant] = [:]
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
    public func add(_ participant: any LifecycleParticipant) { participants.append(participant) }

    /// Adds one that comes while the host runs; where it is quiet already, it is told so.
    public func welcome(_ participant: any LifecycleParticipant) {
        add(participant)
        guard machine.state == .paused else { return }
        participant.lifecycle(.didPause, state: machine.told, token: nil, deadline: nil)
    }

    /// Tells and asks in this order of names from the next change on.
    public func arrange(by names: [String]) {
        func place(_ participant: any LifecycleParticipant) -> Int {
            names.firstIndex(of: participant.name) ?? names.count
        }
        participants.sort { place($0) < place($1) }
    }

    /// Forgets a participant, and waits for it no longer.
    public func remove(_ participant: any LifecycleParticipant) {
        participants.removeAll { $0 === participant }
        for (token, waiting) in asked where waiting === participant {
            if barrier?.giveUp(token) == true { proceedIfOver() }
        }
    }

    public var desired: DesiredState { machine.desired }

    /// "running", "pausing", "paused", "resuming".
    public var stateName: String {
        switch machine.state {
        case .running: "running"
        case .asking(.willResume), .resuming: "resuming"
        case .asking, .pausing: "pausing"
        case .paused: "paused"
        }
    }

    /// Adds and removes reasons to be quiet.
    public func change(adding: DesiredState = [], removing: DesiredState = []) {
        feed(.desired(machine.desired.union(adding).subtracting(removing)))
    }

    /// Calls `done` when the desired state is reached and everybody was told.
    public func whenSettled(_ done: @escaping @HostActor () -> Void) {
        if machine.isSettled { done() } else { waiters.append(done) }
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

    private func feed(_ event: LifecycleStateMachine.Event) {
        for action in machine.handle(event) { perform(action) }
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
            for participant in participants { participant.lifecycle(change, state: state, token: nil, deadline: nil) }
        case .quietPipelines:
            guard let pipelines else { return feed(.pipelinesDone) }
            pipelines.quiet(machine.told) { [weak self] in self?.feed(.pipelinesDone) }
        case .startPipelines:
            guard let pipelines else { return feed(.pipelinesDone) }
            pipelines.restore { [weak self] in self?.feed(.pipelinesDone) }
        }
    }

    private func ask(_ change: LifecycleChange, _ state: DesiredState) {
        announce(change, state)
        asked = [:]
        for participant in participants {
            asked[nextToken] = participant
            nextToken += 1
        }
        barrier = PauseBarrier(asking: asked.keys)
        let now = clock.monotonic()
        for token in asked.keys.sorted() {
            guard let participant = asked[token] else { continue }
            let within = participant.acknowledgeWithin
            timers.append(clock.schedule(after: within) { [weak self] in self?.giveUp(token, after: within) })
            participant.lifecycle(change, state: state, token: token, deadline: now + within)
        }
        proceedIfOver()
    }

    private func giveUp(_ token: UInt64, after within: ClockTime) {
        guard barrier?.giveUp(token) == true, let name = asked[token]?.name else { return }
        stragglers[name, default: 0] += 1
        log.warning(
            "plugin \(name) did not acknowledge within \(within.nanoseconds / 1_000_000) ms; going on without it")
        proceedIfOver()
    }

    private func proceedIfOver() {
        guard let barrier, barrier.isOver else { return }
        self.barrier = nil
        asked = [:]
        for timer in timers { timer.cancel() }
        timers = []
        feed(.answered)
    }

    private func announce(_ change: LifecycleChange, _ state: DesiredState) {
        events.post(change.eventName, source: "host", ["state": .list(state.names.map { .string($0) })])
    }
}
