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

    static let limit = ClockTime.seconds(30)
    private static let never = ClockTime(nanoseconds: .max) - limit

    init(_ controller: PipelineController, clock: any HostClock) {
        self.controller = controller
        self.clock = clock
    }

    var name: String { controller?.name ?? "" }

    var isMakingProgress: Bool {
        guard let controller else { return true }
        return clock.monotonic() < deadline(of: controller) + Self.limit
    }

    /// When something happens at the latest, as long as the controller acts.
    private func deadline(of controller: PipelineController) -> ClockTime {
        let since = controller.stepBegan
        return switch controller.state {
        case .draining, .closing: since
        case .building, .changing: controller.startDue.map { max($0, since) } ?? Self.never
        // Paused meanwhile it waits for its user, for as long as that takes.
        case .waiting where controller.machine.target == .playing: controller.nextAttempt ?? since
        case .playing: controller.build?.flow.due ?? Self.never
        case .stopped, .paused, .waiting, .buffering, .finished, .failed: Self.never
        }
    }
}
