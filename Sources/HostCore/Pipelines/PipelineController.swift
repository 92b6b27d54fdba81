public import GStreamerKit

/// Owns one pipeline of the config through all its builds: performs what its state machine decides.
///
/// Slow steps (building, state changes) run on workers; everything else on the control thread. Each build has a number, and
/// what an old build still reports is ignored.
@HostActor
public final class PipelineController {
    /// What the controller tells its owner.
    public enum Notice: Sendable {
        /// What it is now; it may have moved on before this is told.
        case stateChanged(PipelineCondition, PipelineReason)
        /// There is a new build; nothing of it flows yet.
        case built(Pipeline)
        /// The build is about to go, and may still be playing.
        case releasing(Pipeline)
        /// The first buffer of this build, or after a resume of the host, reached a sink.
        case firstBuffer(element: String, after: ClockTime)
        case warning(String)
        /// It presents pictures again, or none; the sinks that show them.
        case modeChanged(MediaMode, sinks: [String])
        /// It has finished or failed, and nothing of it is under way any more.
        case ended
    }

    public internal(set) var description: PipelineDescription
    public let mediaTime = MediaTime()
    let clock: any HostClock
    let workers: WorkerPool
    /// In order: a change to NULL must never overtake the one to PLAYING. A worker that hangs is replaced.
    var worker: SerialWorker
    let limits: Limits
    let onNotice: @HostActor (PipelineController, Notice) -> Void

    /// How long things may take before they are called stuck.
    public struct Limits: Sendable {
        /// For EOS to reach every sink: x264enc needs up to 1 s (FACTS).
        public var drain = ClockTime.seconds(3)
        /// For the way to PAUSED: a source that delivers nothing never gets there.
        public var pause = ClockTime.seconds(3)
        /// For the change to NULL, which can hang for ever on a stuck device; and for a build that nobody wants any more.
        public var close = ClockTime.seconds(5)
        /// For the first of everything it carries after a seek: an accurate one decodes from the key frame before. And for who has
        /// it play, which may never come about. Clients wait longer.
        public var arrival = ClockTime.seconds(20)
        public init() {}
    }

    var machine: PipelineStateMachine
    var build: PipelineBuild?
    /// On its way to NULL.
    var leaving: PipelineBuild?
    /// Where what comes after that goes on. - Thread: worker.
    var leavingPlace: (@Sendable () -> PlaybackPlace?)?
    /// A build that was given up, and is asked where it was: the next one does not begin before.
    var placeIsOwedBy: Int?
    /// What is built, and waits for that.
    var awaitingPlace: [@HostActor () -> Void] = []
    /// Since when its worker hangs in one of its sinks: no change of its state comes about before that is over.
    var stuckSince: ClockTime?
    /// Has its sources come to their end, once, however often it is called.
    var sendEnd: (@Sendable () -> Void)?
    /// Begins the next round of a loop, in the same way.
    var nextRound: (@Sendable () -> Void)?
    /// All of it is over but what hangs, which is looked at once more in a moment.
    var isAboutToEnd = false
    private(set) var buildNumber = 0
    /// They stay over every build.
    var taps: [Tap] = []
    var missedTaps: [MissedTap] = []
    /// Of the step under way: a pause, a drain, a close, a wait.
    var deadline: HostTimer?
    /// From the build to the first buffers.
    var startTimer: HostTimer?
    /// Whether it was told to pause while it was being built: its way there has the limit of a pause.
    var pauseIsAwaited = false
    /// When the last start was, or is, late.
    var startDue: ClockTime?
    /// When the state machine came into its present state.
    private(set) var stepBegan: ClockTime
    /// What was set while it ran; later builds get it, too.
    var overrides: [PropertySetting] = []
    /// In which order that was.
    var sets = PropertySets()
    /// Of what may be set and was, in the last build in which it was.
    var turns: [PropertyPath: PropertyTurns] = [:]
    /// Whether it records the world as it goes by, as this build or an earlier one of the same description shows.
    var isCapture = false
    /// What its user wants to see and hear; the lifecycle may make less of it.
    var wantedMedia = MediaMode.video
    /// Where the next build begins, or the present one began; nil: where its media do.
    var place: PlaybackPlace?
    /// Whether it was stopped only for a while.
    var keepsPlace = false
    /// Whether it is to play from the beginning of its media, wherever the build that goes is.
    var forgetsPlace = false
    var snapshotPlaces = SharedPlaces(mostSnapshots)
    private(set) lazy var keptEncoder = KeptEncoder(clock: clock, workers: workers)
    /// Those who wait for something of the build are told when it goes.
    var onRelease: [Int: @HostActor () -> Void] = [:]
    var pictureWaits = 0
    /// Builds that hang, by number.
    var abandoned: Set<Int> = []
    /// When it tries again, on CLOCK_MONOTONIC, where it waits for that.
    var nextAttempt: ClockTime?
    var waiters: [RestWaiter] = []
    var waiterNumber = 0
    /// Decided, and not performed yet.
    private var pending: [PipelineStateMachine.Action] = []
    private var isPerforming = false
    /// Whether somebody waits for it to be at rest, so that the way there has its limits.
    var isAwaited: Bool { pauseIsAwaited || waiters.contains { !$0.isPatient } }
    private var announced = PipelineCondition.stopped
    /// When it came into its present condition.
    public private(set) var since: ClockTime
    public internal(set) var hasFirstBuffer = false
    /// From when on it is waited for.
    var firstBufferDue = ClockTime.zero
    /// Which one of the build is waited for.
    var firstBufferRound = 0
    /// Of the present build.
    var quality = QualityCounters()
    /// Of all builds.
    var numbers = PipelineNumbers()
    /// With pictures or without.
    private(set) lazy var modes = MediaModeSwitch(clock: clock, workers: workers) { [weak self] in self?.follow($0) }

