internal import GStreamerKit
internal import Glibc

/// The process: one config, its pipelines, its plugins, the lifecycle and the control API.
///
/// ```
///   start ──▶ running ──shutDown──▶ (will-pause, pipelines stopped with EOS, plugins ended) ──▶ onExit
/// ```
@HostActor
public final class Host {
    /// How it ended; `ExitCode` is what the command line makes of it.
    public enum Ending: Sendable, Equatable {
        case asked
        /// A pipeline with `on-eos: exit` reached its end.
        case finished
        /// No pipeline is left that could run.
        case failed
    }

    public let pipelines: PipelineSet
    public let plugins: PluginSet
    public let events: EventHub
    public let lifecycle: LifecycleController
    let clock: any HostClock
    let log: Log
    let keptFiles: KeptFiles
    let workers = WorkerPool()
    let drawings = GraphDrawings()
    public private(set) lazy var jobs = JobTable(events: events, clock: clock)
    let timers: TimerService
    private(set) lazy var notifications = NotificationService(
        bus: notificationBus(), clock: clock, timers: timers, log: log)
    private(set) lazy var login = makeLogin()
    private(set) lazy var inputs = InputService(events: events, clock: clock, log: log)
    private(set) lazy var outputs = makeOutputs()
    private(set) lazy var rules = RuleService(self)
    private(set) lazy var propertyWatches = makePropertyWatches()
    /// Where it is reached, for the programs of rules.
    var controlSocket: String?
    private var wallClockWatch: HostTimer?
    /// Plugins of the config that it, or somebody, has disabled.
    var disabledPlugins: Set<String> = []
    /// How often the wall clock was set since the start: times of two epochs do not compare.
    var clockEpoch: Int64 = 0
    private(set) lazy var overrides = OverridesStore(workers: workers, clock: clock)
    /// What runs; a reload replaces it.
    var configuration: HostConfiguration
    /// Of it, and during a reload and after it of the one before or the one that was tried, too: it may still be spoken of.
    public private(set) var secrets = SecretMask()
    /// Where a reload reads it again; nil: it cannot.
    let source: ConfigurationSource?
    let gate: PluginGate
    /// What else comes into force with a reload, and what is wrong with it: warnings for whoever asked for the reload.
    var onReloaded: @HostActor () -> [Diagnostic] = { [] }
    private(set) lazy var restarts = PluginRestarts(self)
    private(set) lazy var reloader = Reloader(self)
    let started: ClockTime
    /// The same on the clock that goes on in suspend.
    let bootTimeAtStart: ClockTime
    private let onExit: @HostActor (Ending) -> Void
    private var ending: Ending?
    /// Writes down what GStreamer said before a pipeline failed; nil where there is no place for it.
    var recorder: FlightRecorder?

    /// Nothing runs before `start`, and no plugin that `gate` has not admitted.
    /// - Parameter keeper: the program that holds plugins' files where no service manager does; nil: none.
    public init(
        _ configuration: HostConfiguration, source: ConfigurationSource? = nil, clock: any HostClock = SystemClock(),
        log: Log, gate: PluginGate, keeper: String? = nil,
        onExit: @escaping @HostActor (Ending) -> Void
    ) {
        self.configuration = configuration
        self.source = source
        self.gate = gate
        self.clock = clock
        self.log = log
        self.onExit = onExit
        started = clock.monotonic()
        bootTimeAtStart = clock.boottime()
        timers = TimerService(clock: clock)
        events = EventHub(clock: clock)
        lifecycle = LifecycleController(clock: clock, events: events, log: log)
        keptFiles = KeptFiles(
            environment: source?.environment ?? [:], process: getpid(), program: keeper)
        plugins = PluginSet(
            gate: gate, clock: clock, workers: workers, log: log,
            stateRoot: source.flatMap { StateDirectory.path(environment: $0.environment) }, keptFiles: keptFiles)
        pipelines = PipelineSet([])
        pipelines.replaceAll(configuration.pipelines.map(makePipeline))
        lifecycle.connect(pipelines)
        plugins.onGone = { [weak self] name in self?.restarts.isGone(name) }
        plugins.onHeld = { [weak self] name in self?.restarts.isHeld(name) }
        hide(SecretMask())
    }

    /// The one that the config names.
    func notificationBus() -> any NotificationBus {
        DBusNotificationBus(BusAddress(of: configuration.notifications, source?.environment ?? [:]))
    }

    /// From now on nothing that leaves the host may show these, nor those of the config that holds.
    func hide(_ more: SecretMask) {
        secrets = configuration.secrets.merged(with: more)
        log.mask.set(secrets.mask)
    }

