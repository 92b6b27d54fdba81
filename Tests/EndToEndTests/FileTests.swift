import Foundation
import Testing

/// Files in and files out.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FileTests {
    /// Two seconds of H.264 and AAC.
    private func makeClip(_ path: String) async throws {
        let video =
            "videotestsrc num-buffers=50 ! video/x-raw,width=320,height=240,framerate=25/1 ! x264enc ! h264parse ! mux."
        // 94 buffers of 1024 samples at 48 kHz: 2.005 s.
        let audio = "audiotestsrc num-buffers=94 ! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! aacparse ! mux."
        try await Tool.require(
            "gst-launch-1.0",
            ["-q"] + "\(video) \(audio)".split(separator: " ").map(String.init)
                + ["mp4mux", "name=mux", "!", "filesink", "location=\(path)"], in: "/")
    }

    @Test(arguments: [true, false])
    func playsAFileToItsEnd(atItsOwnSpeed: Bool) async throws {
        let place = try Workplace()
        try await makeClip(place.path("clip.mp4"))
        let begin = ContinuousClock.now
        let run = try await Tool.run(
            Workplace.mediahost,
            ["run", "\(Workplace.checkout)/examples/play-file.yaml", "--socket", place.path("control.sock")],
            environment: ["FILE": place.path("clip.mp4"), "SYNC": atItsOwnSpeed ? "true" : "false"],
            in: place.directory)
        let took = ContinuousClock.now - begin
        #expect(run.ending == .exit(0), "\(run.errors)")
        #expect(run.errors.contains("pipeline player: playing\n"))
        #expect(run.errors.contains("pipeline player: finished\n"))
        if atItsOwnSpeed {
            #expect(took >= .seconds(1.9))
        } else {
            // Measured from the log, because a sanitizer's start alone can take a second.
            #expect(try span(run.errors, "pipeline player: starting", "pipeline player: finished") < 1.9)
        }
    }

    /// Seconds between two lines of a log.
    private func span(_ log: String, _ first: String, _ last: String) throws -> Double {
        func time(_ text: String) throws -> Double {
            let line = try #require(log.split(separator: "\n").first { $0.contains(text) })
            let parts = line.prefix(12).split(separator: ":").compactMap { Double($0) }
            try #require(parts.count == 3)
            return parts[0] * 3600 + parts[1] * 60 + parts[2]
        }
        let seconds = try time(last) - time(first)
        return seconds < 0 ? seconds + 86400 : seconds  // midnight
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
