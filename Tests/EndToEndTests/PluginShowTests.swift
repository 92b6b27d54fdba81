import Foundation
import Testing

/// `mediahost plugin show` and `mediahost config` of a running host.
@Suite(.timeLimit(.minutes(10)))
struct PluginShowTests {
    private static let config = """
        mediahost: 1
        secrets: secrets
        pipelines:
          camera: { launch: "videotestsrc is-live=true ! x264enc ! h264parse name=encoded ! fakesink name=${secret:place}" }
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, window: 90s }
        """

    private func withSecret(_ body: (MediahostProcess) async throws -> Void) async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("secrets"), withIntermediateDirectories: true)
        let secret = try place.write("hidden", to: "secrets/place")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            try await body(host)
        }
    }

    /// A secret as the name of an element, which is in all that tells of it.
    @Test func noAnswerShowsASecret() async throws {
        try await withSecret { host in
            try await Deadline.poll("the first buffer") {
                try await host.ask("metrics").output.contains(#"_buffers_total{pipeline="camera",place="***"}"#)
                    ? true : nil
            }
            for (arguments, shows) in [
                (["status", "--json"], "camera"), (["pipeline", "show", "camera", "--json"], "***"),
                (["pipeline", "graph", "camera", "--format=json"], "***"), (["graph", "camera"], "***"),
                (["pipeline", "get", "camera", "nope.x"], "***"),
                (["pipeline", "snapshot", "camera", "hiden.src"], "***"),
                (["call", "replay.save", "last=1s", "to=hidden/a.mkv"], "***"), (["events"], "***"),
                (["metrics"], #"_qos_total{pipeline="camera",element="***"} 0"#), (["logs"], "camera"),
                (["jobs", "--json"], ""),
            ] {
                let answer = try await host.ask(arguments)
                #expect(!(answer.output + answer.errors).contains("hidden"), "\(arguments): \(answer)")
                #expect((answer.output + answer.errors).contains(shows) || shows.isEmpty, "\(arguments): \(answer)")
            }
        }
    }

    @Test func whatHoldsIsShownWithoutItsSecrets() async throws {
        try await withSecret { host in
            let table = try await host.ask("plugin", "show").output.split(separator: "\n")
            #expect(table.count == 2 && table.last?.hasPrefix("replay  ReplayBuffer  active ") == true, "\(table)")
            let replay = try await JSON(host.ask("plugin", "show", "replay", "--json").output)
            #expect(replay["config"]["window"].string == "1min30s" || replay["config"]["window"].string == "90s")
            #expect(replay["schema"]["properties"]["window"]["format"].string == "duration")
            #expect(replay["commands"]["save"]["summary"].string?.isEmpty == false)
            let wrong = try await host.ask("plugin", "show", "reply")
            #expect(wrong.ending == .exit(1) && wrong.errors.contains("did you mean \"replay\"?"))
            let text = try await host.ask("config", "--json").output
            #expect(!text.contains("hidden"))
            let config = try JSON(text)["config"]
            #expect(config["pipelines"]["camera"]["launch"].string?.hasSuffix("fakesink name=***") == true)
            #expect(config["plugins"]["replay"]["video"].string == "camera/encoded.src")
            #expect(config["plugins"]["replay"]["policy"].string == "disable")
            #expect(config["control"]["stream-clients"].int == 256)
        }
    }
}
