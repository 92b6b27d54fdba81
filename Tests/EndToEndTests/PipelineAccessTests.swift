import Foundation
import Testing

/// A plugin that works on GStreamer's own objects, over builds, a failure of its own pipeline, and the end.
@Suite(.timeLimit(.minutes(10)))
struct PipelineAccessTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera: { launch: videotestsrc is-live=true name=source ! fakesink }
        plugins: { prober: { module: Prober } }
        """

    @Test func eachBuildIsShownAndTakenBack() async throws {
        try await withHost(Self.config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            for _ in 0..<3 {
                try await host.log.next(containing: "built camera")
                try await host.log.next(containing: "first buffer at ")
                #expect(try await host.ask("stop", "camera").ending == .exit(0))
                try await host.log.next(containing: "released camera with buffers")
                #expect(try await host.ask("start", "camera").ending == .exit(0))
            }
            try await host.log.next(containing: "first buffer at ")
            try await host.terminate()
            #expect(host.log.text.components(separatedBy: "plugin prober: built camera").count == 5)
            #expect(host.log.text.components(separatedBy: "plugin prober: released camera").count == 5)
            #expect(!host.log.text.contains("CRITICAL") && !host.log.text.contains("lost"))
        }
    }
}
