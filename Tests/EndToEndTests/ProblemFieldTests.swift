import Foundation
import Testing

/// What a refused request is told, by a running host: a code that is the client's, and the member that is wrong.
@Suite(.timeLimit(.minutes(10)))
struct ProblemFieldTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc name=source is-live=true ! video/x-raw,width=160,height=120,framerate=25/1
              ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=5 ! h264parse name=encoded ! fakesink name=end
            settable: [source.pattern]
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, memory: 4MiB }
          laundry: { module: LaundryTimers, pets: [{ id: snowy }] }
        """

    /// Whoever draws a form could not say which field was wrong: what the host found out while it carried the request out named none,
    /// and what a plugin refused could not, as the ABI had no place for it.
    @Test func aProblemNamesWhatIsWrong() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            try await Deadline.poll("the first clip") {
                try await host.ask("call", "replay", "save", "to=\(place.path("first.mkv"))", "overwrite=true").ending
                    == .exit(0) ? true : nil
            }
            for (words, code, field) in [
                (["set", "camera", "source.is-live=false"], "denied", "property"),
                (["set", "camera", "source.pattern=plaid"], "invalid", "value"),
                (["get", "camera", "sorce.pattern"], "not-found", "property"),
                (["get", "camera", "source.patern"], "not-found", "property"),
                (["call", "replay", "save", "to=/dev/null/clip.mkv"], "invalid", "to"),
                (["call", "replay", "save", "to=\(place.path("clip.avi"))"], "invalid", "to"),
                (["call", "replay", "save", "to=\(place.path("clip.ts"))", "exact=true"], "unsupported", "exact"),
                (["call", "replay", "save", "to=\(place.path("clip.mkv"))", "marker=nine"], "not-found", "marker"),
                (["call", "replay", "play", "rate=0.01"], "invalid", "rate"),
                (["call", "laundry", "start", "pet=rex", "kind=wash"], "not-found", "pet"),
                (["call", "laundry", "extend", "pet=rex", "by=1s"], "not-found", "pet"),
                (["call", "laundry", "schedule", "pet=snowy", "calendar=Funday"], "invalid", "calendar"),
            ] {
                let answer = try await host.ask(words + ["--json"])
                let problem = try JSON(answer.output)
                #expect(answer.ending != .exit(0), "\(words): \(answer)")
                #expect(problem["code"].string == code && problem["field"].string == field, "\(words): \(answer)")
            }
            for (pad, code) in [("nope.src", "not-found"), ("end.src", "not-found")] {
                let answer = try await HTTPExchange.send(
                    "GET /v1/pipelines/camera/snapshot?pad=\(pad) HTTP/1.1\r\nHost: mediahost\r\nConnection: close\r\n\r\n",
                    to: host.socket)
                #expect(answer.contains("\"code\":\"\(code)\"") && answer.contains("\"field\":\"pad\""), "\(answer)")
            }
            try await host.terminate()
        }
    }
}
