import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random sequences of everything that can happen, against the reference model: what each plugin is told, what each pipeline
/// is in, who was late, and that it always comes to rest.
///
/// `make campaign NAME=lifecycle N=1000000`
@Suite struct LifecycleCampaign {
    init() { MainLoopThread.start() }

    @Test @HostActor func everySequenceGoesAsTheModelSays() async {
        var campaign = Campaign(rounds: 10_000)
        for round in 1...campaign.rounds {
            var sequence = Sequence(&campaign)
            sequence.run(&campaign)
            if let divergence = sequence.divergence() {
                Issue.record(
                    "round \(round), \(campaign.note): \(divergence)\n\(sequence.story.joined(separator: "\n"))")
                return
            }
            // Others live on this thread, too.
            if round % 16 == 0 { await Task.yield() }
        }
        print("lifecycle: \(campaign.rounds) sequences, seed \(campaign.seed)")
    }

    /// A world and its model, through the same events.
    @HostActor
    private struct Sequence {
        let world = LifecycleWorld()
        var model: LifecycleModel
        var story: [String] = []
        private var born = 0

        private static let bits = ["locked", "low-power", "output-lost", "suspended"]
        private static let sources = ["call", "bell", "radio"]

        init(_ dice: inout Campaign) {
            let quick = (0..<5).map { _ in Bool.random(using: &dice) }
            model = LifecycleModel(quick: quick)
            world.pipes.quick = quick
            for number in 0..<3 { makePipe("p\(number)", &dice) }
            for _ in 0..<Int.random(in: 0...3, using: &dice) { join(&dice) }
        }

        mutating func run(_ dice: inout Campaign) {
            for _ in 0..<Int.random(in: 1...40, using: &dice) { step(&dice) }
            // Nothing more comes: deadlines pass, pipelines follow, and it must come to rest.
            for _ in 0..<24 where !model.isSettled {
                pass(1000)
                haveFollowed()
            }
        }

        private mutating func step(_ dice: inout Campaign) {
            switch Int.random(in: 0..<20, using: &dice) {
            case 0, 1: tell(.pause, "pause")
            case 2, 3: tell(.resume, "resume")
            case 4:
                let source = Self.sources.randomElement(using: &dice) ?? ""
                tell(.interruptionBegan(source: source), "begin", source)
            case 5, 6:
                let source = Self.sources.randomElement(using: &dice) ?? ""
                let goesOn = Bool.random(using: &dice)
                tell(
                    .interruptionEnded(source: source, shouldResume: goesOn), goesOn ? "end and go on" : "end", source)
            case 7, 8:
                let bit = Self.bits.randomElement(using: &dice) ?? ""
                let isOn = Bool.random(using: &dice)
                tell(Self.trigger(bit, isOn), isOn ? "on" : "off", bit)
            case 9 where Int.random(in: 0..<8, using: &dice) == 0: tell(.shuttingDown, "on", "shutting-down")
            case 9, 10: pass(50 * Int.random(in: 1...12, using: &dice))
            case 11, 12: haveFollowed()
            case 13, 14, 15:
                guard let name = world.plugins.keys.sorted().randomElement(using: &dice) else { return }
                story.append("answer \(name)")
                world.plugins[name]?.answer()
                model.answer(name)
            case 16: join(&dice)
            case 17:
                guard let name = model.order.randomElement(using: &dice) else { return }
                story.append("leave \(name)")
                world.leave(name)
                model.leave(name)
            default: touch("p\(Int.random(in: 0..<3, using: &dice))", &dice)
            }
        }

        private static func trigger(_ bit: String, _ isOn: Bool) -> LifecycleTrigger {
            switch bit {
            case "locked": .locked(isOn)
            case "low-power": .lowPower(isOn)
            case "suspended": .suspended(isOn)
            default: .outputLost(isOn)
            }
        }

        private mutating func tell(_ trigger: LifecycleTrigger, _ event: String, _ name: String = "") {
            story.append("\(event) \(name)")
            world.controller.follow(trigger)
            model.hears(event, name)
        }

        private mutating func pass(_ time: Int) {
            story.append("pass \(time)")
            world.clock.advance(by: .milliseconds(Int64(time)))
            model.pass(time)
        }

        private mutating func haveFollowed() {
            story.append("pipelines have followed")
            world.pipes.haveFollowed()
            model.pipelinesHaveFollowed()
        }

        private mutating func join(_ dice: inout Campaign) {
            born += 1
            let name = "plugin\(born)"
            let plugin = LifecycleModel.Plugin(
                answers: LifecycleModel.Manner.allCases.randomElement(using: &dice) ?? .later,
                within: 50 * Int.random(in: 1...6, using: &dice),
                lives: Int.random(in: 0..<5, using: &dice) == 0 ? Int.random(in: 1...6, using: &dice) : 1_000_000)
            story.append("join \(name) \(plugin.answers) within \(plugin.within) lives \(plugin.lives)")
            world.join(name, plugin)
            model.join(name, plugin)
        }

