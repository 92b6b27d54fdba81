import Foundation
import Testing

/// The host under a service manager, which is the test: what it is told, and which signals come when.
@Suite(.timeLimit(.minutes(10)))
struct ServiceTests {
    private static let live = """
        mediahost: 1
        pipelines:
          porch:
            launch: videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=25/1 ! fakesink
        """

    /// One more pipeline, which fails for good.
    private static let dead =
        "\n  dead:\n    launch: filesrc location=/nowhere/clip ! fakesink\n    restart: never\n"

    private func withService(
        _ config: String, in place: Workplace, watchdog: Duration? = nil, address: String? = nil,
        plugins: String? = nil, _ body: (MediahostProcess, LineLog) async throws -> Void
    ) async throws {
        let manager = try NotifySocket(address ?? place.path("notify"))
        var environment = ["NOTIFY_SOCKET": manager.address, "XDG_STATE_HOME": place.path("state")]
        if let watchdog { environment["WATCHDOG_USEC"] = String(Int(watchdog.seconds * 1_000_000)) }
        try await withHost(config, in: place, plugins: plugins, environment: environment) { host in
            try await body(host, manager.messages)
        }
    }

    @Test(arguments: [false, true])
    func managerLearnsOfTheStartAndTheEnd(isAbstract: Bool) async throws {
        let place = try Workplace()
        let address = isAbstract ? "@\(place.directory)/notify" : place.path("notify")
        try await withService(Self.live, in: place, address: address) { host, manager in
            try await manager.next(containing: "READY=1")
            try await host.terminate()
            try await manager.next(containing: "STOPPING=1")
            let lines = manager.lines
            #expect(lines.contains("STATUS=1 of 1 pipeline playing"))
            #expect(lines.filter { $0 == "READY=1" }.count == 1)
            #expect(!lines.contains("WATCHDOG=1"), "nobody asked for it")
            // READY comes when it plays, not before.
            let ready = try #require(lines.firstIndex(of: "READY=1"))
            #expect(lines[ready + 1] == "STATUS=1 of 1 pipeline playing")
        }
    }

    /// One dead camera must not keep the unit from starting.
    @Test func aFailedPipelineIsInTheStatusAndLeavesItsFlightRecord() async throws {
        let place = try Workplace()
        let config = Self.live + Self.dead
        try await withService(config, in: place) { host, manager in
            try await manager.next(containing: "STATUS=1 of 2 pipelines playing; dead: failed")
            #expect(manager.lines.contains("READY=1"))
            let line = try await host.log.next(containing: "what GStreamer logged before dead failed is in ")
            let file = try #require(line.split(separator: " ").last.map(String.init))
            #expect(file.hasPrefix(place.path("state/mediahost/failures/dead-2")))
            let record = try String(contentsOfFile: file, encoding: .utf8)
            #expect(record.contains("pipeline dead failed at "))
            #expect(record.contains("No such file \"/nowhere/clip\""))
            #expect(record.contains("filesrc0"))
            // GStreamer's own warnings come the same way as ours, with the pipeline's name.
            #expect(host.log.text.contains("pipeline dead: warning: filesrc0: "), "\(host.log.text)")
            try await host.terminate()
        }
    }