    /// A pipeline whose notices the host follows.
    func makePipeline(_ description: PipelineDescription) -> PipelineController {
        PipelineController(description, clock: clock, workers: workers) { [weak self] in self?.follow($0, $1) }
    }

    /// Opens the plugins and starts the pipelines. Problems come all at once; then nothing was started.
    public func start() -> [Diagnostic] {
        if let refusal = memoryRefusal() { return [refusal] }
        disabledPlugins = Set(configuration.plugins.filter { !$0.isEnabled }.map(\.name))
        var problems = plugins.load(configuration.enabledPlugins, names: configuration.knownNames, environment: self)
        if !problems.contains(where: { $0.severity == .error }) {
            do throws(PluginFailure) {
                try plugins.activateAll()
                // Commands are known from here on.
                problems += ruleProblems(configuration.rules, names: configuration.knownNames)
            } catch {
                problems.append(Diagnostic(.error, at: nil, error.message, help: error.help))
            }
        }
        guard !problems.contains(where: { $0.severity == .error }) else { return problems }
        for instance in plugins.instances { lifecycle.add(instance) }
        forgetFiles()
        wallClockWatch = clock.watchWallClock { [weak self] in self?.wallClockWasSet(by: $0) }
        rules.use(configuration.rules)
        pipelines.startAll()
        login.start()
        inputs.start(configuration.inputs)
        outputs.start(outputSettings, isNeeded: needsOutput)
        return problems
    }

    /// Lets go of what instances kept that the config does not have any more.
    func forgetFiles() {
        // A safe start leaves all of them out.
        guard source?.isSafe != true else { return }
        let gone = keptFiles.forget(allBut: configuration.plugins.map(\.name))
        if !gone.isEmpty {
            log.notice("let go of what plugins kept that are not there any more: \(gone.joined(separator: ", "))")
        }
    }

    /// The board is too small for what the plugins reserve.
    private func memoryRefusal() -> Diagnostic? {
        guard let available = AvailableMemory.read() else { return nil }
        return MemoryAdmission.check(
            plugins.reservations(of: configuration.enabledPlugins, names: configuration.knownNames),
            available: available)
    }

    /// Ends in order, then calls `onExit`. Further calls change nothing.
    public func shutDown(_ reason: Ending = .asked) {
        guard ending == nil else { return }
        ending = reason
        restarts.stop()
        login.hostEnds()
        let failedBefore = pipelines.failedDrains
        let timer = clock.schedule(after: Self.endDeadline) { [weak self] in self?.giveUp() }
        lifecycle.follow(.shuttingDown)
        reloader.abandon()
        lifecycle.whenSettled { [self] in
            rules.end {
                self.plugins.endAll {
                    timer.cancel()
                    // What could not be finalised is lost: the caller must learn of it.
                    let lost = self.pipelines.failedDrains > failedBefore
                    self.notifications.finish { self.exit(lost ? .failed : reason) }
                }
            }
        }
    }

    /// Whether its end was asked for.
    var isEnding: Bool { ending != nil }

    /// How long the whole end may take: acknowledgements, EOS and NULL of every pipeline, and the plugins' own.
    static let endDeadline = ClockTime.seconds(15)

    private func giveUp() {
        log.error("the end took longer than \(Self.endDeadline); ending now. Still busy: \(stillBusy)")
        exit(.failed)
    }

    /// Who keeps the host from being where it is to be.
    var stillBusy: String {
        let busy = pipelines.controllers.filter { !$0.isAtRest || $0.modes.isAwaited }.map { pipeline in
            "\(pipeline.name) (\(pipeline.isAtRest ? "its pictures" : pipeline.step))"
        }
        let late = (lifecycle.awaited + plugins.ending).map { "plugin \($0)" }
        let all = busy + late.sorted() + (rules.isAwaited ? ["programs of rules"] : [])
        return all.isEmpty ? "nothing that is known" : all.joined(separator: ", ")
    }

    private var hasExited = false

    private func exit(_ reason: Ending) {
        guard !hasExited else { return }
        hasExited = true
        wallClockWatch?.cancel()
        login.stop()
        inputs.stop()
        outputs.stop()
        onExit(reason)
    }

    /// Calls nobody and ends every plugin: for a start that failed.
    public func abandon(_ done: @escaping @HostActor () -> Void) { plugins.endAll(done) }

