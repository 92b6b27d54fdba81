internal import GStreamerKit

/// Whether the controllers of the pipelines act, as far as the watchdog cares.
///
/// Whatever a controller waits for has a deadline: of a start, of a silence, of the next attempt, of each step of an end. Thirty
/// seconds after it, it does not act any more. What is wrong with the pipeline itself is its restart policy's business, and
/// no reason to end the process.
@HostActor
final class PipelineProgress: ProgressSource {
    private weak var controller: PipelineController?
    private let clock: any HostClock
    private var state: PipelineStateMachine.State?
    private var since = ClockTime.zero

    static let limit = ClockTime.seconds(30)
    private static let never = ClockTime(nanoseconds: .max) - limit

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
        return now < deadline(of: controller) + Self.limit
    }

    /// When something happens at the latest, as long as the controller acts.
    private func deadline(of controller: PipelineController) -> ClockTime {
        switch controller.state {
        case .draining, .closing: since
        case .building, .changing: controller.description.startTimeout.map { since + $0 } ?? Self.never
        case .waiting: controller.nextAttempt ?? since
        case .playing: controller.build?.flow.due ?? Self.never
        case .stopped, .paused, .buffering, .finished, .failed: Self.never
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
