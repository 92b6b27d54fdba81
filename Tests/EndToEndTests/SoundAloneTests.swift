import Foundation
import Testing

/// Sound without pictures, and pictures again, in a running host.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SoundAloneTests {
    /// How many buffers have come to a sink so far.
    private func count(_ host: MediahostProcess, _ place: String) async throws -> Int {
        let text = try await host.ask("metrics").output
        let prefix = "mediahost_pipeline_buffers_total{pipeline=\"player\",place=\"\(place)\"} "
        let line = text.split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Int($0.dropFirst(prefix.count)) } ?? 0
    }

    private func grows(_ host: MediahostProcess, _ place: String) async throws {
        let before = try await count(host, place)
        try await Deadline.poll("more at \(place)") { try await count(host, place) > before + 5 ? true : nil }
    }

    private func player(
        _ launch: String, _ more: String = "", _ body: (MediahostProcess) async throws -> Void
    ) async throws {
        let config = """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  \(launch)
                \(more)
            """
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline player: playing")
            try await body(host)
            try await host.terminate()
        }
    }

    /// The pictures go from all views, and come back to all; the sound plays on.
    private func goesAndComesBack(_ launch: String, views: [String]) async throws {
        try await player(launch, "on-eos: loop") { host in
            for view in views { try await grows(host, view) }
            try await host.becomes("audio")
            let line = try await host.log.next(containing: "pipeline player: audio only; at rest: ")
            for view in views { #expect(line.contains(view)) }
            var seen: [Int] = []
            for view in views { try await seen.append(count(host, view)) }
            try await grows(host, "ears")
            for (view, before) in zip(views, seen) { #expect(try await count(host, view) == before) }
            try await host.becomes("video")
            try await host.log.next(containing: "pipeline player: video again")
            for view in views { try await grows(host, view) }
            try await grows(host, "ears")
        }
    }

    /// The network stops while no pictures are shown: the sound stops when its queues are empty, and goes on with the pictures.
    @Test func aNetworkThatStopsIsWaitedFor() async throws {
        let place = try Workplace()
        let clip = place.path("clip.mkv")
        let video =
            "videotestsrc pattern=snow num-buffers=1500 ! video/x-raw,width=64,height=48,framerate=25/1"
            + " ! x264enc tune=zerolatency key-int-max=50 ! h264parse ! mux."
        let audio = "audiotestsrc num-buffers=2813 ! audio/x-raw,rate=48000,channels=1 ! opusenc ! opusparse ! mux."
        try await Tool.require(
            "gst-launch-1.0",
            ["-q"] + "\(video) \(audio)".split(separator: " ").map(String.init)
                + ["matroskamux", "name=mux", "!", "filesink", "location=\(clip)"], in: "/")
        let server = try ChildProcess(
            MockService.python, ["\(Workplace.fixtures)/slow-http.py", clip], environment: Workplace.environment([:]),
            directory: place.directory)
        defer { server.send(SIGKILL) }
        let port = try await server.output.next(containing: "port ").split(separator: " ").last ?? ""
        let launch =
            "playbin3 uri=http://127.0.0.1:\(port)/clip.mkv buffer-duration=1000000000"
            + " video-sink=\"fakesink name=eyes sync=true\" audio-sink=\"fakesink name=ears sync=true\""
        try await player(launch) { host in
            try await host.becomes("audio")
            server.send(SIGUSR2)
            try await host.log.next(containing: "pipeline player: warning: buffering: its queues fill")
            let (seen, heard) = (try await count(host, "eyes"), try await count(host, "ears"))
            server.send(SIGUSR1)
            try await host.log.next(containing: "pipeline player: playing")
            try await grows(host, "ears")
            #expect(try await count(host, "eyes") == seen && heard > 0)
            try await host.becomes("video")
            try await grows(host, "eyes")
        }
    }

    @Test func twoViewsBehindATeeGoAndComeBack() async throws {
        try await goesAndComesBack(
            "filesrc location=\(PlaybackTests.clip.value) ! qtdemux name=d d.video_0 ! queue ! h264parse ! avdec_h264"
                + " ! tee name=t t. ! queue ! fakesink name=inline sync=true t. ! queue ! fakesink name=full sync=true"
                + " d.audio_0 ! queue ! aacparse ! avdec_aac ! fakesink name=ears sync=true",
            views: ["inline", "full"])
    }

    private static func decoded() async throws -> String {
        "uridecodebin3 uri=file://\(try await PlaybackTests.clip.value) name=d"
            + " d. ! queue ! videoconvert ! fakesink name=eyes sync=true"
            + " d. ! queue ! audioconvert ! fakesink name=ears sync=true"
    }

    private static func launch(_ kind: String) async throws -> String {
        if kind == "decoded" { return try await decoded() }
        return "playbin3 uri=file://\(try await PlaybackTests.clip.value) video-sink=\"fakesink name=eyes sync=true\""
            + " audio-sink=\"fakesink name=ears sync=true\""
    }

    @Test func whatURIDecodeBinDecodesGoesAndComesBack() async throws {
        try await goesAndComesBack(Self.decoded(), views: ["eyes"])
    }

    /// What each element of a kind is in, as the graph shows it.
    private func states(of factories: Set<String>, _ host: MediahostProcess) async throws -> [String?] {
        let graph = try JSON(try await host.ask("pipeline", "graph", "player", "--format", "json").output)
        return graph["elements"].list.filter { $0["factory"].string.map(factories.contains) == true }.map(
            \.["state"].string)
    }

    /// Not only hidden: the decoder and the sink give back what they have when the next key frame (2 s) is due.
    @Test(arguments: ["playbin", "decoded"]) func theDecoderIsGivenBack(kind: String) async throws {
        try await player(Self.launch(kind), "on-eos: loop") { host in
            let before = try await states(of: ["avdec_h264"], host)
            #expect(before == ["playing"])
            try await host.becomes("audio")
            try await Deadline.poll("the decoder to end", within: .seconds(60)) {
                try await states(of: ["avdec_h264"], host) == ["null"] ? true : nil
            }
            #expect(try await states(of: ["avdec_aac"], host) == ["playing"])
            let sinks = try await states(of: ["fakesink"], host)
            #expect(Set(sinks) == ["null", "playing"] && sinks.count == 2)
            try await grows(host, "ears")
            try await host.becomes("video")
            try await grows(host, "eyes")
            let after = try await states(of: ["avdec_h264", "fakesink"], host)
            #expect(after == ["playing", "playing", "playing"])
        }
    }

    /// The picture where it stands, not nothing until the resume.
    @Test(arguments: ["playbin", "decoded"]) func anUnlockOfAPausedHostShowsWhereItStands(kind: String) async throws {
        try await player(Self.launch(kind), "on-eos: loop\n    background: { locked: audio-only, paused: pause }") {
            host in
            try await grows(host, "eyes")
            #expect(try await host.answer("lock")["state"].string == "running")
            try await host.log.next(containing: "pipeline player: audio only")
            #expect(try await host.answer("pause")["state"].string == "paused")
            let before = try await count(host, "eyes")
            #expect(try await host.answer("unlock")["state"].string == "paused")
            try await Deadline.poll("the picture") { try await count(host, "eyes") > before ? true : nil }
            #expect(try await host.answer("status")["pipelines"]["player"]["state"].string == "paused")
            #expect(try await host.answer("resume")["state"].string == "running")
            try await grows(host, "eyes")
            try await grows(host, "ears")
        }
    }

    /// A new build of a locked host began with its pictures, which were taken out only when it played.
    @Test(arguments: ["playbin", "decoded"]) func aResumeBehindTheLockShowsNoPicture(kind: String) async throws {
        try await player(Self.launch(kind), "background: { locked: audio-only, paused: stop }\n    on-eos: loop") {
            host in
            try await grows(host, "eyes")
            #expect(try await host.ask("lock").ending == .exit(0))
            try await host.log.next(containing: "pipeline player: audio only; at rest: eyes")
            #expect(try await host.ask("pause").ending == .exit(0))
            let before = try await count(host, "eyes")
            #expect(try await host.ask("resume").ending == .exit(0))
            try await grows(host, "ears")
            try await Deadline.poll("it plays") {
                try await host.answer("status")["pipelines"]["player"]["state"].string == "playing" ? true : nil
            }
            #expect(try await host.answer("pipeline", "position", "player")["mode"].string == "audio")
            #expect(try await count(host, "eyes") == before)
            #expect(try await host.ask("unlock").ending == .exit(0))
            try await host.log.next(containing: "pipeline player: video again")
            try await grows(host, "eyes")
        }
    }
}