    private func follow(_ pipeline: PipelineController, _ notice: PipelineController.Notice) {
        let log = log.from("pipeline \(pipeline.name)")
        switch notice {
        case .stateChanged(let condition, let reason):
            announce(pipeline, condition, reason, log)
            // Not from inside the pipeline's own step.
            if reloader.isApplying { HostActor.enqueue { [weak self] in self?.reloader.follow(pipeline) } }
        case .built(let build):
            for instance in plugins.instances { instance.built(pipeline.name, build) }
            propertyWatches.built(pipeline.name, build)
        case .releasing(let build):
            for instance in plugins.instances { instance.released(pipeline.name, build) }
            propertyWatches.released(pipeline.name)
        case .firstBuffer(let element, let after):
            log.notice("first buffer at \(element) after \(after)")
            events.post(
                "pipeline.first-buffer", source: pipeline.name,
                ["element": .string(element), "after_ns": .int(after.nanoseconds)])
        case .warning(let text): log.warning(text)
        case .modeChanged(let mode, let sinks):
            log.notice(mode == .audio ? "audio only; at rest: \(sinks.joined(separator: ", "))" : "video again")
            events.post(
                "pipeline.mode", source: pipeline.name,
                ["mode": .string(mode.rawValue), "sinks": .list(sinks.map { .string($0) })])
        case .ended: decideEnding(pipeline)
        }
    }

    private func announce(
        _ pipeline: PipelineController, _ condition: PipelineCondition, _ reason: PipelineReason, _ log: Log
    ) {
        var payload: [Value.Member] = [
            .init("state", .string(condition.rawValue)), .init("reason", .string(reason.code)),
            .init("message", .string(reason.text)), .init("restarts", .int(Int64(pipeline.restarts))),
        ]
        switch condition {
        case .stopped, .starting, .playing, .paused, .finished: log.notice(condition.rawValue)
        case .buffering, .degraded, .stalled: log.warning("\(condition.rawValue): \(reason.text)")
        case .recovering, .failed:
            if let failure = pipeline.lastFailure {
                log.error(explain(failure, of: pipeline), element: failure.element, code: failure.code)
                log.notice(condition.rawValue)
                recorder?.dump(pipeline: pipeline.name, failure: failure.message)
                if let debug = failure.debug { log.debug(debug) }
                if OutputDemand.plays(pipeline.description) { outputs.doubt() }
                payload.append(.init("error", failure.value))
            }
        }
        events.post("pipeline.state", source: pipeline.name, secrets.mask(.map(payload)))
    }

    func decideEnding(_ pipeline: PipelineController) {
        // A reload brings others, or the old ones back, and asks again when it is over.
        guard pipeline.hasEnded, !reloader.isApplying else { return }
        let controllers = pipelines.controllers
        if pipeline.description.onEOS == .exit {
            return shutDown(controllers.contains { $0.failure != nil && $0.hasEnded } ? .failed : .finished)
        }
        guard controllers.allSatisfy(\.hasEnded), controllers.contains(where: { $0.failure != nil }) else { return }
        log.error("no pipeline is left that could run")
        shutDown(.failed)
    }

    /// A failure with the place in the config that it comes from.
    private func explain(_ failure: PipelineFailure, of pipeline: PipelineController) -> String {
        guard let element = failure.element else { return failure.message }
        let span = pipeline.description.launch.named().elements.first { $0.name == element }?.span
        let place = span.map { "\($0.file.path):\($0.start.line):\($0.start.column): " } ?? ""
        return "\(place)\(element): \(failure.message)"
    }
}

extension Host: PluginEnvironment {
    func pipeline(_ name: String) -> PipelineController? { pipelines[name] }

    var pipelineNames: [String] { pipelines.controllers.map(\.name) }

    var builds: [(name: String, pipeline: Pipeline)] {
        pipelines.controllers.compactMap { controller in controller.build.map { (controller.name, $0.pipeline) } }
    }

    func instanceFailed(_ instance: PluginInstance, _ error: PluginFailure) {
        log.error(error.description)
        // One on its way out is not needed any more: what it says then is nobody's failure.
        guard instance.state == .active else { return }
        let policy = policy(of: instance.name)
        lifecycle.remove(instance)
        plugins.end(instance, error)
        reloader.pluginFailed(instance.name, error)
        announceFailure(of: instance.name, error, policy)
        // A reload judges what fails under it, brings the old ones back, and asks for the rest when it is over.
        if !reloader.isApplying { follow(policy, of: instance.name) }
    }

    func acknowledge(_ token: UInt64, accepted: Bool) { lifecycle.acknowledge(token, accepted: accepted) }
}
