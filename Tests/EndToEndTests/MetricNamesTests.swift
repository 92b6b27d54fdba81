import Foundation
import Testing

/// What `mediahost metrics` prints, by Prometheus' rules.
@Suite(.timeLimit(.minutes(10)))
struct MetricNamesTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc is-live=true name=v ! video/x-raw,width=64,height=48 ! x264enc tune=zerolatency ! h264parse name=encoded
              ! fakesink name=end
          broken: { launch: "filesrc location=/nowhere/at/all ! fakesink", restart: never }
        plugins: { replay: { module: ReplayBuffer, video: camera/encoded.src } }
        """

    @Test func everyFamilyIsAsPrometheusWantsIt() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            _ = try await host.ask("call", "replay.save", "to=nothing.txt")
            let text = try await host.ask("metrics").output
            check(text)
            for line in [
                #"mediahost_pipeline_buffers_total{pipeline="camera",place="end"} "#,
                #"mediahost_pipeline_bytes_total{pipeline="camera",place="v"} "#,
                #"mediahost_pipeline_latency_seconds{pipeline="camera"} 0"#,
                #"mediahost_pipeline_cpu_seconds_total{pipeline="camera"} 0."#,
                #"mediahost_instance_calls_total{plugin="replay",function="invoke"} 1"#,
                #"mediahost_instance_errors_total{plugin="replay"} 1"#,
                "process_resident_memory_bytes ", "process_open_fds ", "process_cpu_seconds_total ",
            ] { #expect(text.contains("\n\(line)"), "\(line) in \(text)") }
            try place.write(text, to: "metrics.txt")
            // Where promtool was not there this passed all the same, and nobody saw that nothing was checked.
            let promtool = try #require(Self.promtool, "there is no promtool; `scripts/bootstrap` brings it")
            let lint = try await Tool.run(
                "/bin/sh", ["-c", #""$1" check metrics < metrics.txt"#, "sh", promtool], in: place.directory)
            #expect(lint.ending == .exit(0) && lint.errors.isEmpty && lint.output.isEmpty, "\(lint)")
        }
    }

    /// Prometheus' own tool: the machine's, or the one that scripts/bootstrap has unpacked.
    private static let promtool =
        ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
            "\($0)/promtool"
        } + ["\(Workplace.checkout)/.build/tools/promtool"]).first { FileManager.default.isExecutableFile(atPath: $0) }

    private func check(_ text: String) {
        var types: [String: String] = [:]
        var helped: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                #expect(helped.insert(words[2]).inserted && words.count == 4, "\(line)")
            } else if line.hasPrefix("# TYPE ") {
                #expect(types[words[2]] == nil && helped.contains(words[2]), "\(line)")
                types[words[2]] = words[3]
            } else {
                let name = String(line.prefix { $0 != "{" && $0 != " " })
                #expect(name.allSatisfy { $0 == "_" || ($0.isLowercase && $0.isASCII) || $0.isNumber }, "\(line)")
                #expect((types[name] == "counter") == name.hasSuffix("_total"), "\(line)")
                #expect(!name.hasSuffix("_ns") && !name.hasSuffix("_ms") && types[name] != nil, "\(line)")
                #expect(name.hasPrefix("mediahost_") || name.hasPrefix("process_"), "\(line)")
            }
        }
        #expect(types.count > 20)
    }
}
