internal import GStreamerKit

/// All pipelines of the config, in its order: started and resumed forwards, paused and stopped backwards.
@HostActor
public final class PipelineSet: LifecyclePipelines {
    public let controllers: [PipelineController]
    /// Those the last `quiet` took out of action; only they come back.
    private var quieted: [PipelineController] = []

    public init(_ controllers: [PipelineController]) { self.controllers = controllers }

    public subscript(name: String) -> PipelineController? { controllers.first { $0.name == name } }

    /// Starts those that start with the host.
    public func startAll() {
        for controller in controllers where controller.description.autostart { controller.play() }
    }

    public func quiet(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
        let isLast = state.contains(.shuttingDown)
        var affected: [PipelineController] = []
        for controller in controllers.reversed() where !controller.hasEnded {
            switch isLast ? .stop : controller.description.background {
            case .keep: continue
            case .pause: controller.pause()
            case .stop: controller.stop()
            }
            affected.append(controller)
        }
        if quieted.isEmpty { quieted = affected.reversed() }
        Self.whenAllAtRest(affected, done)
    }

    public func restore(done: @escaping @HostActor () -> Void) {
        for controller in quieted { controller.play() }
        quieted = []
        // Not awaited: a camera that does not come back must not keep the next pause from being followed. The first
        // buffer of each is told by an event of its own.
        done()
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
