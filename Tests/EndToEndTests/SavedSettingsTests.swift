import Foundation
import Testing

/// `--save`: settings that hold after a restart, whatever happens to the host and its disk.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SavedSettingsTests {
    private static let config = """
        mediahost: 1
        overrides: state/saved.yaml
        pipelines:
          camera:
            launch: videotestsrc name=source is-live=true ! video/x-raw,width=64,height=48 ! fakesink name=end
            settable: [source.pattern, source.horizontal-speed]
          other: { launch: videotestsrc is-live=true ! fakesink }
        plugins:
          works: { module: Clockwork, greeting: hello }

        """

    private func started(_ host: MediahostProcess) async throws {
        try await host.log.next(containing: "pipeline camera: playing")
    }

    private func pattern(_ host: MediahostProcess) async throws -> String? {
        try await host.answer("get", "camera", "source.pattern")["value"].string
    }

    @Test func aSavedPropertyHoldsOverReloadAndRestart() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            let set = try await host.answer("pipeline", "set", "camera", "source.pattern", "ball", "--save")
            #expect(set["value"].string == "ball" && set["saved"].bool == true)
            let once = try await host.answer("set", "camera", "source.horizontal-speed=3")
            #expect(once["value"].string == "3" && once["saved"].bool == nil)
            let denied = try await host.ask("set", "camera", "end.sync=true", "--save")
            #expect(denied.ending == .exit(4) && denied.errors.contains("its `settable:` does not list it"))
            // What was saved is what the file says now: nothing is built anew.
            let reload = try await host.ask("reload")
            #expect(reload.ending == .exit(0))
            let epoch = try await host.answer("pipeline", "show", "camera")["epoch"].int
            #expect(epoch == 1)
            #expect(try await pattern(host) == "ball")
            let config = try await host.answer("config")["config"]["pipelines"]["camera"]
            #expect(config["properties"]["source.pattern"].string == "ball")
            try await host.terminate()
        }
        let text = try String(contentsOfFile: place.path("state/saved.yaml"), encoding: .utf8)
        #expect(text.hasPrefix("# Settings that were changed while mediahost ran"))
        #expect(text.hasSuffix("pipelines:\n  camera:\n    properties:\n      source.pattern: \"ball\"\n"), "\(text)")
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            #expect(try await pattern(host) == "ball")
            #expect(try await host.answer("get", "camera", "source.horizontal-speed")["value"].string == "0")
            try await host.terminate()
        }
        let check = try await Tool.require(
            Workplace.mediahost, ["check", "config.yaml"], environment: ["MEDIAHOST_PLUGIN_PATH": plugins],
            in: place.directory)
        #expect(check.output.contains("no errors") && !check.errors.contains("warning"), "\(check.errors)")
    }

    @Test func whatWasSavedIsListedAndTakenAway() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await started(host)
            #expect(try await host.ask("config", "overrides").output == "nothing is saved\n")
            _ = try await host.answer("set", "camera", "source.pattern=ball", "--save")
            _ = try await host.answer("set", "camera", "source.horizontal-speed=3", "--save")
            let plugin = try await host.answer("plugin", "set", "works", "greeting=good day", "every=50ms", "--save")
            #expect(plugin["saved"].bool == true && plugin["config"]["greeting"].string == "good day")
            let list = try await host.answer("config", "overrides")
            #expect(
                list["settings"].list.map { $0["key"].string }
                    == [
                        "camera/source.pattern", "camera/source.horizontal-speed", "works.greeting", "works.every",
                    ])
            #expect(list["file"].string?.hasSuffix("state/saved.yaml") == true)
            let table = try await host.ask("config", "overrides").output
            #expect(table.contains("camera/source.pattern") && table.contains("ball"))

            let unknown = try await host.ask("config", "reset", "camera/source.patern")
            #expect(unknown.ending == .exit(1) && unknown.errors.contains("no setting"))
            let gone = try await host.answer("config", "reset", "camera/source.pattern")
            #expect(gone["removed"].list.map(\.string) == ["camera/source.pattern"])
            // It holds until the config is read again; the other one goes on.
            #expect(try await pattern(host) == "ball")
            _ = try await host.ask("reload")
            try await Deadline.poll("the config's own pattern") { try await pattern(host) == "smpte" ? true : nil }
            #expect(try await host.answer("get", "camera", "source.horizontal-speed")["value"].string == "3")
            #expect(try await host.answer("config", "reset")["removed"].list.count == 3)
            #expect(!place.exists("state/saved.yaml"))
            #expect(try await host.answer("config", "reset")["removed"].list.isEmpty)
            let told = try await host.ask("events").output
            func count(_ name: String) -> Int { told.components(separatedBy: name).count - 1 }
            #expect(
                count("config.saved") == 3 && count("config.reset") == 2 && count("plugin.configured") == 1, "\(told)")
            try await host.terminate()
        }
    }

    /// Of a plugin that takes configs while it runs.
    @Test func aPluginsConfigIsChangedWhileItRuns() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            let before = try await host.answer("call", "works.state")["instance"].int
            _ = try await host.answer("plugin", "set", "works", "every=7ms", "--save")
            let state = try await host.answer("call", "works.state")
            #expect(state["every_ns"].int == 7_000_000 && state["instance"].int == before)
            let wrong = [
                "every=soon": "a duration", "evry=1s": "did you mean \"every\"?", "greeting=rude": "be polite",
                "greeting=reborn": "takes this config only when it begins",
            ]
            for (word, message) in wrong {
                let answer = try await host.ask("plugin", "set", "works", word)
                #expect(answer.ending == .exit(1) && answer.errors.contains(message), "\(answer.errors)")
            }
            let fickle = try await host.ask("plugin", "set", "works", "greeting=fickle", "--save")
            #expect(fickle.ending == .exit(1) && fickle.errors.contains("not now"))
            #expect(try await host.answer("call", "works.state")["greeting"].string == "hello")
            #expect(try await host.answer("config", "overrides")["settings"].list.count == 1)
            let unchanged = try await host.ask("reload")
            #expect(unchanged.ending == .exit(0))
            #expect(try await host.answer("call", "works.state")["instance"].int == before)
            try await host.terminate()
        }
        // Another schema than the one it was saved under: the entry is left out.
        try place.write(
            "mediahost: 1\nplugins:\n  works:\n    every: \"9ms\"\n    volume: 3\n", to: "state/saved.yaml")
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await host.log.next(containing: "saved.yaml:5:5: warning: plugin works: unknown key \"volume\"")
            try await started(host)
            #expect(try await host.answer("call", "works.state")["every_ns"].int == 9_000_000)
            try await host.terminate()
        }
    }

    /// Without `--save` it is only for this start; with it the library is not even looked for.
    @Test func aPluginThatWasDisabledForGoodStaysAwayAfterARestart() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        func state(_ host: MediahostProcess) async throws -> String? {
            try await host.answer("plugin", "show", "works")["state"].string
        }
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            #expect(try await host.answer("plugin", "disable", "works")["saved"].bool == nil)
            try await host.terminate()
        }
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            #expect(try await state(host) == "active")
            let answer = try await host.answer("plugin", "disable", "works", "--save")
            #expect(answer["saved"].bool == true && answer["state"].string == "disabled")
            #expect(try await host.ask("reload").ending == .exit(0))
            #expect(try await state(host) == "disabled")
            try await host.terminate()
        }
        let text = try String(contentsOfFile: place.path("state/saved.yaml"), encoding: .utf8)
        #expect(text.hasSuffix("plugins:\n  works:\n    enabled: false\n"), "\(text)")
        // Nobody asks where its library is.
        let check = try await Tool.require(Workplace.mediahost, ["check", "config.yaml"], in: place.directory)
        #expect(check.output.contains("no errors"), "\(check)")
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            #expect(try await state(host) == "disabled")
            let config = try await host.answer("config")["config"]["plugins"]["works"]
            #expect(config["enabled"].bool == false && config["module"].string == "Clockwork")
            let settings = try await host.answer("config", "overrides")["settings"].list
            #expect(settings.first?["key"].string == "works.enabled" && settings.count == 1)
            // For now, and then for good.
            #expect(try await host.answer("plugin", "enable", "works")["state"].string == "active")
            #expect(try await host.ask("reload").ending == .exit(0))
            #expect(try await state(host) == "active")
            #expect(try await host.answer("plugin", "enable", "works", "--save")["saved"].bool == true)
            try await host.terminate()
        }
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await started(host)
            #expect(try await state(host) == "active")
            // What the config says now counts, where it says otherwise than before.
            try place.write(
                Self.config.replacingOccurrences(of: "hello }", with: "hello, enabled: false }"), to: "config.yaml")
            #expect(try await host.answer("config", "reset")["removed"].list.count == 1)
            #expect(try await host.ask("reload").ending == .exit(0))
            #expect(try await state(host) == "disabled")
            try place.write(Self.config, to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            #expect(try await state(host) == "active")
            try await host.terminate()
        }
    }

    @Test func whatTheDiskDoesNotTakeHoldsAndIsSaid() async throws {
        let place = try Workplace()
        // A file where a directory is to be: nobody can write there, not even root.
        try place.write("", to: "state")
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await started(host)
            let set = try await host.ask("set", "camera", "source.pattern=ball", "--save", "--json")
            #expect(set.ending == .exit(1) && set.errors.contains("it holds now, but was not saved: "), "\(set)")
            let answer = try JSON(set.output)
            #expect(answer["saved"].bool == false && answer["reason"].string?.contains("state") == true)
            #expect(try await pattern(host) == "ball")
            let disabled = try await host.ask("plugin", "disable", "works", "--save", "--json")
            #expect(disabled.ending == .exit(1) && disabled.errors.contains("was not saved: "), "\(disabled)")
            let row = try JSON(disabled.output)
            #expect(row["state"].string == "disabled" && row["saved"].bool == false && row["reason"].string == nil)
            #expect(row["save_reason"].string?.contains("state") == true)
            try await host.terminate()
        }
    }

    /// No file of this host may grow: as on a full disk, a file can be made and not filled.
    @Test func aFullDiskLeavesTheOldFileWhole() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("state"), withIntermediateDirectories: true)
        let saved = "mediahost: 1\npipelines:\n  camera:\n    properties:\n      source.pattern: \"ball\"\n"
        try place.write(saved, to: "state/saved.yaml")
        try place.write(Self.config, to: "config.yaml")
        let socket = place.path("control.sock")
        let script = "trap '' XFSZ; exec \"$0\" run config.yaml --socket \"$1\""
        let child = try ChildProcess(
            "/bin/sh", ["-c", script, Workplace.mediahost, socket],
            environment: Workplace.environment(["MEDIAHOST_PLUGIN_PATH": try await ThirdParty.plugins()]),
            directory: place.directory)
        try await child.errors.next(containing: "pipeline camera: playing")
        // Not before: a sanitizer begins with a file of its own.
        try await Tool.require("prlimit", ["--pid", "\(child.pid)", "--fsize=0"], in: place.directory)
        let set = try await Tool.run(
            Workplace.mediahost, ["set", "camera", "source.pattern=snow", "--save", "--socket", socket],
            in: place.directory)
        #expect(set.ending == .exit(1) && set.errors.contains("was not saved: cannot write"), "\(set)")
        #expect(try String(contentsOfFile: place.path("state/saved.yaml"), encoding: .utf8) == saved)
        #expect(!place.exists("state/saved.yaml.new"))
        let status = try await Tool.run(
            Workplace.mediahost, ["get", "camera", "source.pattern", "--socket", socket], in: place.directory)
        #expect(status.output.contains("snow"))
        child.send(SIGTERM)
        #expect(try await child.end() == .exit(0))
    }

    /// Killed at any moment, a host leaves a whole file: the last value that was told to be saved, or the one that was being saved.
    @Test func aKillLeavesTheFileWhole() async throws {
        let place = try Workplace()
        let config = Self.config.replacingOccurrences(
            of: "plugins:\n  works: { module: Clockwork, greeting: hello }\n", with: "")
        var least = 0
        let rounds = Int(ProcessInfo.processInfo.environment["MEDIAHOST_KILLS"] ?? "") ?? 6
        for round in 0..<rounds {
            let host = try MediahostProcess(place.write(config, to: "config.yaml"), in: place)
            try await host.log.next(containing: "pipeline camera: playing")
            let before = try await host.answer("get", "camera", "source.horizontal-speed")["value"].string
            let value = try #require(Int(before ?? ""))
            #expect(value == least || value == least + 1, "round \(round)")
            #expect(!host.log.text.contains("saved.yaml"), "\(host.log.text)")
            least = value
            // Values that go up, each after the answer to the one before, until the kill.
            let sent = Task {
                var told = value
                while true {
                    let body = "{\"value\":\"\(told + 1)\",\"save\":true}"
                    let head = "POST /v1/pipelines/camera/properties/source.horizontal-speed HTTP/1.1\r\nHost: h\r\n"
                    let request = head + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
                    guard let answer = try? await HTTPExchange.send(request, to: host.socket),
                        answer.contains("\"saved\":true")
                    else { return told }
                    told += 1
                }
            }
            // A file that changes is being written to all the time: the kill falls anywhere.
            try await Deadline.poll("saves") {
                let text = try? String(contentsOfFile: place.path("state/saved.yaml"), encoding: .utf8)
                let now = text?.split(separator: "\"").dropFirst().first.flatMap { Int($0) } ?? 0
                return now > value + 2 * (round + 1) ? true : nil
            }
            host.send(SIGKILL)
            _ = try await host.child.end()
            least = await sent.value
        }
        print("saved settings: \(rounds) kills, last value \(least)")
    }
}