    public init(
        _ description: PipelineDescription, clock: any HostClock, workers: WorkerPool, limits: Limits = Limits(),
        onNotice: @escaping @HostActor (PipelineController, Notice) -> Void
    ) {
        self.description = description
        self.clock = clock
        self.workers = workers
        worker = SerialWorker(workers)
        self.limits = limits
        self.onNotice = onNotice
        machine = PipelineStateMachine(rules: description.rules)
        since = clock.monotonic()
        stepBegan = since
    }

    public var name: String { description.name }
    var state: PipelineStateMachine.State { machine.state }

    /// Why it does not run.
    public var failure: PipelineFailure? {
        switch machine.state {
        case .failed(let failure), .closing(.failed(let failure)): failure
        default: nil
        }
    }

    /// It will not run again by itself.
    public var hasEnded: Bool { machine.hasEnded }

    /// Nothing is under way.
    public var isAtRest: Bool { machine.isAtRest }

    /// Takes over a description that builds the same pipeline: only how it is looked after changes.
    public func adopt(_ description: PipelineDescription) {
        self.description = description
        machine.rules = description.rules
        build?.flow.setTimeout(description.stallTimeout)
    }

    // MARK: - Performing

    func feed(_ event: PipelineStateMachine.Event) {
        let hadEnded = machine.hasEnded
        let previous = machine.state
        let now = clock.monotonic()
        if case .changing = previous { machine.hasBegunToWrite = build?.hasBegunToWrite ?? false }
        let actions = machine.handle(event, now: now)
        if machine.state != previous { stepBegan = now }
        pending += actions
        // What comes of performing one is performed behind it: a stop must not overtake the pause that it came of.
        guard !isPerforming else { return }
        isPerforming = true
        while !pending.isEmpty { perform(pending.removeFirst()) }
        isPerforming = false
        tellWaiters(after: previous)
        if machine.hasEnded, !hadEnded { onNotice(self, .ended) }
    }

    /// An event of a build; stale ones are dropped.
    func feed(_ event: PipelineStateMachine.Event, from number: Int) {
        if number == buildNumber { feed(event) }
    }

    private func perform(_ action: PipelineStateMachine.Action) {
        switch action {
        case .build: startBuild()
        case .set(let target): change(to: target)
        case .chooseClock: chooseClock()
        case .begin: begin()
        case .loop: loop()
        case .sendEndOfStream: drain()
        case .pushEndOfStream: pushEndOfStream()
        case .close: close()
        case .abandon: abandon()
        case .wait(let retry): wait(for: retry)
        case .coolDown(let span):
            nextAttempt = clock.monotonic() + span
            arm(span) { [weak self] in self?.feed(.coolDownOver) }
        case .announce(let condition, let reason):
            if condition != announced { since = clock.monotonic() }
            announced = condition
            onNotice(self, .stateChanged(condition, reason))
        case .warn(let text): onNotice(self, .warning(text))
        case .late(let text): tellLate(text)
        }
    }

