import GStreamerKit
import HostTestKit

@testable import HostCore

/// A lifecycle controller with plugins and pipelines that do what a test says, and nothing else.
@HostActor
final class LifecycleWorld {
    @HostActor
    final class Plugin: LifecycleParticipant {
        let name: String
        let acknowledgeWithin: ClockTime
        let answers: LifecycleModel.Manner
        private var lives: Int
        private(set) var heard: [String] = []
        private var open: [UInt64] = []
        private weak var controller: LifecycleController?

        init(_ name: String, _ plan: LifecycleModel.Plugin, _ controller: LifecycleController) {
            self.name = name
            acknowledgeWithin = .milliseconds(Int64(plan.within))
            answers = plan.answers
            lives = plan.lives
            self.controller = controller
        }

        func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
            let what = change.eventName.dropFirst("lifecycle.".count)
            heard.append(what + LifecycleWorld.text(state))
            lives -= 1
            guard lives > 0 else {
                controller?.remove(self)
                return
            }
            guard let token else { return }
            if answers == .later {
                open.append(token)
            } else {
                controller?.acknowledge(token, accepted: answers == .atOnce)
            }
        }

        func answer() {
            if !open.isEmpty { controller?.acknowledge(open.removeFirst(), accepted: true) }
        }
    }

    /// What is left of a pipeline without its media.
    struct Pipe {
        var target: PipelineStateMachine.Target
        var isEnded = false
        var policy: BackgroundPolicy
        /// What its user wants of it.
        var wished = MediaMode.video
        /// What it presents.
        var media = MediaMode.video

        func situation(_ name: String) -> PipelinePlan.Situation {
            let intent: PipelineIntent =
                switch target {
                case .playing: isEnded ? .ended : .playing
                case .paused: .paused
                case .stopped: .stopped
                }
            return .init(name: name, intent: intent, policy: policy, media: wished)
        }

        var text: String {
            if isEnded { return "ended" }
            return target == .playing ? "playing \(media.rawValue)" : "\(target)"
        }
    }

    /// As `PipelineSet`, over pipes.
    @HostActor
    final class Pipes: LifecyclePipelines {
        var plan = PipelinePlan()
        var pipes: [String: Pipe] = [:]
        var names: [String] = []
        var quick: [Bool] = [true]
        private(set) var followed: [String] = []
        private(set) var finish: (@HostActor () -> Void)?

        func follow(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
            perform(plan.follow(state, names.compactMap { pipes[$0]?.situation($0) }))
            followed.append(LifecycleWorld.text(state))
            if quick[(followed.count - 1) % quick.count] { done() } else { finish = done }
        }

        func haveFollowed() {
            let done = finish
            finish = nil
            done?()
        }

        func start(_ name: String) {
            guard let situation = pipes[name]?.situation(name) else { return }
            if let order = plan.start(situation) { return perform([order]) }
            pipes[name]?.target = .playing
            pipes[name]?.isEnded = false
        }

        func pause(_ name: String) {
            guard let situation = pipes[name]?.situation(name), plan.pause(situation) else { return }
            pipes[name]?.target = .paused
        }

        func setMode(_ name: String, _ mode: MediaMode) {
            pipes[name]?.wished = mode
            guard let situation = pipes[name]?.situation(name), let now = plan.media(of: situation) else { return }
            pipes[name]?.media = now
        }

        func stop(_ name: String) {
            plan.stop(name)
            pipes[name]?.target = .stopped
            pipes[name]?.isEnded = false
        }

        func hold(_ name: String) {
            if let situation = pipes[name]?.situation(name) { plan.hold(situation) }
            pipes[name]?.target = .stopped
            pipes[name]?.isEnded = false
        }

        func release(_ name: String, toRun: Bool) {
            guard let situation = pipes[name]?.situation(name) else { return }
            if let order = plan.release(situation, toRun: toRun).order { perform([order]) }
            perform(plan.follow(plan.state, names.compactMap { pipes[$0]?.situation($0) }))
        }

        private func perform(_ orders: [PipelinePlan.Order]) {
            for order in orders {
                if let media = order.media { pipes[order.name]?.media = media }
                // What has ended does not start again because it is told to play.
                if let target = order.target, pipes[order.name]?.isEnded == false { pipes[order.name]?.target = target }
            }
        }
    }

    let clock = VirtualClock()
    let pipes = Pipes()
    let controller: LifecycleController
    private(set) var plugins: [String: Plugin] = [:]

    init() {
        controller = LifecycleController(clock: clock, events: EventHub(clock: clock), log: Log { _, _, _ in })
        controller.connect(pipes)
    }

    func join(_ name: String, _ plan: LifecycleModel.Plugin) {
        let plugin = Plugin(name, plan, controller)
        plugins[name] = plugin
        controller.welcome(plugin)
    }

    func leave(_ name: String) {
        if let plugin = plugins[name] { controller.remove(plugin) }
    }

    nonisolated static func text(_ state: DesiredState) -> String { state.names.sorted().reduce("") { $0 + " " + $1 } }
}
