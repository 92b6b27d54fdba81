import Foundation
import Testing

/// One pipeline as its user's player, in a running host.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PlaybackTests {
    static let clip = Task {
        let place = try Workplace(inProducts: "EndToEndTests.clip")
        let path = place.path("clip.mp4")
        let video =
            "videotestsrc pattern=ball num-buffers=1500 ! video/x-raw,width=160,height=120,framerate=25/1 ! x264enc key-int-max=50 ! h264parse ! mux."
        let audio = "audiotestsrc num-buffers=2813 ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! aacparse ! mux."
        try await Tool.require(
            "gst-launch-1.0",
            ["-q"] + "\(video) \(audio)".split(separator: " ").map(String.init)
                + ["mp4mux", "name=mux", "!", "filesink", "location=\(path)"], in: "/")
        return path
    }

    private func player(_ body: (MediahostProcess) async throws -> Void) async throws {
        let config = """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  playbin3 uri=file://\(try await Self.clip.value) video-sink="fakesink name=eyes sync=true"
                  audio-sink="fakesink name=ears sync=true"
                on-eos: loop
              tone: { launch: audiotestsrc is-live=true ! fakesink }
              picture: { launch: videotestsrc is-live=true ! fakesink }
            """
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline player: playing")
            try await body(host)
            try await host.terminate()
        }
    }

    @discardableResult
    private func ask(_ host: MediahostProcess, _ words: String...) async throws -> JSON {
        try await host.answer(["pipeline"] + words)
    }

    private func position(_ answer: JSON) -> Double { Double(answer["position_ns"].int ?? -1) / 1e9 }

    @Test func picturesGoAndComeBackWhileItPlays() async throws {
        try await player { host in
            try await host.becomes("audio")
            try await host.log.next(containing: "pipeline player: audio only; at rest: eyes")
            let before = try await position(ask(host, "position", "player"))
            try await Deadline.poll("it plays on") {
                try await position(ask(host, "position", "player")) > before + 0.3 ? true : nil
            }
            #expect(try await host.answer("status")["pipelines"]["player"]["mode"].string == "audio")
            try await host.becomes("video")
            try await host.log.next(containing: "pipeline player: video again")
            // Without pictures, or with nothing else: left as it is.
            #expect(try await ask(host, "mode", "tone", "audio")["state"].string == "playing")
            #expect(try await ask(host, "mode", "picture", "audio")["state"].string == "playing")
        }
    }

    /// `background: { locked: audio-only }`; what its user chose comes back with the unlock.
    @Test func aLockedHostGoesOnWithItsSound() async throws {
        let config = """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  playbin3 uri=file://\(try await Self.clip.value) video-sink="fakesink name=eyes sync=true"
                  audio-sink="fakesink name=ears sync=true"
                background: { locked: audio-only, paused: pause }
                on-eos: loop
            """
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline player: playing")
            #expect(try await host.ask("lock").ending == .exit(0))
            try await host.log.next(containing: "pipeline player: audio only; at rest: eyes")
            let locked = try await ask(host, "position", "player")
            #expect(locked["mode"].string == "audio" && locked["state"].string == "playing")
            // Pictures that are asked for meanwhile wait for the unlock; paused, it stays without.
            #expect(try await ask(host, "mode", "player", "video")["mode"].string == "audio")
            #expect(try await host.ask("pause").ending == .exit(0))
            #expect(try await host.ask("resume").ending == .exit(0))
            #expect(try await ask(host, "position", "player")["mode"].string == "audio")
            #expect(try await host.ask("unlock").ending == .exit(0))
            try await host.log.next(containing: "pipeline player: video again")
            try await ask(host, "mode", "player", "audio")
            #expect(try await host.ask("lock").ending == .exit(0))
            #expect(try await host.ask("unlock").ending == .exit(0))
            #expect(try await ask(host, "position", "player")["mode"].string == "audio")
            try await host.terminate()
        }
    }

    /// `background: stop` ends the build, and not what its user was in the middle of.
    @Test func whatWasStoppedForAWhileGoesOnWhereItWas() async throws {
        let config = """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  playbin3 uri=file://\(try await Self.clip.value) video-sink="fakesink name=eyes sync=true"
                  audio-sink="fakesink name=ears sync=true"
                background: stop
                on-eos: loop
            """
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline player: playing")
            // Slow enough for a machine that is.
            try await ask(host, "rate", "player", "0.1")
            try await ask(host, "seek", "player", "20s")
            #expect(try await host.ask("pause").ending == .exit(0))
            let stopped = try await ask(host, "position", "player")
            let place = Double(try #require(stopped["next_position_ns"].int)) / 1e9
            #expect(stopped["state"].string == "stopped" && place >= 20 && place < 40)
            #expect(try await host.ask("resume").ending == .exit(0))
            let resumed = try await awaitPosition(host) { $0 >= place }
            #expect(resumed["rate"].double == 0.1)
            // One that its user had paused shows the same picture again, and stays paused.
            try await ask(host, "pause", "player")
            try await ask(host, "seek", "player", "50.2s")
            #expect(try await host.ask("pause").ending == .exit(0))
            #expect(try await host.ask("resume").ending == .exit(0))
            #expect(try await awaitPosition(host) { $0 == 50.2 }["state"].string == "paused")
            // A stop of its user's is the end of it.
            #expect(try await host.ask("stop", "player").ending == .exit(0))
            #expect(try await host.ask("start", "player").ending == .exit(0))
            #expect(try await awaitPosition(host) { $0 < 20 }["rate"].double == 1)
            try await host.terminate()
        }
    }

    /// It fails again and again, each time a little further on.
    @Test func aRestartAfterAFailureGoesOnWhereItWas() async throws {
        let config = """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  filesrc location=\(try await Self.clip.value) ! qtdemux name=d d.audio_0 ! aacparse ! avdec_aac
                  ! identity error-after=70 ! fakesink name=ears sync=true
                restart: { delay: 10ms, limit: 100 per 1min }
            """
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline player: playing")
            _ = try await awaitPosition(host) { $0 > 4 }
            #expect(try await host.answer("status")["pipelines"]["player"]["restarts"].int ?? 0 >= 2)
            try await host.terminate()
        }
    }

    private func awaitPosition(_ host: MediahostProcess, _ isThere: (Double) -> Bool) async throws -> JSON {
        try await Deadline.poll("its place") {
            let answer = try await ask(host, "position", "player")
            guard answer["state"].string == "playing" || answer["state"].string == "paused" else { return nil }
            return isThere(position(answer)) ? answer : nil
        }
    }

    /// It plays on from there.
    private func seeks(_ host: MediahostProcess, to place: Int) async throws {
        let begin = ContinuousClock.now
        let position = try await position(ask(host, "seek", "player", "\(place)s"))
        let most = Double(place) + 1 + begin.duration(to: .now).seconds
        #expect(position >= Double(place) && position < most)
    }

    @Test func seeksInEveryMode() async throws {
        try await player { host in
            try await seeks(host, to: 20)
            try await ask(host, "mode", "player", "audio")
            try await seeks(host, to: 40)
            try await ask(host, "mode", "player", "video")
            // At once, while the first picture is still on its way.
            try await seeks(host, to: 30)
            #expect(try await ask(host, "pause", "player")["state"].string == "paused")
            // A key frame each 2 s.
            let before = try await position(ask(host, "seek", "player", "11.2s", "--key-frame"))
            #expect(before == 10)
            #expect(try await position(ask(host, "seek", "player", "11.2s")) == 11.2)
            try await ask(host, "play", "player")
            try await Deadline.poll("it plays on") {
                try await position(ask(host, "position", "player")) > 11.5 ? true : nil
            }
            let fast = try await ask(host, "rate", "player", "2")
            #expect(fast["rate"].double == 2 && position(fast) >= 11.5)
        }
    }

    /// It was answered as if it played; and with a cool-down nothing was tried.
    @Test func aPlayOfWhatFailsIsAnErrorAndAnAttempt() async throws {
        let config = """
            mediahost: 1
            pipelines:
              tone: { launch: audiotestsrc is-live=true ! fakesink }
              lost: { launch: filesrc location=/nowhere/clip ! fakesink, restart: never }
              again: { launch: filesrc location=/nowhere/clip ! fakesink, restart: { delay: 10ms, limit: 1 per 1min } }
            """
        try await withHost(config, in: Workplace()) { host in
            try await Deadline.poll("both have failed") {
                ["lost", "again"].allSatisfy { host.log.text.contains("pipeline \($0): failed") } ? true : nil
            }
            for (name, state) in [("lost", "failed"), ("again", "recovering")] {
                let run = try await host.ask("pipeline", "play", name)
                #expect(
                    run.ending == .exit(1) && run.errors.contains("pipeline \(name) is \(state): "), "\(run.errors)")
            }
            try await host.terminate()
        }
    }

    @Test func whatCannotBeSaysWhy() async throws {
        try await player { host in
            for (words, message) in [
                (["seek", "player", "2h"], "2h is beyond the end of pipeline player, "),
                (["seek", "tone", "1s"], "pipeline tone cannot seek: its source is live, or knows no other place"),
                (["seek", "player", "soon"], "position: \"soon\" is no duration"),
                (["rate", "player", "0"], "\"rate\" must be at least 0.1, not 0"),
                (["mode", "player", "radio"], "\"mode\" cannot be \"radio\""),
                (["play", "plyer"], "there is no pipeline \"plyer\"; did you mean \"player\"?"),
                (["sek", "player", "1s"], "there is no \"pipeline sek\"; did you mean \"seek\"?"),
                (["pause", "player", "-k"], "--key-frame is for `pipeline seek`, not for `pipeline pause`"),
            ] {
                let run = try await host.ask(["pipeline"] + words)
                #expect(run.ending != .exit(0) && run.errors.contains(message), "\(words): \(run.errors)")
            }
            #expect(try await host.ask("stop", "player").ending == .exit(0))
            let run = try await host.ask("pipeline", "seek", "player", "1s")
            #expect(run.errors.contains("pipeline player is stopped: start it first"))
        }
    }
}
