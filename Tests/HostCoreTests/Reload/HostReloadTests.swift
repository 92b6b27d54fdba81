import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Whole hosts with live test sources, reloaded from files.
@Suite(.timeLimit(.minutes(10))) struct HostReloadTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    static func live(_ more: String = "") -> String {
        "videotestsrc is-live=true name=v ! video/x-raw,width=16,height=16,framerate=100/1 \(more) ! fakesink"
    }

    static let two = """
        pipelines:
          a: { launch: "\(live())" }
          b: { launch: "\(live())" }

        """

    @Test @HostActor func onlyWhatChangedIsBuiltAnewAndTimeGoesOn() async throws {
        let bench = try ReloadBench(Self.two)
        let pipelines = bench.host.pipelines.controllers
        let untouched = SequenceTap(frame: .milliseconds(10))
        let rebuilt = SequenceTap(frame: .milliseconds(10))
        let pad = try ElementPad("v.src")
        _ = try pipelines[0].attach(untouched, at: pad)
        _ = try pipelines[1].attach(rebuilt, at: pad)
        await bench.awaits("a", "playing")
        await bench.awaits("b", "playing")
        let report = try await bench.reload(
            Self.two.replacing("  b: { launch: \"\(Self.live())", with: "  b: { launch: \"\(Self.live("! identity"))"))
        #expect(report.isApplied, "\(bench.log.elements)")
        #expect(report.summary.contains("pipelines: rebuilt b, 1 unchanged"))
        #expect(bench.names(of: "config.") == ["config.reloading", "config.reloaded"])
        #expect(bench.host.pipelines.controllers.map(ObjectIdentifier.init) == pipelines.map(ObjectIdentifier.init))
        #expect(bench.host.pipelines["b"]?.description.elementNames.contains("identity0") == true)
        #expect(await bench.end() == .asked)
        #expect(untouched.seen.epochs == [1])
        #expect(untouched.seen.breaks == [])
        #expect(rebuilt.seen.epochs == [1, 2])
        #expect(rebuilt.seen.breaks == [])
    }

    @Test @HostActor func aBadFileChangesNothingAndSaysExactlyWhy() async throws {
        let bench = try ReloadBench(Self.two)
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        let before = bench.host.configuration
        let report = try await bench.reload(
            """
            pipelines:
              b: { launch: videotestsrc ! fakesnk }
              d: { lunch: fakesrc ! fakesink }
            """)
        let path = bench.directory.path("h.yaml")
        #expect(report.result == .refused)
        let text = """
            \(path):3:31: error: no element "fakesnk"
              b: { launch: videotestsrc ! fakesnk }
                                          ^~~~~~~
            help: did you mean "fakesink"?

            """
        let body = report.response
        #expect(body.status == 422)
        #expect(body.body["applied"] == false)
        #expect(body.body["code"] == "configuration")
        #expect(body.body["detail"]?.string?.hasPrefix(text) == true, "\(body.body)")
        #expect(body.body["problems"]?.list?.first?["line"] == 3)
        #expect(bench.log.elements.contains { $0.hasPrefix("host: error: \(path):3:31: error: no element") })
        #expect(bench.names(of: "config.") == ["config.reloading", "config.reload-failed"])
        #expect(bench.host.configuration == before)
        #expect(bench.host.pipelines.controllers.map(\.condition.rawValue) == ["playing", "playing"])
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aVersionThatDoesNotStartBringsEverythingBack() async throws {
        let bench = try ReloadBench(Self.two + "  gone: { launch: \"\(Self.live())\" }\n")
        let tap = SequenceTap(frame: .milliseconds(10))
        let pipeline = try #require(bench.host.pipelines["b"])
        _ = try pipeline.attach(tap, at: try ElementPad("v.src"))
        for name in ["a", "b", "gone"] { await bench.awaits(name, "playing") }
        let before = bench.host.configuration
        let report = try await bench.reload(
            """
            pipelines:
              a: { launch: "\(Self.live())", background: keep }
              b: { launch: filesrc name=v location=/nowhere ! fakesink }
              d: { launch: "\(Self.live())" }
            """)
        #expect(report.result == .rolledBack)
        let problem = try #require(report.problems.first)
        #expect(problem.message.hasPrefix("pipeline \"b\" does not start: "))
        #expect(problem.span?.description == "\(bench.directory.path("h.yaml")):4:16")
        #expect(report.response.status == 422)
        #expect(bench.host.configuration == before)
        #expect(bench.host.pipelines.controllers.map(\.name) == ["a", "b", "gone"])
        #expect(bench.host.pipelines.controllers.map(\.description) == before.pipelines)
        for name in ["a", "b", "gone"] { await bench.awaits(name, "playing") }
        #expect(bench.names(of: "config.").last == "config.reload-failed")
        #expect(await bench.end() == .asked)
        #expect(tap.seen.breaks == [])
    }

    @Test @HostActor func addsAndRemovesInTheOrderOfTheFile() async throws {
        let bench = try ReloadBench(Self.two)
        await bench.awaits("b", "playing")
        let report = try await bench.reload(
            """
            pipelines:
              c: { launch: "\(Self.live())" }
              b: { launch: "\(Self.live())" }
              d: { launch: fakesrc num-buffers=3 ! fakesink }
            """)
        #expect(report.isApplied, "\(bench.log.elements)")
        #expect(bench.host.pipelines.controllers.map(\.name) == ["c", "b", "d"])
        #expect(bench.host.pipelines["c"]?.hasFirstBuffer == true)
        #expect(report.value["pipelines"]?["removed"] == ["a"])
        #expect(report.value["pipelines"]?["added"] == ["c", "d"])
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func newRulesNeedNoNewBuild() async throws {
        let bench = try ReloadBench(Self.two)
        await bench.awaits("a", "playing")
        await bench.awaits("b", "playing")
        let count = bench.names(of: "pipeline.").count
        let report = try await bench.reload(Self.two.replacing("\" }", with: "\", background: keep }"))
        #expect(report.summary.contains("pipelines: adjusted a, b"))
        #expect(bench.host.pipelines.controllers.allSatisfy { $0.description.background.paused == .keep })
        #expect(bench.names(of: "pipeline.").dropFirst(count).allSatisfy { $0 == "pipeline.first-buffer" })
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aStormOfRequestsIsFewReloads() async throws {
        let bench = try ReloadBench(Self.two)
        await bench.awaits("b", "playing")
        try bench.write(Self.two.replacing("fakesink", with: "identity ! fakesink"))
        for _ in 0..<500 { bench.host.reloader.request() }
        let report = await bench.host.reloader.reload()
        #expect(report.isApplied)
        #expect(bench.names(of: "config.reloading").count <= 2)
        #expect(bench.host.pipelines["b"]?.description.elementNames.contains("identity0") == true)
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func whatIsChangedWhilePausedStaysQuietUntilItIsResumed() async throws {
        let bench = try ReloadBench(Self.two)
        await bench.awaits("b", "playing")
        _ = try await bench.host.pause()
        let report = try await bench.reload(
            Self.two.replacing("fakesink", with: "identity ! fakesink")
                + "  c: { launch: \"\(Self.live())\" }\n  k: { launch: \"\(Self.live())\", background: keep }\n")
        #expect(report.isApplied)
        #expect(
            bench.host.pipelines.controllers.map(\.condition.rawValue) == ["stopped", "stopped", "stopped", "playing"])
        _ = try await bench.host.resume()
        for name in ["a", "b", "c"] { await bench.awaits(name, "playing") }
        #expect(bench.host.pipelines["a"]?.description.elementNames.contains("identity0") == true)
        #expect(await bench.end() == .asked)
    }

    /// A host in which pipeline `b` is in that state on its way to a new version.
    @HostActor private func inTheMiddleOfAReload(at state: String) async throws -> ReloadBench {
        let bench = try ReloadBench(Self.two)
        await bench.awaits("b", "playing")
        try bench.write(Self.two.replacing("fakesink", with: "identity ! fakesink"))
        bench.host.reloader.request()
        await bench.awaits {
            $0.source == "b" && $0.name == "pipeline.state" && $0.payload["state"]?.string == state
        }
        return bench
    }

    /// The pause came between the stop and the start, and the start went ahead in a paused host.
    @Test(arguments: ["stopped", "starting"])
    @HostActor func aPauseInTheMiddleIsFollowed(at state: String) async throws {
        let bench = try await inTheMiddleOfAReload(at: state)
        _ = try await bench.host.pause()
        #expect(await bench.host.reloader.reload().isApplied)
        #expect(bench.host.pipelines.controllers.allSatisfy { $0.condition.rawValue == "stopped" })
        _ = try await bench.host.resume()
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        #expect(bench.host.pipelines["b"]?.description.elementNames.contains("identity0") == true)
        #expect(await bench.end() == .asked)
    }

    @Test(arguments: ["stopped", "starting"])
    @HostActor func aShutDownInTheMiddleEndsInOrder(at state: String) async throws {
        let bench = try await inTheMiddleOfAReload(at: state)
        #expect(await bench.end() == .asked)
        #expect(await bench.host.reloader.reload().result == .abandoned)
    }

    @Test @HostActor func aVersionThatBringsNothingIsGivenUpInTime() async throws {
        let clock = VirtualClock()
        let bench = try ReloadBench(Self.two, clock: clock)
        await bench.awaits("b", "playing")
        try bench.write(Self.two.replacing("framerate=100/1 ", with: "framerate=100/1 ! valve drop=true "))
        bench.host.reloader.request()
        await bench.awaits {
            $0.source == "b" && $0.name == "pipeline.state" && $0.payload["state"]?.string == "starting"
        }
        clock.advance(by: .seconds(22))
        await bench.awaits { $0.name == "config.reload-failed" }
        #expect(bench.host.pipelines.controllers.allSatisfy { !$0.description.elementNames.contains("valve0") })
        for name in ["a", "b"] { await bench.awaits(name, "playing") }
        #expect(await bench.end() == .asked)
    }

    /// Nothing comes on its port, and nothing has to.
    @Test @HostActor func aVersionThatMayWaitForItsMediaIsNotGivenUp() async throws {
        let clock = VirtualClock()
        let bench = try ReloadBench(Self.two, clock: clock)
        await bench.awaits("b", "playing")
        try bench.write(Self.two + "  c: { launch: udpsrc port=0 ! fakesink, start-timeout: never }\n")
        bench.host.reloader.request()
        await bench.awaits("c", "starting")
        try await wait(while: bench.host.pipelines["c"]?.build == nil)
        clock.advance(by: .seconds(1))
        await bench.awaits { $0.name == "config.reloaded" }
        #expect(bench.host.pipelines.controllers.map(\.name) == ["a", "b", "c"])
        #expect(await bench.end() == .asked)
    }

    /// A pipe nobody writes to stands for a network file system that hangs: the host goes on, and so do later reloads.
    @Test @HostActor func aFileThatCannotBeReadInTimeIsGivenUp() async throws {
        let clock = VirtualClock()
        let bench = try ReloadBench("", clock: clock)
        let path = bench.directory.path("h.yaml")
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let waits = clock.pendingCount
        bench.host.reloader.request()
        await bench.awaits { $0.name == "config.reloading" }
        // Its time is measured from when it begins to read.
        try await wait(while: clock.pendingCount <= waits)
        clock.advance(by: .seconds(31))
        await bench.awaits { $0.name == "config.reload-failed" }
        #expect(bench.log.elements.contains { $0.contains("took longer than 30s") })
        // Lets the worker go that still waits.
        close(open(path, O_WRONLY))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await bench.reload("").isApplied)
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func aPipelineThatFailedStartsWhenItIsMended() async throws {
        let bench = try ReloadBench(
            Self.two + "  c: { launch: filesrc location=/nowhere ! fakesink, restart: never }\n")
        await bench.awaits("c", "failed")
        let report = try await bench.reload(Self.two + "  c: { launch: \"\(Self.live())\" }\n")
        #expect(report.isApplied, "\(bench.log.elements)")
        #expect(bench.host.pipelines["c"]?.hasFirstBuffer == true)
        #expect(await bench.end() == .asked)
    }

    @Test @HostActor func howAPipelineHadEndedIsNotForgottenWhereAReloadFails() async throws {
        let bench = try ReloadBench(
            Self.two + """
                  failed: { launch: filesrc name=lost location=/nowhere ! fakesink, restart: never }
                  finished: { launch: fakesrc num-buffers=2 ! fakesink }

                """)
        for (name, state) in [("a", "playing"), ("b", "playing"), ("failed", "failed"), ("finished", "finished")] {
            await bench.awaits(name, state)
        }
        let report = try await bench.reload(
            Self.two + """
                  failed: { launch: filesrc location=/nowhere ! identity ! fakesink, restart: never }
                  finished: { launch: fakesrc num-buffers=3 ! fakesink }

                """)
        #expect(report.result == .rolledBack)
        #expect(
            bench.host.pipelines.controllers.map(\.condition.rawValue) == ["playing", "playing", "failed", "finished"])
        #expect(bench.host.pipelines["failed"]?.failure?.element == "lost")
        #expect(await bench.end() == .asked)
    }

    /// It was no capture any more, and a resume tries only those again.
    @Test @HostActor func aCaptureThatHadFailedIsTriedAgainAfterAReloadThatFailed() async throws {
        let place = try TemporaryDirectory()
        let later = place.path("later")
        let camera =
            "  c: { launch: \"audiotestsrc is-live=true ! filesink location=\(later)/sound\", restart: never }\n"
        let bench = try ReloadBench(Self.two + camera)
        for (name, state) in [("a", "playing"), ("b", "playing"), ("c", "failed")] { await bench.awaits(name, state) }
        let report = try await bench.reload(
            Self.two + "  c: { launch: filesrc location=/nowhere ! fakesink, restart: never }\n")
        #expect(report.result == .rolledBack)
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: true)
        await withCheckedContinuation { done in bench.host.pipelines.follow(.paused) { done.resume() } }
        await withCheckedContinuation { done in bench.host.pipelines.follow([]) { done.resume() } }
        await bench.awaits("c", "playing")
        #expect(await bench.end() == .asked)
    }

    /// What the old version needs is gone by the time it is to come back.
    @Test @HostActor func anOldVersionThatDoesNotComeBackIsSaidToBeLost() async throws {
        let directory = try TemporaryDirectory()
        let media = directory.path("media")
        // At a byte in a millisecond it does not end before the test does, however busy the machine is.
        try Data(repeating: 7, count: 1 << 22).write(to: URL(fileURLWithPath: media))
        let old =
            "pipelines: { a: { launch: \"filesrc name=source location=\(media) blocksize=1 ! identity sleep-time=1000 "
            + "! fakesink\", restart: never } }"
        let bench = try ReloadBench(old)
        await bench.awaits("a", "playing")
        try FileManager.default.removeItem(atPath: media)
        let report = try await bench.reload(
            "pipelines: { a: { launch: filesrc location=/nowhere ! fakesink, restart: never } }")
        #expect(report.result == .broken)
        #expect(report.problems.count == 2)
        #expect(report.summary.contains("not all of the old came back: 2 errors"))
        #expect(bench.names(of: "config.").last == "config.reload-failed")
    }

    /// It was the only one, so the host ended instead of going back.
    @Test @HostActor func theOnlyPipelineMayFailAndComeBack() async throws {
        let bench = try ReloadBench("pipelines: { a: { launch: \"\(Self.live())\" } }")
        await bench.awaits("a", "playing")
        let report = try await bench.reload("pipelines: { a: { launch: filesrc location=/nowhere ! fakesink } }")
        #expect(report.result == .rolledBack)
        #expect(!bench.host.isEnding)
        #expect(bench.host.pipelines["a"]?.hasFirstBuffer == true)
        #expect(await bench.end() == .asked)
    }
}
