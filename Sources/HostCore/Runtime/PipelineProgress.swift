internal import GStreamerKit

/// Whether the controllers of the pipelines act, as far as the watchdog cares.
///
/// Ending a pipeline has deadlines of at most five seconds each; a controller that is still at the same one of them after
/// thirty does not act any more. Every other state may last: what is wrong with the pipeline itself is its restart
/// policy's business, and no reason to end the process.
@HostActor
final class PipelineProgress: ProgressSource {
    private weak var controller: PipelineController?
    private let clock: any HostClock
    private var state: PipelineStateMachine.State?
    private var since = ClockTime.zero

    static let limit = ClockTime.seconds(30)

    init(_ controller: PipelineController, clock: any HostClock) {
        self.controller = controller
        self.clock = clock
    }

    var name: String { controller?.name ?? "" }

    var isMakingProgress: Bool {
        guard let controller else { return true }
        let now = clock.monotonic()
        if controller.state != state {
            state = controller.state
            since = now
        }
        switch controller.state {
        case .draining, .closing: return now - since < Self.limit
        default: return true
        }
    }
}

/// The progress of all pipelines, of which a reload may bring others.
@HostActor
final class PipelineProgressSet {
    private var known: [ObjectIdentifier: PipelineProgress] = [:]
    private let clock: any HostClock

    init(clock: any HostClock) { self.clock = clock }

    func sources(of controllers: [PipelineController]) -> [any ProgressSource] {
        var next: [ObjectIdentifier: PipelineProgress] = [:]
        for controller in controllers {
            let id = ObjectIdentifier(controller)
            next[id] = known[id] ?? PipelineProgress(controller, clock: clock)
        }
        known = next
        return controllers.compactMap { next[ObjectIdentifier($0)] }
    }
}
