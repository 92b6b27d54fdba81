import Foundation
import Testing

/// Pictures of what a running host shows, by its command line.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=30/1 ! tee name=t
              ! queue ! fakesink name=eyes
              t. ! queue ! x264enc tune=zerolatency key-int-max=15 ! h264parse name=parse ! fakesink name=net
          still:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=30/1
              ! x264enc tune=zerolatency key-int-max=100000 option-string=scenecut=0 ! h264parse name=parse ! fakesink
          tone: { launch: audiotestsrc is-live=true ! fakesink name=ears }

        """

    /// Width and height as the file's own header says them.
    private func size(_ path: String) async throws -> String {
        try await Tool.require("gst-typefind-1.0", [path], in: "/").output
    }

    @Test func writesWhatIsShownAndWhatPasses() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            for name in ["camera", "still", "tone"] {
                try await Deadline.poll("\(name) to play") {
                    try await host.answer("status")["pipelines"][name]["state"].string == "playing" ? true : nil
                }
            }
            for (words, file, type) in [
                (["camera"], "shown.jpg", "image/jpeg"), (["camera", "eyes.sink"], "pad.png", "image/png"),
                (["camera", "parse.src", "--width", "160"], "key.jpg", "image/jpeg"),
                // The last one again, and the first, whose encoder is still there.
                (["camera", "parse.src", "--width", "160"], "again.jpg", "image/jpeg"),
                (["camera"], "once.jpg", "image/jpeg"), (["camera"], "twice.jpg", "image/jpeg"),
            ] {
                let run = try await host.ask(["pipeline", "snapshot"] + words + ["--output", place.path(file)])
                #expect(run.ending == .exit(0), "\(run.errors)")
                let said = try await size(place.path(file))
                #expect(said.contains(type), "\(said)")
            }
            for (words, message) in [
                (["camra"], "there is no pipeline \"camra\"; did you mean \"camera\"?"),
                (["tone"], "pipeline tone has no raw pictures now, it is playing"),
                (["tone", "ears.sink"], "ears.sink carries audio/x-raw: name a pad with video"),
                (["camera", "eye.sink"], "pipeline camera has no element \"eye\"; did you mean \"eyes\"?"),
                (["camera", "eyes.src"], "element \"eyes\" has no pad \"src\" (it has sink)"),
                (["camera", "--format", "gif"], "\"format\" cannot be \"gif\" (valid: jpeg, png)"),
            ] {
                let run = try await host.ask(["pipeline", "snapshot"] + words + ["--output", place.path("none.jpg")])
                #expect(run.ending != .exit(0) && run.errors.contains(message), "\(words): \(run.errors)")
            }
            // A stream without key frames is waited for, until it is stopped.
            async let waiting = host.ask(
                "pipeline", "snapshot", "still", "parse.src", "--output", place.path("none.jpg"))
            try await Deadline.poll("the wait") {
                let second = try await host.answer("status")
                return second["pipelines"]["still"]["state"].string == "playing" ? true : nil
            }
            #expect(try await host.ask("stop", "still").ending == .exit(0))
            let stopped = try await waiting
            // Where the stop came first, there was nothing to wait for.
            let isTold = ["was stopped while", "is stopped"].contains {
                stopped.errors.contains("pipeline still \($0)")
            }
            #expect(stopped.ending != .exit(0) && isTold, "\(stopped.errors)")
            #expect(!FileManager.default.fileExists(atPath: place.path("none.jpg")))
            try await host.terminate()
        }
    }

    /// Nothing comes by any more: what was shown last, or why there is nothing to show.
    @Test func whatStandsStillIsNotWaitedFor() async throws {
        let place = try Workplace()
        let encoded = "videotestsrc ! video/x-raw,width=64,height=48,framerate=30/1 ! x264enc tune=zerolatency"
        let config = """
            mediahost: 1
            pipelines:
              keys: { launch: "\(encoded) key-int-max=1 ! h264parse name=parse ! fakesink name=net sync=true" }
              deltas:
                launch: >
                  videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=30/1 ! identity name=raw
                  ! x264enc tune=zerolatency key-int-max=100000 option-string=scenecut=0 ! h264parse name=parse
                  ! fakesink name=net enable-last-sample=false
            """
        try await withHost(config, in: place) { host in
            try await host.log.next(containing: "pipeline keys: playing")
            for name in ["keys", "deltas"] {
                try await Deadline.poll("\(name) to play") {
                    try await host.answer("status")["pipelines"][name]["state"].string == "playing" ? true : nil
                }
                #expect(try await host.answer("pipeline", "pause", name)["state"].string == "paused")
            }
            for words in [["keys"], ["keys", "parse.src"], ["keys", "net.sink"]] {
                let run = try await host.ask(["pipeline", "snapshot"] + words + ["--output", place.path("kept.jpg")])
                #expect(run.ending == .exit(0), "\(words): \(run.errors)")
                #expect(try await size(place.path("kept.jpg")).contains("image/jpeg"))
                try FileManager.default.removeItem(atPath: place.path("kept.jpg"))
            }
            for words in [["deltas"], ["deltas", "raw.src"], ["deltas", "parse.src"], ["deltas", "net.sink"]] {
                let run = try await host.ask(["pipeline", "snapshot"] + words + ["--output", place.path("none.jpg")])
                // A wait would end with another reason.
                #expect(
                    run.ending == .exit(1) && run.errors.contains("pipeline deltas is paused: nothing comes by at"),
                    "\(run.errors)")
            }
            try await host.terminate()
        }
    }
}
