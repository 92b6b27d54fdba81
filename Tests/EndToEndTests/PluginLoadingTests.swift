import Foundation
import Glibc
import Testing

/// Where plugins are looked for, what is remembered of them, and the commands that show it.
@Suite(.timeLimit(.minutes(10)))
struct PluginLoadingTests {
    private static func config(_ module: String, _ more: String = "") -> String {
        """
        mediahost: 1
        \(more)
        pipelines: { camera: { launch: videotestsrc is-live=true name=v ! fakesink } }
        plugins: { it: { module: \(module) } }

        """
    }

    /// A place with one library of its own, and a count of the processes that mapped it.
    private struct Trial {
        let place: Workplace
        let environment: [String: String]

        init(_ fault: String) async throws {
            place = try Workplace()
            try FileManager.default.createDirectory(atPath: place.path("plugins"), withIntermediateDirectories: true)
            environment = [
                "MEDIAHOST_PLUGIN_PATH": place.path("plugins"), "XDG_STATE_HOME": place.path("state"),
                "FAULTY_TRACE": place.path("trace"),
            ]
            try await install(fault)
            try place.write(config("Trial"), to: "config.yaml")
        }

        var library: String { place.path("plugins/libTrial.so") }

        func install(_ fault: String) async throws {
            try? FileManager.default.removeItem(atPath: library)
            try FileManager.default.copyItem(atPath: try await FaultyPlugins.file(fault), toPath: library)
        }

        func mediahost(_ arguments: String...) async throws -> Tool.Result {
            try await Tool.run(Workplace.mediahost, arguments, environment: environment, in: place.directory)
        }

        /// How many processes have mapped it so far.
        var mapped: Int { (try? Data(contentsOf: URL(fileURLWithPath: place.path("trace"))).count) ?? 0 }
    }

    @Test func soundLibraryIsProbedOnceUntilItsFileChanges() async throws {
        let trial = try await Trial("None")
        #expect(try await trial.mediahost("check", "config.yaml").ending == .exit(0))
        #expect(trial.mapped == 2, "the probe and the host")
        #expect(try await trial.mediahost("check", "config.yaml").ending == .exit(0))
        #expect(trial.mapped == 3, "the host alone")
        #expect(try await trial.mediahost("plugin", "list").output.contains("Trial"))
        #expect(trial.mapped == 3, "nobody")
        try await trial.install("None")
        #expect(try await trial.mediahost("check", "config.yaml").ending == .exit(0))
        #expect(trial.mapped == 5)
        #expect(try await trial.mediahost("check", "--probe-again", "config.yaml").ending == .exit(0))
        #expect(trial.mapped == 7)
    }

    @Test func dangerousLibraryIsInQuarantineUntilItsFileChanges() async throws {
        let trial = try await Trial("CrashInInit")
        let first = try await trial.mediahost("check", "config.yaml")
        #expect(first.ending == .exit(3) && first.errors.contains("it is in quarantine from now on"))
        #expect(trial.mapped == 1)
        let second = try await trial.mediahost("check", "config.yaml")
        #expect(second.ending == .exit(3))
        #expect(second.errors.contains("libTrial.so is in quarantine since 20"), "\(second.errors)")
        #expect(second.errors.contains("it crashed with SIGSEGV while it was probed (in init)"), "\(second.errors)")
        #expect(trial.mapped == 1)
        let list = try await trial.mediahost("plugin", "list", "--json")
        let module = try #require(try JSON(list.output)["modules"].list.first { $0["name"].string == "Trial" })
        #expect(module["state"].string == "quarantined" && module["quarantined_ns"].int != nil)
        #expect(try await trial.mediahost("doctor").output.contains("libTrial.so is in quarantine since"))
        #expect(trial.mapped == 1)
        #expect(try await trial.mediahost("plugin", "list", "--probe-again").output.contains("quarantined"))
        #expect(trial.mapped == 2)
        try await trial.install("None")
        #expect(try await trial.mediahost("check", "config.yaml").ending == .exit(0))
    }

    @Test(arguments: ["damaged", "unwritable", "none"]) func withoutACacheEverythingIsProbedAgain(
        _ how: String
    ) async throws {
        let trial = try await Trial("None")
        let directory = trial.place.path("state/mediahost")
        try FileManager.default.createDirectory(
            atPath: how == "unwritable" ? trial.place.path("state") : directory, withIntermediateDirectories: true)
        switch how {
        case "damaged": try trial.place.write("{\"format\": 1, \"libraries\": [", to: "state/mediahost/plugins.json")
        // Root may write anywhere, but in no directory that is a file.
        case "unwritable": try trial.place.write("", to: "state/mediahost")
        default: break
        }
        let result = try await trial.mediahost("check", "config.yaml")
        #expect(result.ending == .exit(0) && result.errors == "", "\(result.errors)")
        #expect(trial.mapped == 2)
        _ = try await trial.mediahost("check", "config.yaml")
        #expect(trial.mapped == (how == "unwritable" ? 4 : 3))
    }

    @Test func pluginPathOfTheConfigIsFirstAndBeginsAtItsFile() async throws {
        let trial = try await Trial("CrashInInit")
        try FileManager.default.createDirectory(atPath: trial.place.path("etc/own"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: try await FaultyPlugins.file("None"), toPath: trial.place.path("etc/own/libTrial.so"))
        try trial.place.write(Self.config("Trial", "plugin-path: [own]"), to: "etc/config.yaml")
        let result = try await trial.mediahost("check", "etc/config.yaml")
        #expect(result.ending == .exit(0), "\(result.errors)")
        try trial.place.write(Self.config("Triall", "plugin-path: own"), to: "etc/config.yaml")
        let missing = try await trial.mediahost("check", "etc/config.yaml")
        #expect(missing.ending == .exit(3))
        #expect(
            missing.errors.contains(
                #"etc/config.yaml:4:26: error: no plugin "Triall": there is no libTriall.so in etc/own (plugin-path), "#
                    + "\(trial.place.path("plugins")) (MEDIAHOST_PLUGIN_PATH), "), "\(missing.errors)")
        #expect(missing.errors.contains(#"did you mean "Trial"?"#), "\(missing.errors)")
    }

