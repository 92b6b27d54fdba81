import Testing

/// What becomes of the host when a plugin gives up while it runs. `Quitter` does so at its third buffer, once.
@Suite(.timeLimit(.minutes(10)))
struct PluginPolicyTests {
    private static func config(_ policy: String) -> String {
        """
        mediahost: 1
        pipelines: { camera: { launch: videotestsrc is-live=true name=v ! fakesink } }
        plugins: { quitter: { module: Quitter\(policy) } }
        """
    }

    @Test(arguments: ["", ", policy: disable"]) func disableLeavesTheRestRunning(_ policy: String) async throws {
        try await withHost(Self.config(policy), in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "plugin quitter failed (status ")
            try await host.log.next(containing: "disabled (policy: disable)")
            let status = try await host.answer("status")
            #expect(status["plugins"]["quitter"]["state"].string == "failed")
            #expect(status["pipelines"]["camera"]["state"].string == "playing")
            try await host.terminate()
        }
    }

    @Test func aFailedOneIsEnabledAndADisabledOneStaysAwayOverReloads() async throws {
        let place = try Workplace()
        try await withHost(Self.config(""), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "disabled (policy: disable)")
            #expect(try await host.answer("plugin", "enable", "quitter")["state"].string == "active")
            #expect(try await host.answer("plugin", "enable", "quitter")["state"].string == "active")
            #expect(try await host.answer("plugin", "disable", "quitter")["state"].string == "disabled")
            #expect(try await host.answer("plugin", "disable", "quitter")["state"].string == "disabled")
            #expect(try await host.answer("status")["plugins"]["quitter"]["state"].string == "disabled")
            try place.write(
                Self.config(", policy: restart").replacing("name=v", with: "name=v pattern=1"), to: "config.yaml")
            #expect(try await host.answer("reload")["applied"].bool == true)
            #expect(try await host.answer("plugin", "show", "quitter")["state"].string == "disabled")
            let called = try await host.ask("call", "quitter.nothing")
            #expect(
                called.errors.contains("plugin quitter is disabled: `mediahost plugin enable quitter` begins it"),
                "\(called)")
            #expect(try await host.answer("plugin", "enable", "quitter")["state"].string == "active")
            let unknown = try await host.ask("plugin", "disable", "quiter")
            #expect(unknown.ending == .exit(1) && unknown.errors.contains("did you mean \"quitter\"?"), "\(unknown)")
            try await host.terminate()
        }
    }

    @Test func restartBringsAnotherInstance() async throws {
        try await withHost(Self.config(", policy: restart"), in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "plugin quitter failed (status ")
            try await host.log.next(containing: "restarts in 1s (policy: restart)")
            try await host.log.next(containing: "restarted")
            let quitter = try await host.answer("status")["plugins"]["quitter"]
            #expect(quitter["state"].string == "active" && quitter["restarts"].int == 1)
            try await host.terminate()
        }
    }

    /// An upgrade in progress, or a stick that was pulled out: what is in memory is what comes back.
    @Test func restartDoesNotNeedTheFileAnyMore() async throws {
        let place = try Workplace()
        try await Tool.require("cp", ["\(try await ThirdParty.plugins())/libQuitter.so", "."], in: place.directory)
        try await withHost(Self.config(", policy: restart"), in: place, plugins: place.directory) { host in
            try await host.log.next(containing: "mediahost 0.1.0 runs")
            try await Tool.require("rm", ["libQuitter.so"], in: place.directory)
            try await host.log.next(containing: "restarts in 1s (policy: restart)")
            try await host.log.next(containing: "plugin quitter: restarted")
            try await host.terminate()
        }
    }

    @Test func stopHostEndsItWithOne() async throws {
        let place = try Workplace()
        try place.write(Self.config(", policy: stop-host"), to: "config.yaml")
        let host = try await MediahostProcess("config.yaml", in: place, plugins: ThirdParty.plugins())
        try await host.log.next(containing: "plugin quitter failed (status ")
        try await host.log.next(containing: "plugin quitter has failed, and its policy is stop-host: the host ends")
        #expect(try await host.child.end() == .exit(1))
    }

    @Test func unknownPolicyIsExplained() async throws {
        let place = try Workplace()
        try place.write(Self.config(", policy: restrat"), to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["check", "config.yaml"],
            environment: ["MEDIAHOST_PLUGIN_PATH": ThirdParty.plugins()], in: place.directory)
        #expect(result.ending == .exit(3))
        #expect(
            result.errors.contains(#"config.yaml:3:48: error: "policy" cannot be "restrat""#), "\(result.errors)")
        #expect(result.errors.contains("restart"))
    }

    /// Before it comes to that: can all of them be quiet in time?
    @Test func acknowledgementsThatTakeTooLongInAllAreRefused() async throws {
        let place = try Workplace()
        let plugins = (1...21).map { "  mute\($0): { module: Silent }\n" }.joined()
        try place.write(
            "mediahost: 1\npipelines: { camera: { launch: videotestsrc ! fakesink } }\nplugins:\n" + plugins,
            to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["run", "config.yaml", "--socket", place.path("control.sock")],
            environment: ["MEDIAHOST_PLUGIN_PATH": ThirdParty.plugins()], in: place.directory)
        #expect(result.ending == .exit(3))
        #expect(
            result.errors.contains(
                "error: the plugins may take 4200ms in all to acknowledge a pause, more than 4s: mute1 200ms, mute2 200ms"
            ),
            "\(result.errors)")
    }
}
