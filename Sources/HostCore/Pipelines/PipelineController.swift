public import GStreamerKit

/// Owns one pipeline of the config through all its builds: performs what its state machine decides.
///
/// Slow steps (building, state changes) run on workers; everything else on the control thread. Each build has a number, and
/// what an old build still reports is ignored.
@HostActor
public final class PipelineController {
    /// What the controller tells its owner.
    public enum Notice: Sendable {
        case stateChanged
        /// The first buffer of this build reached a sink.
        case firstBuffer(element: String, after: ClockTime)
        case warning(String)
    }

    public let description: PipelineDescription
    public let mediaTime = MediaTime()
    let clock: any HostClock
    /// In order: a change to NULL must never overtake the one to PLAYING.
    private let worker: SerialWorker
    private let limits: Limits
    private let onNotice: @HostActor (PipelineController, Notice) -> Void

    /// How long things may take before they are called stuck.
    public struct Limits: Sendable {
        /// For EOS to reach every sink: x264enc needs up to 1 s (FACTS).
        public var drain = ClockTime.seconds(3)
        /// For the way to PAUSED: a source that delivers nothing never gets there.
        public var pause = ClockTime.seconds(3)
        /// For the change to NULL, which can hang for ever on a stuck device.
        public var close = ClockTime.seconds(5)
        public init() {}
    }

    private var machine = PipelineStateMachine()
    private var build: PipelineBuild?
    private var buildNumber = 0
    private var taps: [Tap] = []
    private var deadline: HostTimer?
    private var waiters: [@HostActor () -> Void] = []
    private var announced = "stopped"
    /// When it came into its present state.
    public private(set) var since: ClockTime
    public private(set) var hasFirstBuffer = false

    public init(
        _ description: PipelineDescription, clock: any HostClock, workers: WorkerPool, limits: Limits = Limits(),
        onNotice: @escaping @HostActor (PipelineController, Notice) -> Void
    ) {
        self.description = description
        self.clock = clock
        worker = SerialWorker(workers)
        self.limits = limits
        self.onNotice = onNotice
        since = clock.monotonic()
    }

    public var name: String { description.name }
    var state: PipelineStateMachine.State { machine.state }

    /// The field's word for what it is doing.
    public var stateName: String {
        switch machine.state {
        case .stopped: "stopped"
        case .building, .changing(.playing), .changing(.stopped): "starting"
        case .changing(.paused): "pausing"
        case .playing: "playing"
        case .paused: "paused"
        case .draining, .closing: "stopping"
        case .finished: "finished"
        case .failed: "failed"
        }
    }

    /// Why it does not run.
    public var failure: PipelineFailure? {
        if case .failed(let failure) = machine.state { failure } else { nil }
    }

    public var hasEnded: Bool {
        switch machine.state {
        case .finished, .failed: true
        default: false
        }
    }

    /// Nothing is under way.
    public var isAtRest: Bool { machine.isAtRest }

    public func play() { feed(.target(.playing)) }
    public func pause() {
        feed(.target(.paused))
        // The change to PLAYING that it is still in may never end.
        if case .changing = machine.state { armPause() }
    }
    public func stop() { feed(.target(.stopped)) }

    /// Calls `done` when nothing is under way any more.
    public func whenAtRest(_ done: @escaping @HostActor () -> Void) {
        if machine.isAtRest { done() } else { waiters.append(done) }
    }

    /// Adds a listener at `element.pad`; it stays over every build.
    public func attach(_ client: any TapClient, at pad: ElementPad) throws(PipelineFailure) -> Tap {
        try checkElement(pad)
        let tap = Tap(pad: pad, client: client, mediaTime: mediaTime, clock: clock)
        if let build { try build.attach(tap) }
        taps.append(tap)
        return tap
    }

    /// Ends a tap; its client's `detached` follows when no call can come any more. Twice is harmless.
    public func detach(_ tap: Tap) {
        guard let index = taps.firstIndex(where: { $0 === tap }) else { return }
        taps.remove(at: index)
        build?.forget(tap)
        tap.end()
    }

    // MARK: - Performing

    private func feed(_ event: PipelineStateMachine.Event) {
        for action in machine.handle(event) { perform(action) }
        guard machine.isAtRest else { return }
        let done = waiters
        waiters = []
        for waiter in done { waiter() }
    }

    /// An event of a build; stale ones are dropped.
    private func feed(_ event: PipelineStateMachine.Event, from number: Int) {
        if number == buildNumber { feed(event) }
    }

    private func perform(_ action: PipelineStateMachine.Action) {
        switch action {
        case .build: startBuild()
        case .set(let target): change(to: target)
        case .sendEndOfStream: drain()
        case .close: close()
        case .announce:
            // Several inner states bear one name; users are told of names.
            guard stateName != announced else { return }
            announced = stateName
            since = clock.monotonic()
            onNotice(self, .stateChanged)
        case .warn(let text): onNotice(self, .warning(text))
        }
    }

