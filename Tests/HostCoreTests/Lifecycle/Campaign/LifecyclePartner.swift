import GStreamerKit
import HostTestKit

@testable import HostCore

/// A plugin that answers at once, later, or never; then its deadline passes. Or one behind the C tables that a library has.
@HostActor
final class LifecyclePartner: LifecycleParticipant {
    enum Manner: CaseIterable { case atOnce, later, never, library }

    let name: String
    let acknowledgeWithin = ClockTime.milliseconds(50)
    private let manner: Manner
    private let clock: VirtualClock
    private weak var controller: LifecycleController?
    private var library: (script: ScriptedPlugin, instance: PluginInstance)?
    private(set) var heard: [LifecycleChange] = []

    init(_ name: String, _ manner: Manner, _ clock: VirtualClock, _ controller: LifecycleController) throws {
        self.name = name
        self.manner = manner
        self.clock = clock
        self.controller = controller
        guard manner == .library else { return }
        let script = ScriptedPlugin(name)
        script.onAcknowledge = { [weak controller] in controller?.acknowledge($0, accepted: $1) }
        script.onState = { [weak self, weak script] token, change in
            self?.hear(LifecycleChange(rawValue: change))
            if token != 0 { script?.acknowledge(token) }
        }
        let instance = try script.make()
        try instance.activate()
        library = (script, instance)
    }

    /// Whom the host tells.
    var participant: any LifecycleParticipant { library?.instance ?? self }

    func end() async {
        if let library { await library.script.end(library.instance) }
        library = nil
    }

    private func hear(_ change: LifecycleChange?) {
        if let change, change != .changed { heard.append(change) }
    }

    func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
        hear(change)
        guard let token else { return }
        switch manner {
        case .atOnce: controller?.acknowledge(token, accepted: true)
        case .later: HostActor.enqueue { [weak self] in self?.controller?.acknowledge(token, accepted: true) }
        case .never: HostActor.enqueue { [clock] in clock.advance(by: .milliseconds(50)) }
        // The host tells its instance.
        case .library: break
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
