internal import GStreamerKit

/// All pipelines of the config, in its order: started and resumed forwards, paused and stopped backwards.
///
/// A reload takes single ones down and brings them up again. Meanwhile the lifecycle leaves them alone, and what it wants
/// is followed when they come up.
@HostActor
public final class PipelineSet: LifecyclePipelines {
    public private(set) var controllers: [PipelineController]
    private var plan = PipelinePlan()
    /// Those that are stopped to begin anew, unless their users say otherwise meanwhile.
    private var restarting: Set<String> = []

    public init(_ controllers: [PipelineController]) { self.controllers = controllers }

    public subscript(name: String) -> PipelineController? { controllers.first { $0.name == name } }

    /// How often the end of a pipeline could not be written.
    var failedDrains: Int { controllers.reduce(0) { $0 + $1.machine.failedDrains } }

    /// Starts those that start with the host.
    public func startAll() {
        for controller in controllers where controller.description.autostart { play(controller) }
    }

    public func follow(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
        // A resume waits for nothing: its pipelines tell by themselves when they are there.
        let isResume = plan.state.isQuiet && !state.isQuiet
        perform(plan.follow(state, controllers.map(\.situation)), isAwaited: !isResume, done)
    }

    /// The same state once more: descriptions may ask for other modes now.
    func followAgain() { perform(plan.follow(plan.state, controllers.map(\.situation)), isAwaited: false) {} }

    // MARK: - The user's word

    /// The mode in which the state of the host keeps a pipeline from playing.
    func quietMode(of controller: PipelineController) -> BackgroundMode? { plan.quietMode(of: controller.situation) }

    /// What of the state that mode is for.
    func reasons(_ mode: BackgroundMode, of controller: PipelineController) -> DesiredState {
        plan.reasons(mode, of: controller.situation)
    }

    /// Plays it; while the host keeps it quiet, or a reload has it in hand, when that is over.
    func play(_ controller: PipelineController) {
        if let order = plan.start(controller.situation) { return bring(controller, to: order.target) }
        controller.play()
    }

    /// The same, from the beginning where it has ended.
    func startOver(_ controller: PipelineController) {
        play(controller)
        if plan.mayPlay(controller.situation) { controller.startOver() }
    }

    /// The same, at once and where it was where it has failed.
    func playNow(_ controller: PipelineController) {
        play(controller)
        if plan.mayPlay(controller.situation) { controller.tryAgain() }
    }

    /// Has it stand still until its user plays it again: no resume does.
    func pause(_ controller: PipelineController) {
        // It comes up paused.
        if restarting.remove(controller.name) != nil { play(controller) }
        guard plan.pause(controller.situation) else { return }
        controller.pause()
    }

    /// With pictures or without; where the state of the host asks for sound alone, when that is over.
    func setMode(_ mode: MediaMode, of controller: PipelineController, done: @escaping @HostActor () -> Void) {
        controller.wantedMedia = mode
        // What the state has stopped, or stops now, comes back with it.
        let next = controller.build == nil || controller.state == .draining ? mode : nil
        guard let now = plan.media(of: controller.situation) ?? next else { return done() }
        controller.setMode(now, done: done)
    }

    /// Stops it for good: no resume brings it back.
    func stop(_ controller: PipelineController) {
        restarting.remove(controller.name)
        plan.stop(controller.name)
        controller.stop()
    }

    /// Stops it and plays it from its beginning; where the host becomes quiet meanwhile, or a reload takes it in hand, when that is
    /// over. Calls `done` when it has begun, or its user has stopped it since.
    func restart(_ controller: PipelineController, done: @escaping @HostActor () -> Void) {
        let name = controller.name
        stop(controller)
        restarting.insert(name)
        // Somebody may have started it meanwhile, which may never come to rest.
        controller.whenAtRest(within: controller.limits.arrival) { [self] _ in
            if restarting.remove(name) != nil, let pipeline = self[name] { startOver(pipeline) }
            done()
        }
    }

    // MARK: - For a reload

    /// Whether a pipeline runs, or will when the lifecycle lets it.
    func isToRun(_ controller: PipelineController) -> Bool {
        controller.isToRun || plan.isToRun(controller.situation) || restarting.contains(controller.name)
    }

    /// Whether no media is to be waited for: the lifecycle, or its user, keeps it from playing now.
    func isQuieted(_ controller: PipelineController) -> Bool {
        plan.isQuieted(controller.name) || controller.machine.target != .playing
    }

    /// Stops one, in hand until `bringUp`; calls `done` when it is at rest.
    func takeDown(_ controller: PipelineController, done: @escaping @HostActor () -> Void) {
        plan.hold(controller.situation)
        controller.stop()
        controller.whenAtRest(done)
    }

    /// Lets go of one, and brings it to where it is to be; while the host is quiet, the rest is left to the resume.
    /// - Returns: what its user has wanted of it meanwhile.
    @discardableResult func bringUp(_ controller: PipelineController, toRun: Bool) -> PipelinePlan.Release {
        let release = plan.release(controller.situation, toRun: toRun)
        // Also what had ended by itself, and would be tried again.
        if release.intent == .stopped { controller.stop() }
        guard let order = release.order else { return release }
        perform([order], isAwaited: false) {}
        // Also what had ended: its user has started it since.
        if release.isStarted, order.target == .playing { controller.startOver() }
        return release
    }

    /// The pipelines from now on, in order. Those left out must be at rest.
    func replaceAll(_ controllers: [PipelineController]) {
        self.controllers = controllers
        plan.keep(only: Set(controllers.map(\.name)))
    }

    // MARK: - Performing

    private func perform(_ orders: [PipelinePlan.Order], isAwaited: Bool, _ done: @escaping @HostActor () -> Void) {
        var left = 1
        func finish() {
            left -= 1
            if left == 0 { done() }
        }
        // All are told before any is waited for.
        for order in orders {
            guard let controller = self[order.name] else { continue }
            if let media = order.media, media != controller.modes.wanted {
                if isAwaited { left += 1 }
                controller.setMode(media) { if isAwaited { finish() } }
            }
            bring(controller, to: order.target)
        }
        guard isAwaited else { return done() }
        for controller in controllers {
            let isQuieter = orders.contains { $0.name == controller.name && $0.isQuieter }
            guard let mode = quietMode(of: controller), isQuieter || mode == .stop else { continue }
            left += 1
            controller.whenAtRest(finish)
        }
        finish()
    }

    private func bring(_ controller: PipelineController, to target: PipelineStateMachine.Target?) {
        switch target {
        case .stopped: controller.interrupt()
        case .paused: controller.pause()
        // What captures comes back whenever the host does, also from its end, or before it would be tried again by itself: its device
        // may be there again.
        case .playing where controller.isCapture && (controller.machine.mayStartAnew || controller.machine.isEnding):
            controller.startOver()
        case .playing: controller.resume()
        case nil: break
        }
    }
}