        private mutating func makePipe(_ name: String, _ dice: inout Campaign) {
            func mode() -> BackgroundMode { BackgroundMode.allCases.randomElement(using: &dice) ?? .keep }
            var policy = BackgroundPolicy()
            (policy.paused, policy.suspended, policy.interrupted) = (mode(), mode(), mode())
            (policy.locked, policy.lowPower, policy.outputLost) = (mode(), mode(), mode())
            world.pipes.names.append(name)
            world.pipes.pipes[name] = .init(target: .playing, policy: policy)
            model.pipelines[name] = .init(
                wish: "play",
                modes: [
                    "paused": policy.paused.rawValue, "suspended": policy.suspended.rawValue,
                    "interrupted": policy.interrupted.rawValue, "locked": policy.locked.rawValue,
                    "low-power": policy.lowPower.rawValue, "output-lost": policy.outputLost.rawValue,
                ])
        }

        /// Its user, a reload, or its end.
        private mutating func touch(_ name: String, _ dice: inout Campaign) {
            guard let pipeline = model.pipelines[name] else { return }
            if let toRun = pipeline.held {
                story.append("release \(name) \(toRun)")
                world.pipes.release(name, toRun: toRun)
                model.pipelines[name]?.held = nil
                if toRun, pipeline.wish == "ended" { model.pipelines[name]?.wish = "play" }
                return
            }
            switch Int.random(in: 0..<6, using: &dice) {
            case 0:
                story.append("stop \(name)")
                world.pipes.stop(name)
                model.pipelines[name]?.wish = "stop"
            case 1 where pipeline.wish != "ended" || model.isFree(name):
                story.append("start \(name)")
                world.pipes.start(name)
                model.pipelines[name]?.wish = "play"
            case 2 where pipeline.wish == "play":
                story.append("pause \(name)")
                world.pipes.pause(name)
                model.pipelines[name]?.wish = "pause"
            case 3 where model.isFree(name) && pipeline.wish == "play":
                story.append("end of \(name)")
                world.pipes.pipes[name]?.isEnded = true
                model.pipelines[name]?.wish = "ended"
            case 4:
                story.append("hold \(name)")
                world.pipes.hold(name)
                model.pipelines[name]?.held = pipeline.wish != "stop"
            case 5:
                let mode: MediaMode = Bool.random(using: &dice) ? .audio : .video
                story.append("\(mode.rawValue) of \(name)")
                world.pipes.setMode(name, mode)
                model.pipelines[name]?.media = mode.rawValue
            default: break
            }
        }

        /// What is not as it should be.
        func divergence() -> String? {
            let controller = world.controller
            var settled = false
            controller.whenSettled { settled = true }
            guard settled, model.isSettled else { return "it does not come to rest: \(controller.stateName)" }
            guard controller.stateName == (model.isPaused ? "paused" : "running"),
                LifecycleWorld.text(controller.desired) == model.wanted.sorted().reduce("", { $0 + " " + $1 }),
                controller.desired.isQuiet == model.isPaused
            else { return "it is \(controller.stateName) for \(controller.desired.names)" }
            for (name, plugin) in model.plugins {
                let heard = world.plugins[name]?.heard ?? []
                if heard != plugin.heard { return "\(name) heard \(heard), not \(plugin.heard)" }
                if let fault = Self.unpaired(heard, isThere: model.order.contains(name), model.isPaused) {
                    return "\(name): \(fault) in \(heard)"
                }
            }
            if world.pipes.followed != model.followed { return "pipelines followed \(world.pipes.followed)" }
            for name in world.pipes.names {
                let found = world.pipes.pipes[name]?.text ?? ""
                if found != model.expected(name) { return "\(name) is \(found), not \(model.expected(name))" }
            }
            if controller.stragglers != model.late { return "late: \(controller.stragglers), not \(model.late)" }
            if controller.ignoredAnswers != model.ignored { return "ignored: \(controller.ignoredAnswers)" }
            // A timer that stays would fire into another round.
            return world.clock.pendingCount == 0 ? nil : "\(world.clock.pendingCount) timers are left"
        }

        /// Will and did come together, a resume only after a pause, and changes in between.
        private static func unpaired(_ heard: [String], isThere: Bool, _ isPaused: Bool) -> String? {
            var last = "did-resume"
            for call in heard {
                let change = String(call.prefix { $0 != " " })
                let legal: [String: [String]] = [
                    "did-resume": ["will-pause", "changed"], "will-pause": ["did-pause"],
                    "did-pause": ["will-pause", "will-resume", "changed"], "will-resume": ["did-resume"],
                ]
                guard legal[last]?.contains(change) == true else { return "\(change) after \(last)" }
                if change != "changed" { last = change }
            }
            guard isThere else { return nil }
            return last == (isPaused ? "did-pause" : "did-resume") ? nil : "it ends with \(last)"
        }
    }
}
