import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// A host of three pipelines: one captures pictures and sound, one plays on and on, one plays to its end.
@HostActor
final class LifecycleHouse {
    /// What a pipeline is made of, as its config has it now.
    private struct Device {
        /// Of a second: pictures, and packets of sound.
        var rate = 100
        /// How often it was changed: with each time the text is another.
        var changes = 0

        func launch(_ name: String) -> String {
            let changed = changes % 2 == 1 ? " ! identity" : ""
            let sound = "samplesperbuffer=\(44_100 / rate)"
            return switch name {
            case "camera":
                "videotestsrc name=v is-live=true ! video/x-raw,width=16,height=16,framerate=\(rate)/1"
                    + " ! identity name=fault ! valve name=valve drop-mode=forward-sticky-events\(changed) ! fakesink"
                    + " audiotestsrc name=a is-live=true \(sound) ! audio/x-raw,rate=44100 ! fakesink crankedclock"
            case "player":
                "audiotestsrc name=a \(sound) ! audio/x-raw,rate=44100"
                    + " ! identity name=fault ! valve name=valve drop-mode=forward-sticky-events\(changed)"
                    + " ! fakesink sync=true crankedclock"
            default: "fakesrc num-buffers=3 ! fakesink"
            }
        }
    }

    /// What is waited for.
    @HostActor
    private final class Answer<Value> {
        var value: Value?
    }

    static let reasons = ["paused", "suspended", "interrupted", "locked", "low-power", "output-lost"]

    let clock = VirtualClock()
    let bench: ReloadBench
    /// Of what its pipelines should be in.
    var model = LifecycleModel(quick: [true])
    var plugins: [LifecyclePartner] = []
    var former: [LifecyclePartner] = []
    /// Seeks that nobody has heard of yet.
    var seeks = 0
    var stuck: [String] = []
    var story: [String] = []
    private(set) var lines: [MediaLine] = []
    private var policies: [String: String] = [:]
    private var devices = ["camera": Device(), "player": Device(), "clip": Device()]

    var host: Host { bench.host }
    var set: PipelineSet { host.pipelines }

    init(_ dice: inout Campaign) throws {
        for name in devices.keys.sorted() {
            var modes: [String: String] = [:]
            for reason in Self.reasons {
                modes[reason] = BackgroundMode.allCases.randomElement(using: &dice)?.rawValue ?? "keep"
            }
            model.pipelines[name] = .init(wish: "play", modes: modes)
            policies[name] = modes.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ")
            story.append("\(name): \(policies[name] ?? "")")
        }
        bench = try ReloadBench(Self.config(policies, devices), clock: clock)
        for manner in LifecyclePartner.Manner.allCases where Bool.random(using: &dice) {
            let plugin = try LifecyclePartner("\(manner)", manner, clock, host.lifecycle)
            plugins.append(plugin)
            host.lifecycle.add(plugin.participant)
        }
        let pictures = MediaLine("camera", "valve")
        lines = [pictures, MediaLine("camera", "a", leader: pictures), MediaLine("player", "valve")]
        for line in lines {
            _ = try set[line.name]?.attach(line, at: ElementPad(element: line.element, pad: "src"))
        }
    }

    private static func config(_ policies: [String: String], _ devices: [String: Device]) -> String {
        "pipelines:\n"
            + devices.keys.sorted().map { name in
                "  \(name):\n    launch: \(devices[name]?.launch(name) ?? "")\n"
                    + "    restart: { delay: 1ms, jitter: 0%, limit: 1000 per 1s }\n"
                    + "    stall-timeout: 1min\n    background: {\(policies[name] ?? "")}\n"
            }.joined()
    }

    /// Other pictures or packets from now on, of the same source or of another one.
    func changeDevice(of name: String, _ dice: inout Campaign) async {
        devices[name]?.changes += 1
        devices[name]?.rate = [50, 100].randomElement(using: &dice) ?? 100
        let (config, answer) = (Self.config(policies, devices), Answer<ReloadReport>())
        Task { @HostActor in answer.value = try await bench.reload(config) }
        await until("a reload does not end") { answer.value != nil }
        if let result = answer.value?.result, result != .applied { stuck.append("a reload was \(result.name)") }
    }

