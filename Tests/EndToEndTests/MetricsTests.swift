import Foundation
import Testing

/// `mediahost metrics` of a host that runs the C example.
@Suite(.timeLimit(.minutes(10)))
struct MetricsTests {
    private static let config = """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc is-live=true name=v ! fakesink } }
        plugins: { counter: { module: FrameCounter, pad: camera/v.src, every: 5 } }
        """

    @Test func theExampleCountsWhereEverybodyCanRead() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            let asked = try await host.answer("call", "counter.count")["buffers"].int ?? 0
            let text = try await host.ask("metrics").output
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.contains("# TYPE mediahost_plugin_buffers_total counter"))
            #expect(lines.contains("# HELP mediahost_plugin_buffers_total Buffers that have passed the pad."))
            let prefix = #"mediahost_plugin_buffers_total{plugin="counter"} "#
            let line = try #require(lines.first { $0.hasPrefix(prefix) }, "\(text)")
            #expect(try #require(Int(line.dropFirst(prefix.count))) >= asked)
            #expect(lines.contains(#"mediahost_pipeline_state{pipeline="camera",state="playing"} 1"#))
            #expect(lines.contains(#"mediahost_pipeline_state{pipeline="camera",state="failed"} 0"#))
            #expect(lines.contains(#"mediahost_instance_up{plugin="counter"} 1"#))
            #expect(lines.contains(#"mediahost_instance_faults_total{plugin="counter",fault="ignored_answers"} 0"#))
            let status = try await host.answer("status")["plugins"]["counter"]["metrics"]
            #expect(try #require(status["buffers_total"].int) >= asked)
            let start = try #require(lines.first { $0.hasPrefix("mediahost_start_time_seconds ") })
            let seconds = try #require(Double(start.split(separator: " ")[1]))
            #expect(abs(seconds - Date().timeIntervalSince1970) < 120)
            try await host.terminate()
        }
    }
}
