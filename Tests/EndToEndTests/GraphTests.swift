import Foundation
import Testing

/// `mediahost graph`, from a file and of a running host.
@Suite(.timeLimit(.minutes(10)))
struct GraphTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=25/1 ! fakesink name=end
          recorder: { launch: v4l2src device=/dev/video77 ! filesink location=record.bin, background: pause }
        """

    private func graph(
        _ arguments: [String], path: String? = nil, in place: Workplace
    ) async throws -> Tool.Result {
        try place.write(Self.config, to: "config.yaml")
        return try await Tool.run(
            Workplace.mediahost, ["graph"] + arguments, environment: path.map { ["PATH": $0] } ?? [:],
            in: place.directory)
    }

    /// A `dot` that says what it was asked.
    private func graphviz(_ script: String, in place: Workplace) async throws -> String {
        try FileManager.default.createDirectory(atPath: place.path("bin"), withIntermediateDirectories: true)
        try await place.writeExecutable("#!/bin/sh\n\(script)\n", to: "bin/dot")
        return "\(place.path("bin")):/usr/bin:/bin"
    }

    /// Neither the device nor the file is opened.
    @Test func fileIsDrawnWithoutOpeningAnything() async throws {
        let place = try Workplace()
        let all = try await graph(["config.yaml"], in: place)
        #expect(all.ending == .exit(0), "\(all.errors)")
        #expect(all.output.split(separator: "digraph ").count == 2)
        #expect(all.output.contains(#"device=\"/dev/video77\""#) && all.output.contains(#"GstFakeSink\nend"#))
        #expect(!place.exists("record.bin"))
        let one = try await graph(["config.yaml", "recorder", "--output", "one.dot"], in: place)
        #expect(one.ending == .exit(0) && one.output == "")
        let written = try String(contentsOfFile: place.path("one.dot"), encoding: .utf8)
        #expect(written.hasPrefix("digraph ") && !written.contains("GstVideoTestSrc"))
    }

    @Test func runningPipelineIsDrawnWithItsCaps() async throws {
        let place = try Workplace()
        try place.write(Self.config, to: "config.yaml")
        let running = Self.config.split(separator: "\n").dropLast().joined(separator: "\n")
        try await withHost(running, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let live = try await host.ask("graph", "camera")
            #expect(live.ending == .exit(0), "\(live.errors)")
            #expect(live.output.hasPrefix("digraph ") && live.output.contains(#"GstFakeSink\nend\n[>]"#))
            // Negotiated, and asked for by nobody.
            #expect(live.output.contains("pixel-aspect-ratio"), "\(live.output)")
            let wrong = try await host.ask("graph", "camra")
            #expect(wrong.ending == .exit(1))
            #expect(
                wrong.errors
                    == "mediahost graph: there is no pipeline \"camra\"; did you mean \"camera\"? (pipelines: camera)\n"
            )
            try await host.terminate()
        }
    }

    @Test func svgIsDrawnByGraphviz() async throws {
        let place = try Workplace()
        let path = try await graphviz(#"[ "$*" = -Tsvg ] && echo "<svg>$(wc -l)</svg>""#, in: place)
        let drawn = try await graph(["config.yaml", "camera", "-o", "camera.svg"], path: path, in: place)
        #expect(drawn.ending == .exit(0), "\(drawn.errors)")
        let svg = try String(contentsOfFile: place.path("camera.svg"), encoding: .utf8)
        let lines = try #require(Int(svg.dropFirst(5).prefix { $0.isNumber }))
        #expect(lines > 20 && svg.hasSuffix("</svg>\n"))
        let several = try await graph(["config.yaml", "--format", "svg"], path: path, in: place)
        #expect(several.ending == .exit(1))
        #expect(several.errors == "mediahost graph: an SVG holds one pipeline: name one of camera, recorder\n")
    }

    @Test func missingOrBrokenGraphvizIsExplained() async throws {
        let place = try Workplace()
        let without = try await graph(["config.yaml", "camera", "-f", "svg"], path: "/nowhere", in: place)
        #expect(without.ending == .exit(1) && without.output == "")
        #expect(without.errors.contains("install it (`apt install graphviz`), or take `--format dot`"))
        let path = try await graphviz("echo 'syntax error' >&2; exit 3", in: place)
        let broken = try await graph(["config.yaml", "camera", "-f", "svg"], path: path, in: place)
        #expect(broken.ending == .exit(1))
        #expect(broken.errors == "syntax error\nmediahost graph: `dot -Tsvg` failed with exit code 3\n")
    }

    @Test(arguments: [
        ([], 2, "give a config file"), (["config.yaml", "--format", "png"], 2, #"takes dot or svg, not "png""#),
        (["--live"], 2, "give one pipeline of the running host"),
        (["config.yaml", "camra"], 1, #"did you mean "camera"?"#),
        (["absent.yaml"], 3, "cannot read absent.yaml"),
        (["camera", "--socket", "/nowhere/s"], 4, "no mediahost answers"),
    ])
    func mistakesAreExplained(_ arguments: [String], _ code: Int32, _ text: String) async throws {
        let result = try await graph(arguments, in: Workplace())
        #expect(result.ending == .exit(code))
        #expect(result.errors.contains(text), "\(result.errors)")
    }
}
