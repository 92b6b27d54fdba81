internal import GStreamerKit

/// One reload being carried out: performs what its transaction decides on the host's pipelines and plugins.
@HostActor
final class ReloadApplication {
    private let plan: ReloadPlan
    private let host: Host
    private var transaction: ReloadTransaction
    private let done: @HostActor (ReloadTransaction.Outcome, ReloadTransaction) -> Void
    private var events: [ReloadTransaction.Event] = []
    private var isHandling = false
    private var deadlines: [String: HostTimer] = [:]
    /// Pipelines that start with the new configuration: those that ran, those that had ended, and what is added.
    private var starting: Set<String> = []
    /// Pipelines that ran before.
    private var running: Set<String> = []
    /// Pipelines that were not to run before.
    private var atRest: Set<String> = []
    /// How those had ended that ended by themselves: they do not begin anew because a reload failed.
    private var ended: [String: PipelineController.Ended] = [:]
    /// Plugins that ran before.
    private let pluginsBefore: Set<String>
    private let disabledBefore: Set<String>
    /// Why those do not run that had failed before.
    private let failuresBefore: [String: PluginFailure]
    private let live: LiveConfigs
    /// Pipelines of the old configuration that the new one lacks, until it is settled that they are not needed.
    private var parked: [PipelineController] = []

    /// More than a start-timeout, so that the pipeline's own words about it come first.
    private static let grace = ClockTime.seconds(1)

    init(
        _ plan: ReloadPlan, of host: Host,
        done: @escaping @HostActor (ReloadTransaction.Outcome, ReloadTransaction) -> Void
    ) {
        self.plan = plan
        self.host = host
        self.done = done
        transaction = ReloadTransaction(forward: plan.forward, back: plan.back)
        pluginsBefore = Set(host.plugins.instances.map(\.name))
        disabledBefore = host.disabledPlugins
        failuresBefore = host.plugins.failures
        live = LiveConfigs(plan)
    }

    func begin() {
        let pipelines = host.pipelines
        atRest = Set(pipelines.controllers.filter { !pipelines.isToRun($0) }.map(\.name))
        feed(.begin)
    }

    func abandon() { feed(.abandon) }

    /// The configuration it is on its way to.
    var target: HostConfiguration {
        switch transaction.state {
        case .under(_, .back), .over(.rolledBack): plan.old
        case .idle, .under(_, .forward), .over: plan.new
        }
    }

    /// Looks how far a pipeline's start has come.
    func follow(_ pipeline: PipelineController) {
        guard case .under(.starting, _) = transaction.state else { return }
        let name = pipeline.name
        if host.pipelines.isQuieted(pipeline) { return feed(.live(name)) }
        switch pipeline.startProgress {
        case .pending, .waiting: return
        case .live: feed(.live(name))
        case .failed(let failure):
            let problem = Diagnostic(
                .error, at: pipeline.description.place(of: failure),
                "pipeline \"\(name)\" does not start: \(failure.message)")
            feed(.failed(pipeline: name, [problem]))
        }
    }

    func pluginFailed(_ name: String, _ error: PluginFailure) {
        guard case .under(.starting, _) = transaction.state else { return }
        let place = target.plugins.first { $0.name == name }?.location
        feed(.failed(pipeline: nil, [Diagnostic(.error, at: place, error.message, help: error.help)]))
    }

