import GStreamerKit
import HostTestKit

@testable import HostCore

/// A plugin that answers at once, later, or never; then its deadline passes.
@HostActor
final class LifecyclePartner: LifecycleParticipant {
    enum Manner: CaseIterable { case atOnce, later, never }

    let name: String
    let acknowledgeWithin = ClockTime.milliseconds(50)
    private let manner: Manner
    private let clock: VirtualClock
    private weak var controller: LifecycleController?
    private(set) var heard: [LifecycleChange] = []

    init(_ name: String, _ manner: Manner, _ clock: VirtualClock, _ controller: LifecycleController) {
        self.name = name
        self.manner = manner
        self.clock = clock
        self.controller = controller
    }

    func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
        if change != .changed { heard.append(change) }
        guard let token else { return }
        switch manner {
        case .atOnce: controller?.acknowledge(token, accepted: true)
        case .later: HostActor.enqueue { [weak self] in self?.controller?.acknowledge(token, accepted: true) }
        case .never: HostActor.enqueue { [clock] in clock.advance(by: .milliseconds(50)) }
        }
    }

    var isPaired: Bool {
        heard.enumerated().allSatisfy { index, change in
            let before = index == 0 ? .didResume : heard[index - 1]
            switch change {
            case .willPause: return before == .didResume || before == .didPause
            case .didPause: return before == .willPause
            case .willResume: return before == .didPause
            case .didResume: return before == .willResume
            case .changed: return true
            }
        }
    }
}
