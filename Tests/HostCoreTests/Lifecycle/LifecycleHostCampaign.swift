import CrankedClock
import GStreamerKit
import HostTestKit
import Locking
import Testing

@testable import HostCore

/// Random sequences on a real host: whatever comes, in the end each pipeline is where the state of the host and its user want it,
/// each buffer of a stream has come right behind the one before, and the host ends as it was asked to.
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
            for _ in 0..<Int.random(in: 1...12, using: &campaign) { try await house.step(&campaign) }
            await house.settle()
            var faults = house.faults()
            await house.end()
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

    @HostActor
    private final class Rest {
        var isThere = false
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
                // running time it is as large, or larger where a pause came, whose part is taken away.
                if epoch == last.epoch, beyond > .milliseconds(500), offset <= last.offset { return }
                // Who follows may lose what would overlap, and waits for the reference.
                if leader == nil ? abs(beyond.nanoseconds) <= 1 : beyond >= .zero - .milliseconds(1) { return }
                state.faults.append("\(name) \(element): \(pts) with \(offset), epoch \(epoch), after \(last)")
            }
        }
    }

    /// A host of three pipelines: one captures pictures and sound, one plays on and on, one plays to its end.
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

        private let clock = VirtualClock()
        private let bench: ReloadBench
        private var plugins: [Plugin] = []
        private var lines: [Line] = []
        /// Of what its pipelines should be in.
        private var model = LifecycleModel(quick: [true])
        private var policies: [String: String] = [:]
        private var reloads: [String: Int] = [:]
        private var stuck: [String] = []
        private(set) var story: [String] = []

        private var host: Host { bench.host }
        private var set: PipelineSet { host.pipelines }

        init(_ dice: inout Campaign) throws {
            for name in Self.launches.keys.sorted() {
                func mode() -> String { BackgroundMode.allCases.randomElement(using: &dice)?.rawValue ?? "keep" }
                let modes = ["paused": mode(), "interrupted": mode(), "locked": mode()]
                model.pipelines[name] = .init(wish: "play", modes: modes)
                policies[name] = modes.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ")
                story.append("\(name): \(policies[name] ?? "")")
            }
            bench = try ReloadBench(Self.config(policies, reloads), clock: clock)
            for manner in Plugin.Manner.allCases where Bool.random(using: &dice) {
                let plugin = Plugin("\(manner)", manner, clock, host.lifecycle)
                plugins.append(plugin)
                host.lifecycle.add(plugin)
            }
            let pictures = Line("camera", "v")
            lines = [pictures, Line("camera", "a", leader: pictures), Line("player", "a")]
            for line in lines {
                _ = try set[line.name]?.attach(line, at: ElementPad(element: line.element, pad: "src"))
            }
        }

        /// - Parameter reloads: how often each was changed: with each time the text is another, and means the same.
        private static func config(_ policies: [String: String], _ reloads: [String: Int]) -> String {
            "pipelines:\n"
                + launches.keys.sorted().map { name in
                    let changed = String(repeating: " ! identity", count: (reloads[name] ?? 0) % 2)
                    let launch = (launches[name] ?? "").replacing(" ! fakesink", with: changed + " ! fakesink")
                    return "  \(name):\n    launch: \(launch)\n    background: {\(policies[name] ?? "")}\n"
                }.joined()
        }

        func step(_ dice: inout Campaign) async throws {
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
                story.append("reload \(name)")
                reloads[name, default: 0] += 1
                let report = try await bench.reload(Self.config(policies, reloads))
                if report.result != .applied { stuck.append("a reload was \(report.result.name)") }
            case 10:
                story.append("settle and flow")
                await settle()
                for line in lines where set[line.name]?.state == .playing {
                    let (count, until) = (line.count, ContinuousClock.now + .seconds(30))
                    while line.count < count + 20, ContinuousClock.now < until { await Task.yield() }
                    if line.count < count + 20 {
                        stuck.append("\(line.name) \(line.element) plays, and nothing comes")
                    }
                }
            default: await Task.yield()
            }
        }

        func tell(_ trigger: LifecycleTrigger, _ event: String, _ name: String = "") {
            story.append("\(event) \(name)")
            host.lifecycle.follow(trigger)
            model.hears(event, name)
        }

        /// Returns when nothing is under way any more.
        func settle() async {
            await rest("the lifecycle does not settle") { [lifecycle = host.lifecycle] in lifecycle.whenSettled($0) }
            for controller in set.controllers {
                await rest("\(controller.name) does not come to rest") { controller.whenAtRest($0) }
                guard controller.state == .paused, let pipeline = controller.build?.pipeline else { continue }
                // A sink that waits for its preroll says PLAYING until it has it.
                let sources = pipeline.structure.elements.filter { !$0.isBin && !$0.pads.contains(where: \.isSink) }
                for source in sources where source.state == .playing && !source.pads.isEmpty {
                    stuck.append("\(controller.name) is paused, and \(source.name) plays")
                }
            }
        }

        func end() async {
            story.append("end")
            model.hears("on", "shutting-down")
            let ending = await bench.end()
            if ending != .asked { stuck.append("the host ended: \(ending)") }
        }

        private func rest(_ fault: String, _ ask: (@escaping @HostActor () -> Void) -> Void) async {
            let (until, rest) = (ContinuousClock.now + .seconds(60), Rest())
            ask { rest.isThere = true }
            while !rest.isThere, ContinuousClock.now < until { await Task.yield() }
            guard !rest.isThere else { return }
            stuck.append(fault + ": " + set.controllers.map { "\($0.name) \($0.state)" }.joined(separator: ", "))
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
            let states = bench.events.filter { $0.source == "clip" && $0.name == "pipeline.state" }
                .compactMap { $0.payload["state"]?.string }
            let ended = PipelineCondition.finished.rawValue
            let afterItsEnd = states.drop { $0 != ended }.drop { $0 == ended }
            if !afterItsEnd.isEmpty { faults.append("the clip played to its end and was started again: \(states)") }
            for plugin in plugins where !plugin.isPaired { faults.append("\(plugin.name) heard \(plugin.heard)") }
            return faults + stuck + lines.flatMap(\.faults)
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