    @Test func infoShowsTheDescriptorAndTheKeys() async throws {
        let place = try Workplace()
        let result = try await Tool.require(
            Workplace.mediahost, ["plugin", "info", "ReplayBuffer"], in: place.directory)
        for text in [
            "state ok", "libc.so.6", "org.mediahost.replay-buffer", "KEY",
            "memory size (at least 1MiB) 256MiB ",
        ] {
            // How wide the columns are follows from all that stands in them.
            let words = result.output.split(separator: " ").joined(separator: " ")
            #expect(words.contains(text), "\(result.output)")
        }
        let file = try await FaultyPlugins.file("None")
        let value = try await Tool.require(
            Workplace.mediahost, ["plugin", "info", file, "--json"], in: place.directory)
        #expect(try JSON(value.output)["plugins"].list.first?["id"].string == "org.example.faulty")
        let absent = try await Tool.run(
            Workplace.mediahost, ["plugin", "info", "ReplayBufer"], in: place.directory)
        #expect(absent.ending == .exit(1) && absent.errors.contains(#"did you mean "ReplayBuffer"?"#))
    }

    @Test func safeModeRunsThePipelinesAlone() async throws {
        let trial = try await Trial("CrashInInit")
        let host = try MediahostProcess(
            "config.yaml", in: trial.place, environment: trial.environment, options: ["--safe-mode"])
        try await host.log.next(containing: "safe mode: no plugin is loaded (left out: it)")
        try await host.log.next(containing: "first buffer")
        host.send(SIGHUP)
        try await host.log.next(containing: "reload")
        #expect(try await host.answer("status")["plugins"].keys == [])
        #expect(trial.mapped == 0)
        try await host.terminate()
    }

    @Test func terminationIsFollowedWhileALibraryHangsInItsProbe() async throws {
        let trial = try await Trial("HangInInit")
        // The end of the probe by itself would look the same.
        let environment = trial.environment.merging(["MEDIAHOST_PROBE_LIMIT": "600s"]) { $1 }
        let host = try MediahostProcess("config.yaml", in: trial.place, environment: environment)
        try await Deadline.poll("the probe") { trial.mapped == 1 ? true : nil }
        host.send(SIGTERM)
        #expect(try await host.child.end() == .exit(0))
    }

    /// What a reload brings is tried on a worker: the host answers while it hangs.
    @Test func reloadProbesBesideTheRunningHost() async throws {
        let trial = try await Trial("HangInInit")
        try trial.place.write(
            "mediahost: 1\npipelines: { camera: { launch: videotestsrc is-live=true ! fakesink } }\n", to: "config.yaml"
        )
        var environment = trial.environment
        environment["MEDIAHOST_PROBE_LIMIT"] = "10s"
        let host = try MediahostProcess("config.yaml", in: trial.place, environment: environment)
        try await host.log.next(containing: "first buffer")
        try trial.place.write(Self.config("Trial"), to: "config.yaml")
        host.send(SIGHUP)
        try await Deadline.poll("the probe") { trial.mapped == 1 ? true : nil }
        // On a loaded machine pictures come late, too.
        let state = try await host.answer("status")["pipelines"]["camera"]["state"].string
        #expect(["playing", "degraded"].contains(state))
        try await host.log.next(containing: "hung for 10s while it was probed (in init)")
        #expect(trial.mapped == 1)
        try await host.terminate()
    }

    /// What the child of a probe has of its host: no file, no terminal, no core dump, and no life of its own.
    @Test func aProbeHoldsNothingOfItsHostAndDiesWithIt() async throws {
        let trial = try await Trial("HangDeaf")
        let host = try MediahostProcess("config.yaml", in: trial.place, environment: trial.environment)
        try await Deadline.poll("the probe") { trial.mapped == 1 ? true : nil }
        let child = try #require(children(of: host.child.pid).first)
        let proc = "/proc/\(child)"
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(proc)/fd").sorted() == ["0", "1", "2", "3"])
        #expect(getsid(child) == child && getpgid(child) == child)
        let limits = try #require(kernelText("\(proc)/limits")).split(separator: "\n")
        let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").contains("0"))
        host.send(SIGKILL)
        _ = try await host.child.end()
        try await Deadline.poll("the end of the probe") {
            let state = kernelText("\(proc)/stat")
            return state.map { $0.contains(") Z ") || $0.contains(") X ") } ?? true ? true : nil
        }
    }

    /// A file of `/proc`. Foundation's reader leaks where such a file is gone before its end.
    private func kernelText(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func children(of process: pid_t) -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let text = kernelText("/proc/\(process)/task/\(task)/children")
            return (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
        }
    }

    /// The one that is left behind by a library that forks has no session of its own and goes with the probe.
    @Test(arguments: ["ForkInInit", "ForkAndCrash"]) func whatALibraryStartedIsGoneWithItsProbe(
        _ fault: String
    ) async throws {
        let trial = try await Trial(fault)
        #expect(try await trial.mediahost("check", "config.yaml").ending == .exit(3))
        // It was sent its end, which it meets when a busy kernel comes to it.
        try await Deadline.poll("the end of all that \(trial.library) started") {
            let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { process in
                guard pid_t(process) != nil, let words = kernelText("/proc/\(process)/cmdline") else { return false }
                return words.contains(trial.library)
            }
            return left ? nil : true
        }
    }
}