    /// Events that come from performing an action wait until it is performed.
    private func feed(_ event: ReloadTransaction.Event) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !events.isEmpty {
            for action in transaction.handle(events.removeFirst()) { perform(action) }
        }
    }

    private func perform(_ action: ReloadTransaction.Action) {
        switch action {
        case .stop(let names): stop(names)
        case .end(let names):
            let ending = host.plugins.instances.filter { names.contains($0.name) }
            for instance in ending { host.lifecycle.remove(instance) }
            host.plugins.retire(ending) { [self] in feed(.ended) }
        case .swap(let direction):
            // Two of one name would share a state directory.
            let begins: (String) -> Bool = { [self] name in
                host.plugins[name] == nil && (direction == .forward ? isNew(name) : pluginsBefore.contains(name))
            }
            host.plugins.awaitGone(begins) { [self] in
                // The host may have begun to end meanwhile: nobody would end what begins now.
                guard case .under = transaction.state else { return }
                if direction == .forward { swapForward() } else { swapBack() }
            }
        case .start(let names): start(names)
        case .finish(let outcome): finish(outcome)
        }
    }

    private func stop(_ names: [String]) {
        for timer in deadlines.values { timer.cancel() }
        deadlines = [:]
        for name in names {
            guard let pipeline = host.pipelines[name] else {
                feed(.atRest(name))
                continue
            }
            if host.pipelines.isToRun(pipeline) { remember(pipeline) }
            host.pipelines.takeDown(pipeline) { [self] in feed(.atRest(name)) }
        }
    }

    private func remember(_ pipeline: PipelineController) {
        let name = pipeline.name
        if transaction.state == .under(.stopping, .forward) {
            starting.insert(name)
            if let end = pipeline.ended { ended[name] = end } else { running.insert(name) }
        } else if !starting.contains(name) {
            // The reload did not bring it up: its user has.
            running.insert(name)
        }
    }

    private func swapForward() {
        var pipelines: [PipelineController] = []
        for description in plan.new.pipelines {
            if let pipeline = host.pipelines[description.name] {
                change(pipeline, to: description)
                pipelines.append(pipeline)
            } else {
                if description.autostart { starting.insert(description.name) }
                pipelines.append(host.makePipeline(description))
            }
        }
        parked = host.pipelines.controllers.filter { plan.pipelines.removed.contains($0.name) }
        host.pipelines.replaceAll(pipelines + parked)
        host.disabledPlugins = plan.disabled(disabledBefore)
        // First, as one may move away from a pipeline that goes.
        var problems = live.apply(to: host.plugins)
        if let failed = live.failed { announce(failed.instance, failed.problems) }
        if problems.isEmpty { problems = listenersLeftBehind() }
        if problems.isEmpty { problems = beginPlugins(of: plan.new, where: isNew) }
        if problems.isEmpty { problems = host.ruleProblems(plan.new.rules, names: plan.new.knownNames) }
        feed(problems.isEmpty ? .swapped : .failed(pipeline: nil, problems))
    }

    private func announce(_ instance: PluginInstance, _ problems: [Diagnostic]) {
        let text = problems.map(\.message).joined(separator: "; ")
        host.announceFailure(of: instance.name, PluginFailure(text), host.policy(of: instance.name))
    }

    private func swapBack() {
        let stuck = live.takeBack(on: host.plugins, host.log)
        guard !stuck.isEmpty else { return bringBack() }
        for instance in stuck { host.lifecycle.remove(instance) }
        host.plugins.retire(stuck) { [self] in
            // The host may have begun to end meanwhile: nobody would end what begins now.
            if case .under = transaction.state { bringBack() }
        }
    }

    private func bringBack() {
        host.disabledPlugins = disabledBefore
        var pipelines: [PipelineController] = []
        for description in plan.old.pipelines {
            guard let pipeline = host.pipelines[description.name] else { continue }
            if let end = ended[description.name] {
                pipeline.replace(with: description, ended: end)
            } else {
                change(pipeline, to: description)
            }
            pipelines.append(pipeline)
        }
        parked = []
        host.pipelines.replaceAll(pipelines)
        let problems = beginPlugins(of: plan.old, where: pluginsBefore.contains)
        host.plugins.bringBack(failures: failuresBefore)
        feed(problems.isEmpty ? .swapped : .failed(pipeline: nil, problems))
    }

    private func change(_ pipeline: PipelineController, to description: PipelineDescription) {
        if plan.pipelines.changed.contains(description.name) {
            pipeline.replace(with: description)
        } else {
            pipeline.adopt(description)
        }
    }

    /// One that was to take over its config and has ended since the check is made anew.
    private func isNew(_ plugin: String) -> Bool {
        plan.plugins.added.contains(plugin) || plan.plugins.changed.contains(plugin)
            || plan.live.contains { $0.name == plugin }
    }

    /// Begins those of a configuration that are wanted and do not run.
    private func beginPlugins(of configuration: HostConfiguration, where isWanted: (String) -> Bool) -> [Diagnostic] {
        let running = Set(host.plugins.instances.map(\.name))
        let kept = running.union(host.disabledPlugins)
        let missing = configuration.plugins.filter { isWanted($0.name) && !kept.contains($0.name) }
        let problems = host.plugins.begin(missing, names: configuration.knownNames, environment: host)
        let order = configuration.plugins.map(\.name)
        host.plugins.arrange(by: order)
        for instance in host.plugins.instances where !running.contains(instance.name) {
            host.lifecycle.welcome(instance)
        }
        host.lifecycle.arrange(by: order)
        return problems
    }

    /// Plugins may tap what their config does not name.
    private func listenersLeftBehind() -> [Diagnostic] {
        parked.flatMap { pipeline in
            host.plugins.instances.filter { $0.listens(to: pipeline) }.map { instance in
                Diagnostic(
                    .error, at: plan.new.plugins.first { $0.name == instance.name }?.keySpan,
                    "plugin \"\(instance.name)\" taps pipeline \"\(pipeline.name)\", which is not there any more",
                    help: "keep the pipeline, or remove the plugin")
            }
        }
    }

    private func start(_ names: [String]) {
        for name in names {
            guard let pipeline = host.pipelines[name] else {
                feed(.live(name))
                continue
            }
            let toRun = (transaction.state == .under(.starting, .forward) ? starting : running).contains(name)
            let release = host.pipelines.bringUp(pipeline, toRun: toRun)
            if release.isStarted {
                // However it had ended.
                running.insert(name)
                ended[name] = nil
            }
            guard toRun else {
                feed(.live(name))
                continue
            }
            let limit = (pipeline.description.startTimeout ?? PipelineDescription.defaultStartTimeout) + Self.grace
            watch(pipeline, until: host.clock.monotonic() + limit, limit)
        }
    }

    /// Looks now and then, too: what may wait for its media for ever has come up when it is there and nothing failed.
    private func watch(_ pipeline: PipelineController, until end: ClockTime, _ limit: ClockTime) {
        let (now, state) = (host.clock.monotonic(), transaction.state)
        if pipeline.startProgress == .waiting { return feed(.live(pipeline.name)) }
        guard now < end else { return late(pipeline, limit) }
        follow(pipeline)
        // It may go back by now.
        guard transaction.state == state else { return }
        let next = min(end, now + Self.grace)
        deadlines[pipeline.name]?.cancel()
        deadlines[pipeline.name] = host.clock.schedule(after: next - now) { [weak self] in
            guard let self else { return }
            // Where the process stood still, the pipeline did, too.
            let late = host.clock.monotonic() - next
            watch(pipeline, until: late > FlowWatch.lateness ? end + late : end, limit)
        }
    }

    private func late(_ pipeline: PipelineController, _ limit: ClockTime) {
        let name = pipeline.name
        let problem = Diagnostic(
            .error, at: pipeline.description.location,
            "pipeline \"\(name)\" brought no media within \(Quantity.durationText(limit.nanoseconds)); "
                + "it is \(pipeline.condition.rawValue)")
        feed(.failed(pipeline: name, [problem]))
    }

    private func finish(_ outcome: ReloadTransaction.Outcome) {
        for timer in deadlines.values { timer.cancel() }
        deadlines = [:]
        if outcome == .committed {
            host.pipelines.replaceAll(
                host.pipelines.controllers.filter { pipeline in !parked.contains { $0 === pipeline } })
            startNewlyAutomatic()
            // What waited for one of them to be tried again is over.
            for plugin in host.plugins.instances where isNew(plugin.name) { host.restarts.forget(plugin.name) }
        }
        // The host may be quiet now, and what that means for a pipeline another than before.
        if outcome != .abandoned { host.pipelines.followAgain() }
        done(outcome, transaction)
    }

    /// Those that start with the host from now on, and did not before.
    private func startNewlyAutomatic() {
        let before = Set(plan.old.pipelines.filter { !$0.autostart }.map(\.name))
        for pipeline in host.pipelines.controllers where pipeline.description.autostart {
            // One that ran was stopped by its user since.
            let isWanted = before.contains(pipeline.name) && atRest.contains(pipeline.name)
            guard isWanted, pipeline.condition == .stopped else { continue }
            host.pipelines.play(pipeline)
        }
    }
}

extension PipelineDescription {
    /// Where in the file a failure comes from: the element that said so, or else the pipeline.
    func place(of failure: PipelineFailure) -> SourceSpan {
        launch.named().elements.first { $0.name == failure.element }?.span ?? location
    }
}