    private func tellLate(_ text: String) {
        numbers.lateSteps += 1
        onNotice(self, .warning(text))
    }

    private func startBuild() {
        buildNumber += 1
        nextAttempt = nil
        let number = buildNumber
        (hasFirstBuffer, firstBufferDue, firstBufferRound) = (false, clock.monotonic(), 0)
        (keepsPlace, forgetsPlace, isAboutToEnd) = (false, false, false)
        (pauseIsAwaited, stuckSince) = (false, nil)
        quality = QualityCounters()
        numbers.beginBuild(of: description)
        armStart(number)
        if isAwaited { armBuild() }
        var description = description
        description.properties += overrides
        worker.submit { [description, weak self] in
            let result = Result { () throws(PipelineFailure) in try PipelineBuilder.build(description) }
            HostActor.enqueue {
                self?.whenPlaceIsSettled {
                    guard let self, !self.release(number) else { return }
                    guard self.buildNumber == number, self.machine.state == .building else { return }
                    self.adopt(result, number: number)
                }
            }
        }
    }

    private func adopt(_ result: Result<Pipeline, PipelineFailure>, number: Int) {
        var made: PipelineBuild?
        do throws(PipelineFailure) {
            let pipeline = try result.get()
            let flow = FlowWatch(clock: clock, timeout: description.stallTimeout) { [weak self] health in
                self?.follow(health, from: number)
            }
            flow.onChange = { [weak self] in self?.endBesideWhatHangs() }
            let build = PipelineBuild(pipeline, flow: flow)
            pipeline.bus.count(build.threads)
            made = build
            // Also where it never gets that far: a camera that is not there yet will be.
            if CaptureDevices.areIn(pipeline) { isCapture = true }
            let warmUp = try WarmUpPlan.make(for: description, pipeline)
            if let warmUp { for gate in WarmUpGate.install(warmUp) { build.hold(gate) } }
            mediaTime.beginEpoch()
            modes.prepare(pipeline)
            build.hasYetToSeek = description.onEOS == .loop || place != nil
            if place != nil { build.cover() }
            attachTaps(to: build)
            build.watchSinks { [weak self, clock] element, round in
                let now = clock.monotonic()
                HostActor.enqueue { self?.sawFirstBuffer(at: element, now, round, from: number) }
            }
            build.watch { [weak self] message in self?.receive(message, from: number) }
            self.build = build
            forgetsPlace = false
            onNotice(self, .built(pipeline))
            feed(.built(isElsewhere: place != nil))
        } catch {
            made?.letGo()
            feed(.buildFailed(error))
        }
    }

    private func sawFirstBuffer(at element: String, _ time: ClockTime, _ round: Int, from number: Int) {
        guard buildNumber == number, firstBufferRound == round, !hasFirstBuffer else { return }
        hasFirstBuffer = true
        onNotice(self, .firstBuffer(element: element, after: time - firstBufferDue))
    }

    private func follow(_ health: FlowHealth, from number: Int) {
        switch health {
        case .starting: break
        case .flowing, .degraded, .stalled: startTimer?.cancel()
        }
        feed(.health(health), from: number)
    }

    private func follow(_ notice: MediaModeSwitch.Notice) {
        switch notice {
        case .changed(let mode, let sinks): onNotice(self, .modeChanged(mode, sinks: sinks))
        case .shows, .rests: build?.flow.excuse()
        case .late(let text): tellLate(text)
        case .hangs(let since):
            stuckSince = since
            // They may wait behind what hangs.
            if since != nil {
                if let sendEnd {
                    sendEnd()
                    // Where it waited, it is on its way only now.
                    if machine.state == .draining { armDrain(of: buildNumber) }
                }
                if let nextRound { workers.submit(nextRound) }
            }
            endBesideWhatHangs()
        case .isOver: endBesideWhatHangs()
        }
    }
}
