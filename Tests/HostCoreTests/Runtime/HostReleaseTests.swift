import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// That nothing keeps a host after its end. The leak sanitizer does not see it: what is referred to weakly it passes over.
@Suite struct HostReleaseTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// What a host is made of, by name, as long as it is there.
    @HostActor
    private final class Remains {
        private struct Part {
            let name: String
            weak let object: AnyObject?
        }

        private var parts: [Part] = []

        func follow(_ name: String, _ object: AnyObject?) {
            #expect(object != nil, "\(name)")
            parts.append(Part(name: name, object: object))
        }

        var names: [String] { parts.filter { $0.object != nil }.map(\.name) }
    }

    private static func config(window: String) -> String {
        """
        pipelines:
          camera:
            launch: >-
              videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=30/1
              ! x264enc tune=zerolatency key-int-max=10 ! h264parse name=encoded ! fakesink
          film:
            launch: >-
              videotestsrc ! video/x-raw,width=64,height=48,framerate=25/1 ! queue ! fakesink sync=true
              audiotestsrc ! queue ! fakesink sync=true
            background: { locked: audio-only, paused: pause }
        plugins:
          ring: { module: ReplayBuffer, video: camera/encoded.src, window: \(window), memory: 1MiB }
        rules:
          - { when: lifecycle.suspended, pipeline: { stop: camera } }

        """
    }

    @Test(.timeLimit(.minutes(10))) @HostActor func nothingIsLeftOfAHostThatHasEnded() async throws {
        let remains = Remains()
        try await live(remains)
        try await wait(while: !remains.names.isEmpty)
    }

    /// A life with what lives long in it: taps, a mode, a pause, a seek, a reload.
    @HostActor private func live(_ remains: Remains) async throws {
        let bench = try ReloadBench(Self.config(window: "1s"), plugins: [TestProducts.directory])
        let host = bench.host
        for pipeline in ["camera", "film"] { await bench.awaits(pipeline, "playing") }
        remains.follow("the first build", host.pipelines["film"]?.build?.pipeline)
        remains.follow("the first instance", host.plugins["ring"])
        host.lifecycle.change(adding: .locked)
        try await wait(while: host.pipelines["film"]?.modes.mode != .audio)
        host.lifecycle.change(removing: .locked)
        try await wait(while: host.pipelines["film"]?.modes.mode != .video)
        try await host.pipelines["film"]?.seek(to: .seconds(5), rate: nil, isAccurate: true)
        host.lifecycle.change(adding: .paused)
        await bench.awaits("film", "paused")
        host.lifecycle.change(removing: .paused)
        await bench.awaits("film", "playing")
        let report = try await bench.reload(Self.config(window: "2s"))
        #expect(report.isApplied, "\(report.problems)")
        await bench.awaits("camera", "playing")

        remains.follow("the host", host)
        remains.follow("the lifecycle", host.lifecycle)
        remains.follow("the events", host.events)
        remains.follow("the rules", host.rules)
        remains.follow("the login", host.login)
        remains.follow("the outputs", host.outputs)
        remains.follow("the inputs", host.inputs)
        remains.follow("the reloader", host.reloader)
        remains.follow("the plugins", host.plugins)
        remains.follow("an instance", host.plugins["ring"])
        for name in ["camera", "film"] {
            remains.follow("pipeline \(name)", host.pipelines[name])
            remains.follow("the build of \(name)", host.pipelines[name]?.build?.pipeline)
        }
        #expect(await bench.end() == .asked)
    }
}
