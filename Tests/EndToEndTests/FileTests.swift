import Foundation
import Testing

/// Files in and files out.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FileTests {
    /// H.264 and AAC.
    private func makeClip(_ path: String, seconds: Int, framesPerSecond: Int) async throws {
        let video =
            "videotestsrc num-buffers=\(seconds * framesPerSecond) ! video/x-raw,width=320,height=240,framerate=\(framesPerSecond)/1 ! x264enc ! h264parse ! mux."
        // 47 buffers of 1024 samples at 48 kHz: 1.003 s.
        let audio =
            "audiotestsrc num-buffers=\(seconds * 47) ! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! aacparse ! mux."
        try await Tool.require(
            "gst-launch-1.0",
            ["-q"] + "\(video) \(audio)".split(separator: " ").map(String.init)
                + ["mp4mux", "name=mux", "!", "filesink", "location=\(path)"], in: "/")
    }

    @Test(arguments: [true, false])
    func playsAFileToItsEnd(atItsOwnSpeed: Bool) async throws {
        let place = try Workplace()
        // At its own speed it takes at least as long as it is; else clearly less, a slow machine and a sanitizer included:
        // few frames in much time.
        try await makeClip(
            place.path("clip.mp4"), seconds: atItsOwnSpeed ? 2 : 240, framesPerSecond: atItsOwnSpeed ? 25 : 1)
        let begin = ContinuousClock.now
        let run = try await Tool.run(
            Workplace.mediahost,
            ["run", "\(Workplace.checkout)/examples/play-file.yaml", "--socket", place.path("control.sock")],
            environment: ["FILE": place.path("clip.mp4"), "SYNC": atItsOwnSpeed ? "true" : "false"],
            in: place.directory, within: .seconds(300))
        let took = ContinuousClock.now - begin
        #expect(run.ending == .exit(0), "\(run.errors)")
        #expect(run.errors.contains("pipeline player: playing\n"))
        #expect(run.errors.contains("pipeline player: finished\n"))
        if atItsOwnSpeed {
            #expect(took >= .seconds(1.9), "\(run.errors)")
        } else {
            #expect(took < .seconds(200), "\(run.errors)")
        }
    }

    /// Numbered frames into an MP4, and each of the same frames as plain bytes beside it: the one counts the other.
    private static func recorder(_ place: Workplace) -> String {
        """
        mediahost: 1
        pipelines:
          recorder:
            launch: >
              videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=25/1
              ! debugqroverlay ! tee name=both
              both. ! queue ! x264enc speed-preset=ultrafast ! h264parse name=encoded ! mp4mux
              ! filesink location=\(place.path("clip.mp4"))
              both. ! queue ! filesink location=\(place.path("frames.i420")) buffer-mode=unbuffered
        plugins:
          counter:
            module: Minimal
            pad: recorder/encoded.src
        """
    }

    private func rawFrames(_ place: Workplace) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path("frames.i420"))
        let bytes = try #require(attributes[.size] as? Int)
        #expect(bytes % (320 * 240 * 3 / 2) == 0)
        return bytes / (320 * 240 * 3 / 2)
    }

    /// What ends a recording in order.
    enum End: String, CaseIterable {
        case terminate, interrupt, pause
    }

    @Test(arguments: End.allCases)
    func filesAreFinalisedWithTheirLastFrame(_ end: End) async throws {
        let place = try Workplace()
        try await withHost(Self.recorder(place), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            try await Deadline.poll("30 encoded frames") {
                try await host.answer("call", "counter.count")["buffers"].int ?? 0 >= 30 ? true : nil
            }
            switch end {
            case .terminate: try await host.terminate()
            case .interrupt:
                host.send(SIGINT)
                #expect(try await host.child.end() == .exit(0), "\(host.log.text)")
            case .pause: _ = try await host.ask("pause")
            }
            let clip = try await Clip(decoding: place.path("clip.mp4"))
            let frames = try rawFrames(place)
            #expect(frames >= 30)
            #expect(clip.frames.map(\.number) == Array(1...frames))
            #expect(Set(clip.steps) == [40_000_000])
        }
    }
}