    func tell(_ trigger: LifecycleTrigger, _ event: String, _ name: String = "") {
        story.append("\(event) \(name)")
        host.lifecycle.follow(trigger)
        model.hears(event, name)
    }

    /// Returns when nothing is under way any more. What fails meanwhile begins anew.
    func settle() async {
        await rest("the lifecycle does not settle") { [lifecycle = host.lifecycle] in lifecycle.whenSettled($0) }
        // Together: a seek brings buffers, and what is to fail with them fails then.
        await until("pipelines do not come to rest, or \(seeks) seeks are not answered") {
            seeks == 0
                && set.controllers.allSatisfy { $0.isAtRest && $0.modes.isSettled && !$0.isBetweenAttempts }
        }
        for controller in set.controllers {
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
        let answer = Answer<Host.Ending>()
        let told = bench.log.elements.count
        Task { @HostActor in answer.value = await bench.end() }
        await until("the host does not end") { answer.value != nil }
        // What failed on its way to its end makes a host fail: something may be cut off. What was stopped before is none of its end.
        let isCut = bench.log.elements.dropFirst(told).contains {
            $0.contains("its end could not be written: fault")
        }
        if let ending = answer.value, ending != (isCut ? .failed : .asked) { stuck.append("the host ended: \(ending)") }
        for plugin in plugins { await plugin.end() }
    }

    private func rest(_ fault: String, _ ask: (@escaping @HostActor () -> Void) -> Void) async {
        let answer = Answer<Bool>()
        ask { answer.value = true }
        await until(fault) { answer.value != nil }
    }

    /// Says the fault where it is not so within a minute.
    func until(_ fault: String, _ isSo: () -> Bool) async {
        // What follows from a fault need not be waited for.
        let limit = ContinuousClock.now + .seconds(stuck.isEmpty ? 60 : 2)
        while !isSo(), ContinuousClock.now < limit {
            // What has failed waits for its next attempt.
            if set.controllers.contains(where: \.isBetweenAttempts) { clock.advance(by: .milliseconds(2)) }
            await Task.yield()
        }
        guard !isSo() else { return }
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
                // What has failed is not built anew before it is to play.
                || found == "waiting" && expected == "paused"
            return isThere ? nil : "\(controller.name) is \(found), not \(expected)"
        }
        let states = bench.events.filter { $0.source == "clip" && $0.name == "pipeline.state" }
            .compactMap { $0.payload["state"]?.string }
        let ended = PipelineCondition.finished.rawValue
        let afterItsEnd = states.drop { $0 != ended }.drop { $0 == ended }
        if !afterItsEnd.isEmpty { faults.append("the clip played to its end and was started again: \(states)") }
        for plugin in plugins + former where !plugin.isPaired { faults.append("\(plugin.name) heard \(plugin.heard)") }
        // Who is there knows at the end what holds.
        for plugin in plugins {
            let isQuiet = plugin.heard.last == .didPause
            if isQuiet != model.isPaused { faults.append("\(plugin.name) heard \(plugin.heard) at the end") }
        }
        return faults + stuck + lines.flatMap(\.faults)
    }

    /// How often an element has failed, as it was told.
    var failures: Int { bench.log.elements.count { $0.contains("It fails as a test wants") } }

    /// How many buffers have passed.
    var passed: Int { lines.reduce(0) { $0 + $1.count } }

    private func text(of controller: PipelineController) -> String {
        switch controller.state {
        // Sound without pictures has nothing to take out.
        case .playing:
            "playing \(controller.name == "camera" ? controller.modes.mode.rawValue : controller.modes.wanted.rawValue)"
        case .paused: "paused"
        case .stopped: "stopped"
        case .finished: "ended"
        case .waiting: "waiting"
        case .building, .changing, .buffering, .draining, .closing, .failed: "\(controller.state)"
        }
    }
}

extension PipelineController {
    /// Whether it is to play and waits for the time of its next attempt.
    fileprivate var isBetweenAttempts: Bool {
        if case .waiting = state { machine.target == .playing } else { false }
    }
}