    @Test func signsOfLifeStopWhileTheControlThreadHangsAndTheLogSaysWhere() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        #expect(mkfifo(place.path("hang.fifo"), 0o600) == 0)
        let config = Self.live + "\nplugins:\n  hanger: { module: Hanger }\n"
        // The monitor speaks after a quarter of the timeout.
        try await withService(config, in: place, watchdog: .seconds(1), plugins: plugins) { host, manager in
            for _ in 0..<3 { try await manager.next(containing: "WATCHDOG=1") }
            let call = Task { try await host.ask("call", "hanger.hang") }
            // A machine that is busy may hold up the host's own code, too.
            let report = try await host.log.next(containing: "plugin hanger in invoke")
            #expect(report.contains("error: the control role hangs for "))
            #if THREAD_SANITIZER
                // The sanitizer holds signals back until the thread returns from what it waits in.
                try await host.log.next(containing: "no stack: the thread takes no signal")
            #else
                try await host.log.next(containing: "libHanger.so")
            #endif
            let before = manager.lines.filter { $0 == "WATCHDOG=1" }.count
            let end = try #require(FileHandle(forWritingAtPath: place.path("hang.fifo")))
            #expect(manager.lines.filter { $0 == "WATCHDOG=1" }.count == before)
            try end.close()
            try await host.log.next(containing: "the control role goes on, after ")
            try await manager.next(containing: "WATCHDOG=1")
            #expect(try await call.value.ending == .exit(0))
            try await host.terminate()
        }
    }

    @Test func memoryBeyondTheBoardIsRefusedBeforeAnythingStarts() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        try place.write(
            Self.live + "\nplugins:\n  ring: { module: Hanger, memory: 900TiB }\n  other: { module: Hanger }\n",
            to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["run", "config.yaml", "--socket", place.path("control.sock")],
            environment: ["MEDIAHOST_PLUGIN_PATH": plugins], in: place.directory)
        #expect(result.ending == .exit(3))
        #expect(result.errors.contains("config.yaml:6:35: error: plugins reserve "), "\(result.errors)")
        #expect(
            result.errors.contains("ring 900TiB (config.yaml:6), other 1MiB (config.yaml:7, the default of memory); "))
        #expect(!result.errors.contains("porch: starting"))
    }

    /// Who asks GStreamer itself gets its log as everywhere, and nothing twice.
    @Test func logOfWhoSetsGstDebugIsLeftAlone() async throws {
        let place = try Workplace()
        let config = "mediahost: 1\npipelines:" + Self.dead
        try place.write(config, to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["run", "config.yaml", "--socket", place.path("control.sock")],
            environment: ["GST_DEBUG": "2", "GST_DEBUG_NO_COLOR": "1", "XDG_STATE_HOME": place.path("state")],
            in: place.directory)
        #expect(result.ending == .exit(1))
        #expect(result.errors.contains(" WARN "), "\(result.errors)")
        #expect(!result.errors.contains("pipeline dead: warning"))
        #expect(!place.exists("state"))
    }

    private static let hasSystemd = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

    @Test(.enabled(if: hasSystemd, "systemd-analyze (package systemd) is not installed"))
    func unitFileIsWhatSystemdUnderstands() async throws {
        for name in ["mediahost", "mediahost-timers"] { try await verify("\(name).service") }
    }

    private func verify(_ name: String) async throws {
        let place = try Workplace()
        let template = try String(
            contentsOfFile: "\(Workplace.checkout)/packaging/systemd/\(name)", encoding: .utf8)
        let unit = template.replacingOccurrences(of: "@bindir@", with: Workplace.products)
            .replacingOccurrences(of: "@docdir@", with: "/usr/share/doc/mediahost")
        #expect(!unit.contains("@bindir@") && !unit.contains("@docdir@"))
        try place.write(unit, to: name)
        // No manager runs where tests run: what it says of the directives is what counts.
        let result = try await Tool.run(
            "systemd-analyze", ["verify", "--man=no", place.path(name)], in: place.directory)
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(!result.errors.contains(name), "\(result.errors)")
        let security = try await Tool.run(
            "systemd-analyze", ["--offline=true", "security", "--threshold=30", place.path(name)],
            in: place.directory)
        #expect(security.ending == .exit(0), "\(security.output.suffix(400))\(security.errors)")
    }

    /// They come before the host can have read its config: none may end it, and none may be lost.
    @Test(arguments: 0..<4)
    func signalsOfTheFirstMomentAreKept(round: Int) async throws {
        let place = try Workplace()
        let path = try place.write(Self.live, to: "config.yaml")
        let all = [SIGUSR1, SIGUSR2, SIGHUP, SIGTERM, SIGINT, SIGPIPE]
        let host = try MediahostProcess(path, in: place, blocked: all)
        for signal in [SIGHUP, SIGPIPE, SIGUSR1] { host.send(signal) }
        try await host.log.next(containing: "pipeline porch: stopped")
        #expect(try await host.answer("status")["lifecycle"]["state"].string == "paused")
        host.send(SIGPIPE)
        host.send(SIGUSR2)
        try await host.log.next(containing: "pipeline porch: playing")
        try await host.terminate()
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func anEndOfTheFirstMomentIsOrderly(signal: Int32) async throws {
        let place = try Workplace()
        let path = try place.write(Self.live, to: "config.yaml")
        let host = try MediahostProcess(path, in: place, blocked: [SIGTERM, SIGINT])
        host.send(signal)
        #expect(try await host.child.end() == .exit(0))
        #expect(!place.exists("control.sock"))
        #expect(!host.log.text.contains("playing"))
    }

    @Test func softLimitOfOpenFilesIsRaised() async throws {
        let place = try Workplace()
        try await withHost(Self.live, in: place) { host in
            try await host.log.next(containing: "first buffer")
            let limits = try String(contentsOfFile: "/proc/\(host.child.pid)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let words = line.split(separator: " ")
            #expect(words[3] == words[4], "\(line)")
            try await host.terminate()
        }
    }
}
