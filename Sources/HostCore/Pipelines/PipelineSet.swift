internal import GStreamerKit

/// All pipelines of the config, in its order: started and resumed forwards, paused and stopped backwards.
///
/// A reload takes single ones down and brings them up again. Meanwhile the lifecycle leaves them alone, and what it wants
/// is followed when they come up.
@HostActor
public final class PipelineSet: LifecyclePipelines {
    public private(set) var controllers: [PipelineController]
    /// Names of those the lifecycle took out of action; only they come back with it.
    private var quieted: Set<String> = []
    /// Names of those a reload has in hand.
    private var held: Set<String> = []
    /// What the pipelines follow now; empty: run.
    private var quietFor: DesiredState = []

    public init(_ controllers: [PipelineController]) { self.controllers = controllers }

    public subscript(name: String) -> PipelineController? { controllers.first { $0.name == name } }

    /// How often the end of a pipeline could not be written.
    var failedDrains: Int { controllers.reduce(0) { $0 + $1.machine.failedDrains } }

    /// Starts those that start with the host.
    public func startAll() {
        for controller in controllers where controller.description.autostart { controller.play() }
    }

    public func follow(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
        if state.isQuiet { quiet(state, done: done) } else { restore(done: done) }
    }

    private func quiet(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
        quietFor = state
        let isLast = state.contains(.shuttingDown)
        var affected: [PipelineController] = []
        for controller in controllers.reversed() where !controller.hasEnded {
            let mode = isLast ? .stop : controller.description.background
            guard mode != .keep else { continue }
            if controller.isToRun || !controller.isAtRest { affected.append(controller) }
            // What a reload has in hand is stopping already; it looks at `quietFor` before it starts it again.
            guard controller.isToRun, isLast || !held.contains(controller.name) else { continue }
            quieted.insert(controller.name)
            if mode == .pause { controller.pause() } else { controller.stop() }
        }
        Self.whenAllAtRest(affected, done)
    }

    private func restore(done: @escaping @HostActor () -> Void) {
        quietFor = []
        for controller in controllers where quieted.contains(controller.name) && !held.contains(controller.name) {
            controller.play()
        }
        quieted = []
        // Not awaited: a camera that does not come back must not keep the next pause from being followed. The first
        // buffer of each is told by an event of its own.
        done()
    }

    // MARK: - For a reload

    /// Whether a pipeline runs, or will when the lifecycle lets it.
    func isToRun(_ controller: PipelineController) -> Bool {
        controller.isToRun || quieted.contains(controller.name)
    }

    /// Whether the lifecycle keeps it from running now.
    func isQuieted(_ controller: PipelineController) -> Bool { quieted.contains(controller.name) }

    /// Stops one, in hand until `bringUp`; calls `done` when it is at rest.
    func takeDown(_ controller: PipelineController, done: @escaping @HostActor () -> Void) {
        held.insert(controller.name)
        controller.stop()
        controller.whenAtRest(done)
    }

    /// Lets go of one, and starts it where it is to run; while the host is quiet that is left to the resume.
    func bringUp(_ controller: PipelineController, toRun: Bool) {
        held.remove(controller.name)
        quieted.remove(controller.name)
        guard toRun, !quietFor.contains(.shuttingDown) else { return }
        if quietFor.isEmpty || controller.description.background == .keep {
            controller.play()
        } else {
            quieted.insert(controller.name)
        }
    }

    /// The pipelines from now on, in order. Those left out must be at rest.
    func replaceAll(_ controllers: [PipelineController]) {
        self.controllers = controllers
        let names = Set(controllers.map(\.name))
        quieted.formIntersection(names)
        held.formIntersection(names)
    }

    private static func whenAllAtRest(_ controllers: [PipelineController], _ done: @escaping @HostActor () -> Void) {
        var left = controllers.count
        guard left > 0 else { return done() }
        for controller in controllers {
            controller.whenAtRest {
                left -= 1
                if left == 0 { done() }
            }
        }
    }
}
