import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Whole hosts with rules: what they do, what follows from what, and what a reload keeps.
@Suite(.timeLimit(.minutes(10))) struct HostRulesTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let pipeline = """
        pipelines:
          porch: { launch: "videotestsrc is-live=true ! video/x-raw,width=16,height=16 ! fakesink" }
          second: { launch: "videotestsrc is-live=true ! fakesink", autostart: false }

        """

    @Test @HostActor func anEventStartsAnotherPipeline() async throws {
        let bench = try ReloadBench(
            Self.pipeline + "rules: [{ when: pipeline.first-buffer, source: porch, pipeline: { start: second } }]\n")
        await bench.awaits("second", "playing")
        let events = bench.events
        let first = try #require(events.first { $0.name == "pipeline.first-buffer" && $0.source == "porch" })
        let fired = try #require(events.first { $0.name == "rule.fired" })
        let started = try #require(events.first { $0.name == "pipeline.state" && $0.source == "second" })
        #expect(fired.cause == first.sequence && fired.depth == 1)
        #expect(fired.payload["rule"]?.string == "pipeline.first-buffer")
        #expect(fired.payload["event_source"]?.string == "porch")
        #expect(started.cause == fired.sequence && started.depth == 2)
        let shown = bench.host.showRules().list?.first
        #expect(shown?["does"] == ["pipeline start second"])
        #expect(shown?["fired"]?.int == 1 && shown?["failed"]?.int == 0)
        #expect(bench.host.metrics().contains("mediahost_rule_fired_total{rule=\"pipeline.first-buffer\"} 1"))
        #expect(await bench.end() == .asked)
    }

    /// A rule could start and stop a pipeline, and not take it to another place or change what a user may.
    @Test @HostActor func aPipelineIsTakenElsewhereAndChanged() async throws {
        let bench = try ReloadBench(
            """
            pipelines:
              porch:
                launch: >
                  videotestsrc ! video/x-raw,width=16,height=16,framerate=10/1 ! videobalance name=filter ! fakesink sync=true
                settable: [filter.brightness]
            rules:
              - when: lifecycle.locked
                do:
                  - { pipeline: { seek: porch }, with: { position: 100s } }
                  - { pipeline: { rate: $(payload.pipeline) }, with: { rate: 0.5 } }
              - name: bright
                when: lifecycle.interrupted
                do:
                  - { pipeline: { seek: porch }, with: { position: 100s, to: key-frame } }
                  - { pipeline: { rate: porch }, with: { rate: 0.5 } }
                  - { pipeline: { set: porch }, with: { property: filter.brightness, value: 0.25 } }
              - { name: unfit, when: lifecycle.unlocked, pipeline: { rate: porch }, with: { rate: $(source) } }

            """)
        await bench.awaits("porch", "playing")
        func follow(_ trigger: LifecycleTrigger) async throws {
            _ = try await bench.host.follow(trigger)
            try await wait(while: bench.host.rules.isBusy)
        }
        try await follow(.locked(true))
        // The first of the two was done.
        #expect(
            bench.events.last { $0.name == "rule.failed" }?.payload["message"]?.string
                == "lifecycle.locked has no payload.pipeline")
        var playback = try await bench.host.playback(of: "porch")
        #expect(try #require(playback["position_ns"]?.int) >= 100_000_000_000 && playback["rate"]?.double == 1)
        try await follow(.interruptionBegan(source: "call"))
        #expect(bench.events.filter { $0.name == "rule.failed" }.count == 1)
        playback = try await bench.host.playback(of: "porch")
        #expect(playback["rate"]?.double == 0.5)
        #expect(try await bench.host.property("filter.brightness", of: "porch")["value"]?.string == "0.25")
        try await follow(.locked(false))
        let failed = try #require(bench.events.last { $0.name == "rule.failed" })
        #expect(failed.payload["rule"]?.string == "unfit")
        #expect(failed.payload["action"]?.string == "pipeline rate porch")
        #expect(failed.payload["message"]?.string == "\"rate\" must be a number, not \"host\"")
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func whatFailsIsToldWithItsCause() async throws {
        let bench = try ReloadBench(
            Self.pipeline
                + """
                rules:
                  - { name: broken, when: lifecycle.locked, do: [{ exec: [sh, -c, "echo no card >&2; exit 4"] }, { lifecycle: pause }] }
                  - { name: unfit, when: lifecycle.unlocked, pipeline: { stop: $(payload.pipeline) } }

                """)
        let failed = bench.events.count
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: failed) { $0.name == "rule.failed" && $0.payload["rule"]?.string == "broken" }
        let event = try #require(bench.events.last { $0.name == "rule.failed" })
        #expect(event.payload["exit_code"]?.int == 4)
        #expect(event.payload["last_line"]?.string == "no card")
        #expect(event.cause == bench.events.last { $0.name == "rule.fired" }?.sequence)
        // What stands behind what failed is not done.
        #expect(bench.host.lifecycle.desired == .locked)
        let unfit = bench.events.count
        _ = try await bench.host.follow(.locked(false))
        await bench.sees(from: unfit) { $0.name == "rule.failed" && $0.payload["rule"]?.string == "unfit" }
        #expect(
            bench.events.last { $0.name == "rule.failed" }?.payload["message"]?.string
                == "lifecycle.unlocked has no payload.pipeline")
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aCircleEndsAndIsToldOnce() async throws {
        let bench = try ReloadBench(
            Self.pipeline
                + """
                rules:
                  - { when: lifecycle.locked, lifecycle: unlock }
                  - { when: lifecycle.unlocked, lifecycle: lock }

                """)
        let cut = bench.events.count
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: cut) { $0.name == "rule.dropped" }
        let fired = bench.events.filter { $0.name == "rule.fired" }
        #expect(fired.map(\.depth) == [1, 3, 5, 7])
        let dropped = bench.events.filter { $0.name == "rule.dropped" }
        #expect(dropped.map { $0.payload["reason"]?.string } == ["loop"])
        #expect(dropped.first?.depth == EventHub.deepest + 1)
        #expect(bench.log.elements.filter { $0.contains(": a loop") }.count == 1)
        // Somebody else's word begins a new chain, when nothing is under way for the old one.
        try await wait(while: bench.host.rules.machine.rules.contains(where: \.isAtWork))
        let again = bench.events.count
        _ = try await bench.host.follow(.locked(false))
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: again) { $0.name == "rule.fired" && $0.depth == 1 }
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aCircleThroughAPipelineEndsToo() async throws {
        let bench = try ReloadBench(
            Self.pipeline
                + "rules: [{ name: again, when: pipeline.first-buffer, source: porch, pipeline: { restart: porch } }]\n"
        )
        await bench.sees(from: 0) { $0.name == "rule.dropped" }
        #expect(bench.events.filter { $0.name == "rule.fired" }.map(\.depth) == [1, 3, 5, 7])
        #expect(bench.events.last { $0.name == "rule.dropped" }?.payload["reason"]?.string == "loop")
        // The restarts are over, and it plays.
        await bench.awaits("porch", "playing")
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func moreProgramsThanMayRunAreDropped() async throws {
        let rules = (0...RulePrograms.most).map {
            "  - { name: r\($0), when: lifecycle.locked, exec: [sleep, 1000] }\n"
        }
        let bench = try ReloadBench(Self.pipeline + "rules:\n" + rules.joined())
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: 0) { $0.name == "rule.dropped" }
        let dropped = bench.events.filter { $0.name == "rule.dropped" }
        #expect(dropped.map { $0.payload["reason"]?.string } == ["busy"])
        #expect(dropped.map { $0.payload["rule"]?.string } == ["r\(RulePrograms.most)"])
        #expect(bench.names(of: "rule.failed") == [])
        // The host ends, and with it those that run.
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aReloadKeepsChangesAndRemovesRules() async throws {
        let kept = "  - { name: kept, when: lifecycle.unlocked, lifecycle: low-power-on }\n"
        let bench = try ReloadBench(
            Self.pipeline + "rules:\n" + kept + "  - { name: other, when: lifecycle.locked, lifecycle: pause }\n")
        let low = bench.events.count
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: low) { $0.name == "lifecycle.did-pause" }
        _ = try await bench.host.follow(.locked(false))
        await bench.sees(from: low) { $0.name == "lifecycle.low-power" }
        _ = try await bench.host.follow(.resume)
        let report = try await bench.reload(
            Self.pipeline + "rules:\n" + kept
                + "  - { name: other, when: lifecycle.locked, lifecycle: low-power-off }\n")
        #expect(report.isApplied)
        #expect(report.summary.contains("rules: changed other, 1 unchanged"), "\(report.summary)")
        #expect(bench.host.showRules().list?.map { $0["fired"]?.int } == [1, 0])
        let off = bench.events.count
        _ = try await bench.host.follow(.locked(true))
        await bench.sees(from: off) { $0.name == "lifecycle.low-power" && $0.payload["on"]?.bool == false }
        #expect(!bench.host.lifecycle.desired.contains(.paused))

        // What is bad changes nothing.
        let refused = try await bench.reload(Self.pipeline + "rules: [{ when: lifecycle.locked, call: nobody.home }]\n")
        #expect(refused.result == .refused)
        #expect(bench.host.showRules().list?.count == 2)
        let gone = try await bench.reload(Self.pipeline)
        #expect(gone.isApplied && gone.summary.contains("rules: removed kept, other"), "\(gone.summary)")
        #expect(bench.host.showRules() == [])
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aFiringWaitsForQuietOnTheHostsClock() async throws {
        let clock = VirtualClock()
        let bench = try ReloadBench(
            "pipelines: { porch: { launch: fakesrc ! fakesink, autostart: false } }\n"
                + "rules: [{ when: [lifecycle.locked, lifecycle.unlocked], debounce: 3s, lifecycle: low-power-on }]\n",
            clock: clock)
        _ = try await bench.host.follow(.locked(true))
        clock.advance(by: .seconds(2))
        _ = try await bench.host.follow(.locked(false))
        clock.advance(by: .seconds(2))
        #expect(bench.names(of: "rule.") == [])
        let low = bench.events.count
        clock.advance(by: .seconds(1))
        await bench.sees(from: low) { $0.name == "lifecycle.low-power" }
        let fired = try #require(bench.events.first { $0.name == "rule.fired" })
        #expect(fired.payload["event"]?.string == "lifecycle.unlocked")
        #expect(bench.names(of: "rule.") == ["rule.fired"])
        #expect(await bench.end() == .asked)
    }
}

extension ReloadBench {
    /// Returns when an event that is meant has come since there were `count`.
    fileprivate func sees(from count: Int, _ isMet: @escaping (Event) -> Bool) async {
        if events[count...].contains(where: isMet) { return }
        await awaits(isMet)
    }
}
