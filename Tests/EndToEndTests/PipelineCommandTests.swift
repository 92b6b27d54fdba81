import Foundation
import Testing

/// `mediahost pipeline list|show|restart|graph` of a running host.
@Suite(.timeLimit(.minutes(10)))
struct PipelineCommandTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: videotestsrc name=source is-live=true pattern=ball ! video/x-raw,width=64,height=48 ! fakesink name=end
            settable: [source.pattern]
          later: { launch: videotestsrc is-live=true ! fakesink, autostart: false }
        """

    @Test func whatRunsIsListedAndShown() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let table = try await host.ask("pipeline", "list").output.split(separator: "\n")
            #expect(table.first?.hasPrefix("NAME    STATE    HEALTH  RESTARTS  POSITION  REASON") == true, "\(table)")
            #expect(
                table.count == 3 && table.last?.hasPrefix("later   stopped  idle    0         -") == true, "\(table)")
            let list = try await JSON(host.ask("pipeline", "list", "--json").output)
            #expect(list.list[0]["name"].string == "camera" && list.list[0]["health"].string == "good")
            // Each is asked for as long as an answer of many may take.
            try await Deadline.poll("a position") {
                try await host.answer("pipeline", "list").list[0]["position_ns"].int ?? 0 > 0 ? true : nil
            }
            let camera = try await Deadline.poll("all of its details") {
                let camera = try await host.answer("pipeline", "show", "camera")
                return camera["settable"].list[0]["value"].string == nil ? nil : camera
            }
            #expect(camera["settable"].list[0]["property"].string == "source.pattern")
            #expect(camera["settable"].list[0]["value"].string == "ball")
            #expect(camera["launch"].string?.hasPrefix("videotestsrc name=source") == true)
            #expect(camera["elements"].list[0].string == "source" && camera["first_buffer"].bool == true)
            let later = try await JSON(host.ask("pipeline", "show", "later", "--json").output)
            #expect(later["state"].string == "stopped" && later["position_ns"].int == nil)
            let wrong = try await host.ask("pipeline", "show", "camra")
            #expect(wrong.ending == .exit(1) && wrong.errors.contains("did you mean \"camera\"?"))
        }
    }

    @Test func aRestartBuildsItAnew() async throws {
        try await withHost(Self.config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let before = try await JSON(host.ask("pipeline", "show", "camera", "--json").output)["epoch"].int
            #expect(try await host.ask("pipeline", "restart", "camera").ending == .exit(0))
            try await host.log.next(containing: "pipeline camera: playing")
            let after = try await JSON(host.ask("pipeline", "show", "camera", "--json").output)["epoch"].int
            #expect(try #require(after) > (before ?? .max))
        }
    }

    @Test func aGraphIsTextAPictureOrATree() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("bin"), withIntermediateDirectories: true)
        try await place.writeExecutable("#!/bin/sh\necho \"<svg>$(wc -l)</svg>\"\n", to: "bin/dot")
        try await withHost(Self.config, in: place, environment: ["PATH": "\(place.path("bin")):/usr/bin:/bin"]) {
            host in
            try await host.log.next(containing: "pipeline camera: playing")
            #expect(try await host.ask("pipeline", "graph", "camera").output.hasPrefix("digraph "))
            let svg = try await host.ask("pipeline", "graph", "camera", "--format", "svg")
            #expect(svg.output.hasPrefix("<svg>"), "\(svg.errors)")
            let tree = try await JSON(host.ask("pipeline", "graph", "camera", "--format", "json").output)
            let links = tree["links"].list
            #expect(Set(links.map { $0["from"].string ?? "" }) == ["source.src", "capsfilter0.src"])
            #expect(links.contains { $0["to"].string == "end.sink" })
            #expect(links.allSatisfy { $0["caps"].string?.contains("width=(int)64") == true })
            #expect(tree["elements"].list.map { $0["name"].string } == ["capsfilter0", "end", "source"])
            let none = try await host.ask("pipeline", "graph", "later")
            #expect(none.ending == .exit(1) && none.errors.contains("is stopped: there is nothing to draw"))
            #expect(try await host.ask("pipeline", "graph", "camera", "-f", "png").ending == .exit(2))
        }
    }

    @Test func aHostWithoutGraphvizSaysWhatToInstall() async throws {
        try await withHost(Self.config, in: Workplace(), environment: ["PATH": "/nowhere"]) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let without = try await host.ask("pipeline", "graph", "camera", "--format", "svg")
            #expect(without.ending == .exit(1) && without.errors.contains("install it (`apt install graphviz`)"))
        }
    }

    @Test func aWatchedPropertyIsToldOverEveryBuild() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let watcher = try ChildProcess(
                Workplace.mediahost,
                [
                    "events", "--follow", "--watch", "camera/source.pattern", "--filter", "pipeline.property",
                    "--socket",
                    host.socket,
                ], environment: Workplace.environment(), directory: place.directory)
            func tells(_ value: String) async throws {
                try await watcher.output.next(
                    containing: #"camera: pipeline.property {"property":"source.pattern","value":"\#(value)"}"#)
            }
            try await tells("ball")
            #expect(try await host.ask("set", "camera", "source.pattern=snow").ending == .exit(0))
            try await tells("snow")
            #expect(try await host.ask("pipeline", "restart", "camera").ending == .exit(0))
            try await host.log.next(containing: "pipeline camera: playing")
            #expect(try await host.ask("set", "camera", "source.pattern=smpte").ending == .exit(0))
            try await tells("smpte")
            watcher.send(SIGINT)
            #expect(try await watcher.end() == .exit(0))
            let wrong = try await host.ask("events", "--watch", "camera/sorce.pattern")
            #expect(wrong.ending == .exit(1) && wrong.errors.contains("did you mean \"source\"?"))
            let unknown = try await host.ask("events", "--watch", "camera/source.patern")
            #expect(unknown.ending == .exit(1), "\(unknown)")
            #expect(
                unknown.errors.contains(
                    #"element "source" of pipeline camera has no property "patern"; did you mean "pattern"?"#),
                "\(unknown)")
            #expect(try await host.ask("events", "--watch", "later/videotestsrc0.nothing").ending == .exit(1))
            #expect(try await host.ask("events", "--watch", "camera").ending == .exit(2))
        }
    }
}
