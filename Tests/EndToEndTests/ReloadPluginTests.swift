import Glibc
import Testing

/// Plugins that a reload replaces, or that stand in its way. `Choosy` taps what no check can know.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReloadPluginTests {
    private static func config(_ pipelines: String, _ plugins: String) -> String {
        "mediahost: 1\npipelines:\n\(pipelines)plugins:\n\(plugins)"
    }

    private static func pipeline(_ name: String, _ element: String = "v") -> String {
        "  \(name): { launch: videotestsrc is-live=true name=\(element) ! fakesink }\n"
    }

    private static let before = config(
        pipeline("camera") + pipeline("garden"),
        "  choosy: { module: Choosy, place: camera/v.src }\n  counter: { module: Minimal, pad: garden/v.src }\n")

    /// What a file would do to the plugins, and what is said against it.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var config: String
        var says: String
        var testDescription: String { says }
    }

    static let refusals = [
        Refusal(
            config: before.replacing("place: camera/v.src", with: "place: camera/v.src, fails: init"),
            says: "config.yaml:6:21: error: plugin choosy refused to start"),
        Refusal(
            config: before.replacing("place: camera/v.src", with: "place: camera/v.src, fails: activate"),
            says: "config.yaml:6:21: error: plugin choosy could not begin"),
        Refusal(
            config: before.replacing("place: camera/v.src", with: "place: camera/w.src"),
            says: "config.yaml:6:21: error: plugin choosy could not begin"),
        // The plugin itself does not change, and what it listens to goes.
        Refusal(
            config: before.replacing(pipeline("camera"), with: ""),
            says: #"config.yaml:5:3: error: plugin "choosy" taps pipeline "camera", which is not there any more"#),
        Refusal(
            config: before.replacing(pipeline("camera"), with: pipeline("camera", "w")),
            says: #"config.yaml:6:21: error: plugin choosy cannot tap camera/v.src: element "v" has no pad "src""#),
    ]

    @Test(arguments: refusals)
    func aPluginThatDoesNotComeUpBringsEverythingBack(_ refusal: Refusal) async throws {
        let place = try Workplace()
        try await withHost(Self.before, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try place.write(refusal.config, to: "config.yaml")
            host.send(SIGHUP)
            try await host.log.next(containing: refusal.says)
            try await host.log.next(containing: "and all is as before: 1 error")
            let status = try await Deadline.poll("both to play") {
                let status = try await host.answer("status")
                let states = ["camera", "garden"].map { status["pipelines"][$0]["state"].string }
                return states == ["playing", "playing"] ? status : nil
            }
            for name in ["choosy", "counter"] { #expect(status["plugins"][name]["state"].string == "active") }
            #expect(status["configuration"]["last_reload"].string == "rolled-back")
            #expect(try await host.answer("call", "counter.count")["epochs"].list.count == 1)
            // It is all of the old: what is good is applied after it.
            try place.write(
                Self.before.replacing(Self.pipeline("camera"), with: Self.pipeline("camera", "w"))
                    .replacing("place: camera/v.src", with: "place: camera/w.src"), to: "config.yaml")
            host.send(SIGHUP)
            try await host.log.next(
                containing: "pipelines: rebuilt camera, 1 unchanged; plugins: replaced choosy, 1 unchanged")
            try await host.terminate()
        }
    }

    @Test func aReplacedPluginIsAskedInTheNextPause() async throws {
        let place = try Workplace()
        let config = Self.config(Self.pipeline("camera"), "  counter: { module: Minimal, pad: camera/v.src }\n")
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            try place.write(config + "  silent: { module: Silent }\n", to: "config.yaml")
            host.send(SIGHUP)
            try await host.log.next(containing: "plugins: added silent, 1 unchanged")
            _ = try await host.answer("pause")
            #expect(try await host.answer("status")["lifecycle"]["stragglers"]["silent"].int == 1)
            // Removed while the host is paused: nobody is waited for any more.
            try place.write(config, to: "config.yaml")
            host.send(SIGHUP)
            try await host.log.next(containing: "plugins: removed silent, 1 unchanged")
            _ = try await host.answer("resume")
            #expect(try await host.answer("status")["lifecycle"]["stragglers"]["silent"].int == 1)
            try await host.terminate()
        }
    }
}