    private func startBuild() {
        buildNumber += 1
        let number = buildNumber
        let begin = clock.monotonic()
        hasFirstBuffer = false
        worker.submit { [description, weak self] in
            let result = Result { () throws(PipelineFailure) in try PipelineBuilder.build(description) }
            HostActor.enqueue {
                guard let self, self.buildNumber == number else { return }
                self.adopt(result, number: number, begin: begin)
            }
        }
    }

    private func adopt(_ result: Result<Pipeline, PipelineFailure>, number: Int, begin: ClockTime) {
        var made: PipelineBuild?
        do throws(PipelineFailure) {
            let pipeline = try result.get()
            let build = PipelineBuild(pipeline)
            made = build
            let warmUp = try WarmUpPlan.make(for: description, pipeline)
            if let warmUp { build.hold(WarmUpGate.install(on: warmUp.pad, frames: warmUp.frames)) }
            mediaTime.beginEpoch()
            for tap in taps { try build.attach(tap) }
            build.onFirstBuffer { [weak self, clock] element in
                let now = clock.monotonic()
                HostActor.enqueue {
                    guard let self, self.buildNumber == number, !self.hasFirstBuffer else { return }
                    self.hasFirstBuffer = true
                    self.onNotice(self, .firstBuffer(element: element, after: now - begin))
                }
            }
            build.watch { [weak self] message in self?.receive(message, from: number) }
            self.build = build
            feed(.built)
        } catch {
            made?.letGo()
            feed(.buildFailed(error))
        }
    }

    private func receive(_ message: BusMessage, from number: Int) {
        switch message {
        case .endOfStream: feed(.endOfStream, from: number)
        case .error(let report): feed(.error(PipelineFailure(report)), from: number)
        case .warning(let report): onNotice(self, .warning("\(report.element): \(report.explanation)"))
        case .stateChanged(_, let new, nil):
            if new == .playing { feed(.reached(.playing), from: number) }
            if new == .paused { feed(.reached(.paused), from: number) }
        case .latencyChanged:
            guard let pipeline = build?.pipeline else { return }
            worker.submit { pipeline.recalculateLatency() }
        case .mark(let name):
            for target in [PipelineStateMachine.Target.playing, .paused] where name == Self.refusal(of: target) {
                let text = "the pipeline refused to go to \(target); no element said why"
                feed(.error(PipelineFailure(code: "state-change", message: text)), from: number)
            }
        case .stateChanged, .asyncDone, .clockLost, .other: break
        }
    }

    private func change(to target: PipelineStateMachine.Target) {
        guard let pipeline = build?.pipeline else { return }
        if target == .playing { mediaTime.endPause() } else { armPause() }
        worker.submit {
            // On the bus, behind the element's own error: told directly it could overtake it, and hide why.
            if pipeline.setState(target == .playing ? .playing : .paused) == .failure {
                pipeline.bus.postMark(Self.refusal(of: target))
            }
        }
    }

    private nonisolated static func refusal(of target: PipelineStateMachine.Target) -> String { "refused-\(target)" }

    private func drain() {
        guard let pipeline = build?.pipeline else { return }
        let number = buildNumber
        worker.submit { pipeline.sendEndOfStream() }
        arm(limits.drain) { [weak self] in self?.feed(.drainDeadline, from: number) }
    }

    private func close() {
        guard let build else { return feed(.closed) }
        let number = buildNumber
        self.build = nil
        build.unwatch()
        arm(limits.close) { [weak self] in self?.feed(.closeDeadline, from: number) }
        worker.submit { [weak self] in
            build.pipeline.setState(.null)
            HostActor.enqueue {
                build.letGo()
                self?.deadline?.cancel()
                self?.feed(.closed, from: number)
            }
        }
    }

    private func armPause() {
        let number = buildNumber
        arm(limits.pause) { [weak self] in self?.feed(.pauseDeadline, from: number) }
    }

    private func arm(_ delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void) {
        deadline?.cancel()
        deadline = clock.schedule(after: delay, action)
    }

    private func checkElement(_ pad: ElementPad) throws(PipelineFailure) {
        let names = description.elementNames
        guard !names.contains(pad.element) else { return }
        let hint = Suggestion.nearest(to: pad.element, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw PipelineFailure(
            code: "no-such-element", element: pad.element,
            message:
                "pipeline \(name) has no element \"\(pad.element)\"\(hint) (it has \(names.joined(separator: ", ")))")
    }
}

extension PipelineFailure {
    init(_ report: BusMessage.ElementReport) {
        self.init(code: "element-error", element: report.element, message: report.explanation, debug: report.debug)
    }
}
