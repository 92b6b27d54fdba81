import Foundation
import Testing

/// Live pipelines with a number in every frame: what was captured is in the clip, once, and in time.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PauseTests {
    /// How long it runs and how long it is paused; MEDIAHOST_LONG=1 takes the times of the issue.
    private static let isLong = ProcessInfo.processInfo.environment["MEDIAHOST_LONG"] == "1"
    private static let frames = isLong ? 250 : 75
    private static let pause = isLong ? Duration.seconds(3) : .seconds(1)

    /// - Parameter counter: with the C plugin that counts raw frames.
    private static func config(counter: Bool) -> String {
        """
        mediahost: 1
        pipelines:
          camera:
            launch: \(NumberedCamera.launch)
            warm-up: { frames: 3, at: qr.src }
        plugins:
          replay:
            module: ReplayBuffer
            video: camera/encoded.src
            # More than the slowest machine takes for this, so that the first frame is still there at the end.
            window: 10min
            memory: 128MiB

        """ + (counter ? "  counter:\n    module: Minimal\n    pad: camera/qr.src\n" : "")
    }

    private func waitForFrames(_ count: Int, epoch: Int, _ host: MediahostProcess) async throws {
        try await Deadline.poll("\(count) frames of epoch \(epoch)", within: .seconds(60)) {
            try await self.frames(of: epoch, host) >= count ? true : nil
        }
    }

    /// How many raw frames of an epoch the C plugin has counted.
    private func frames(of epoch: Int, _ host: MediahostProcess) async throws -> Int {
        let counts = try await host.answer("call", "counter.count")
        return counts["epochs"].list.first { $0["epoch"].int == epoch }?["buffers"].int ?? 0
    }

    @Test func clipOverTwoPausesHasEveryFrameOnceAndNoGap() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        try await withHost(Self.config(counter: true), in: place, plugins: plugins) { host in
            try await host.log.next(containing: "first buffer")
            try await waitForFrames(Self.frames, epoch: 1, host)

            // By command: it returns when the host is quiet.
            #expect(try await host.ask("pause").output == "state: paused\n")
            try await host.log.next(containing: "pipeline camera: stopped")
            let quiet = try await host.answer("status")
            #expect(quiet["lifecycle"]["state"].string == "paused")
            #expect(quiet["pipelines"]["camera"]["state"].string == "stopped")
            let first = try await frames(of: 1, host)
            try await Task.sleep(for: Self.pause)  // the pause that is tested, not a wait for something
            #expect(try await frames(of: 1, host) == first)
            #expect(try await host.ask("resume").output == "state: running\n")
            try await host.log.next(containing: "first buffer")
            try await waitForFrames(Self.frames / 3, epoch: 2, host)

            // By signals.
            host.send(SIGUSR1)
            try await host.log.next(containing: "pipeline camera: stopped")
            let second = try await frames(of: 2, host)
            try await Task.sleep(for: Self.pause)
            host.send(SIGUSR2)
            try await host.log.next(containing: "first buffer")
            try await waitForFrames(Self.frames / 3, epoch: 3, host)

            for file in ["clip.mkv", "clip.mp4"] {
                let saved = try await host.answer("call", "replay.save", "to=\(place.path(file))")
                let clip = try await Clip(decoding: place.path(file))
                #expect(clip.frames.count == saved["frames"].int, "\(file)")
                #expect(saved["complete"].bool == true)
                try #require(clip.epochs.count == 3, "\(file): \(clip.epochs)")
                // Three warm-up frames of each start were dropped; everything that passed then is there, to the last.
                #expect(clip.epochs[0] == Array(4...(first + 3)), "\(file)")
                #expect(clip.epochs[1] == Array(4...(second + 3)), "\(file)")
                let third = clip.epochs[2].count
                #expect(third >= Self.frames / 3 - 3)
                #expect(clip.epochs[2] == Array(4...(third + 3)), "\(file)")
                // One frame from each to the next, over the pauses, too. Matroska's milliseconds hold 40 ms exactly.
                #expect(Set(clip.steps) == [NumberedCamera.frame], "\(file)")
            }
            try await host.terminate()
        }
    }

    /// 20 signals in any order, sent whenever they come to mind: in the middle of a start, a stop, or twice.
    @Test func signalStormEndsInTheRightStateWithAnUnbrokenTimeline() async throws {
        let seed = ProcessInfo.processInfo.environment["MEDIAHOST_SEED"].flatMap(UInt64.init) ?? .random(in: 1...9999)
        print("signal storm: MEDIAHOST_SEED=\(seed)")
        var dice = SplitMix(seed)
        let place = try Workplace()
        try await withHost(Self.config(counter: false), in: place) { host in
            try await host.log.next(containing: "first buffer")
            for _ in 0..<20 {
                host.send(Bool.random(using: &dice) ? SIGUSR1 : SIGUSR2)
                // Storms have gusts and lulls.
                let lull = Int.random(in: 0...3, using: &dice)
                if lull > 0 { try await Task.sleep(for: .milliseconds(lull * lull * 20)) }
            }
            // Signals of unlike number that wait together come in the order of their numbers; the last word is said when
            // the others were heard.
            _ = try await host.answer("status")
            let paused = try await settled(host, after: SIGUSR1)
            #expect(paused["lifecycle"]["state"].string == "paused", "seed \(seed)")
            #expect(paused["pipelines"]["camera"]["state"].string == "stopped", "seed \(seed)")
            let running = try await settled(host, after: SIGUSR2)
            #expect(running["lifecycle"]["state"].string == "running", "seed \(seed)")
            let before = try await host.answer("call", "replay.status")["frames"].int ?? 0
            try await Deadline.poll("ten more frames in the ring") {
                try await host.answer("call", "replay.status")["frames"].int ?? 0 >= before + 10 ? true : nil
            }
            _ = try await host.answer("call", "replay.save", "to=\(place.path("storm.mp4"))")
            let clip = try await Clip(decoding: place.path("storm.mp4"))
            #expect(Set(clip.steps) == [NumberedCamera.frame], "seed \(seed)")
            for epoch in clip.epochs {
                #expect(epoch == Array(4..<(4 + epoch.count)), "seed \(seed)")
            }
            try await host.terminate()
        }
    }

    /// Sends a signal and waits for the status it asks for.
    private func settled(_ host: MediahostProcess, after signal: Int32) async throws -> JSON {
        host.send(signal)
        let wanted = signal == SIGUSR1 ? ("paused", "stopped") : ("running", "playing")
        return try await Deadline.poll("lifecycle \(wanted.0), camera \(wanted.1)") {
            let status = try await host.answer("status")
            let isThere =
                status["lifecycle"]["state"].string == wanted.0
                && status["pipelines"]["camera"]["state"].string == wanted.1
            return isThere ? status : nil
        }
    }

    /// The instance was let go of while its tap and its work still held it: they called a host that was gone, and its
    /// `destroy` never came.
    @Test func aPluginThatGivesUpWhileMediaFlowsIsDestroyedAndTheHostGoesOn() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        let config = """
            mediahost: 1
            pipelines:
              camera: { launch: videotestsrc is-live=true name=v ! fakesink }
            plugins:
              quitter: { module: Quitter }
            """
        try await withHost(config, in: place, plugins: plugins) { host in
            try await host.log.next(containing: "plugin quitter failed (status -1): had enough")
            for step in ["detached", "work of quitter done", "destroyed"] {
                try await host.log.next(containing: "quitter: notice: \(step)")
            }
            let status = try await host.answer("status")
            #expect(status["pipelines"]["camera"]["state"].string == "playing")
            #expect(status["plugins"]["quitter"]["state"].string == "failed")
            try await host.terminate()
        }
    }

    /// A camera that stood still with its device said no first buffer after the resume, ten times out of ten.
    @Test func eachResumeSaysItsFirstBuffer() async throws {
        let config = "mediahost: 1\npipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }\n"
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "first buffer at fakesink0")
            for _ in 0..<3 {
                #expect(try await host.ask("interrupt", "begin").ending == .exit(0))
                #expect(try await host.ask("interrupt", "end", "--resume").ending == .exit(0))
                try await host.log.next(containing: "first buffer at fakesink0")
            }
            try await host.terminate()
        }
    }

    /// A recording whose sound can be cut off before the muxer, which waits for its end.
    static func cutOff(_ place: Workplace) -> String {
        """
        mediahost: 1
        pipelines:
          cut:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=64,height=64,framerate=25/1 ! x264enc tune=zerolatency
              ! h264parse ! mux. audiotestsrc is-live=true ! tee name=t ! queue ! fakesink
              t. ! queue ! valve name=v drop=false drop-mode=drop-all ! avenc_aac ! aacparse ! mux.
              matroskamux name=mux ! filesink location=\(place.path("cut.mkv"))
            settable: [v.drop]
        """
    }

    /// The end of one stream never came to the muxer, and the file was cut off: nobody was named, the exit code was 0, and the
    /// change to NULL hung for its 5 s behind the lock of the EOS that was still on its way.
    @Test func aFileThatIsCutOffIsSaidAndFailsTheHost() async throws {
        let place = try Workplace()
        let config = Self.cutOff(place)
        try await withHost(config, in: place) { host in
            try await host.log.next(containing: "pipeline cut: playing")
            #expect(try await host.ask("set", "cut", "v.drop=true").ending == .exit(0))
            host.send(SIGTERM)
            let line = try await host.log.next(containing: "pipeline cut: warning: end of stream did not reach ")
            #expect(line.contains("mux.audio_0") && line.contains("filesink0"))
            #expect(try await host.child.end(within: .seconds(15)) == .exit(1))
            #expect(!host.log.text.contains("did not come to rest in time"))
        }
    }

    /// The end would wait 3 s for an end of stream that never comes. Whoever cannot wait asks once more; what is closer than half a
    /// second to the first is the same request, as `timeout` sends it to a process and to its group.
    @Test func whoAsksTwiceDoesNotWaitForTheEnd() async throws {
        let place = try Workplace()
        // A machine may stand still for longer than the 3 s; then the end was there before the second request.
        for _ in 1...5 {
            let (ending, log) = try await withHost(Self.cutOff(place), in: place) { host in
                try await host.log.next(containing: "pipeline cut: playing")
                #expect(try await host.ask("set", "cut", "v.drop=true").ending == .exit(0))
                host.send(SIGTERM)
                try await host.log.next(containing: "ending")
                host.send(SIGTERM)
                try await Task.sleep(for: .milliseconds(600))  // what tells a second request from the first
                host.send(SIGTERM)
                return (try await host.child.end(within: .seconds(60)), host.log.text)
            }
            // Or what was sent first came late, and the last met a host that listened no more.
            if ending == .signal(SIGTERM) || log.contains("end of stream did not reach") { continue }
            #expect(
                ending == .exit(1) && log.contains("asked twice to end: ending now, files may lack their last part"),
                "\(log)")
            return
        }
        Issue.record("five times the end was there before the second request")
    }

    /// The drain is given up after its 3 s; whoever looks later learns which pipeline it was.
    @Test func aPipelineThatIsLateIsNamedAndCounted() async throws {
        let place = try Workplace()
        try await withHost(Self.cutOff(place), in: place) { host in
            try await host.log.next(containing: "pipeline cut: playing")
            #expect(try await host.answer("status")["lifecycle"]["late_pipelines"]["cut"].int == nil)
            #expect(try await host.ask("set", "cut", "v.drop=true").ending == .exit(0))
            #expect(try await host.ask("pause").output == "state: paused\n")
            let late = try await host.answer("status")["lifecycle"]["late_pipelines"]
            #expect(late["cut"].int == 1)
            let metrics = try await host.ask("metrics").output
            #expect(metrics.contains("\nmediahost_pipeline_late_steps_total{pipeline=\"cut\"} 1\n"))
            try await host.terminate()
        }
    }

    @Test func pauseGoesOnWithoutThePluginThatNeverAnswers() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        let config = """
            mediahost: 1
            pipelines:
              camera: { launch: videotestsrc is-live=true ! fakesink }
            plugins:
              mute: { module: Silent }
            """
        try await withHost(config, in: place, plugins: plugins) { host in
            try await host.log.next(containing: "first buffer")
            #expect(try await host.ask("pause").output == "state: paused\n")
            try await host.log.next(
                containing: "warning: plugin mute did not acknowledge within 200 ms; going on without it")
            let status = try await host.answer("status")
            #expect(status["pipelines"]["camera"]["state"].string == "stopped")
            #expect(status["lifecycle"]["stragglers"]["mute"].int == 1)
            // Resume, and the pause at the end, are asked, too.
            #expect(try await host.ask("resume").output == "state: running\n")
            #expect(try await host.answer("status")["lifecycle"]["stragglers"]["mute"].int == 2)
            try await host.terminate()
        }
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
