import Foundation
import Testing

/// Exit codes, and what the commands of the command line say.
@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
    private func mediahost(_ arguments: [String], in place: Workplace) async throws -> Tool.Result {
        try await Tool.run(Workplace.mediahost, arguments, in: place.directory)
    }

    @Test(arguments: [
        ([], "Usage: mediahost COMMAND"),
        (["rnu", "x.yaml"], #"mediahost: no command "rnu"; did you mean "run"?"#),
        (["run"], "mediahost run: give one config file"),
        (["run", "x.yaml", "--nope"], "Unknown option --nope"),
        (["call", "replay"], #""replay" is not PLUGIN.COMMAND"#),
        (["call", "replay.save", "to"], #""to" is not KEY=VALUE"#),
        (["interrupt"], "mediahost interrupt: say one of begin, end"),
        (["interrupt", "begn"], #""begn" is none of begin, end; did you mean "begin"?"#),
        (["interrupt", "end", "--resume", "--no-resume"], "--resume and --no-resume contradict each other"),
        (["interrupt", "begin", "--resume"], "--resume goes with `interrupt end`"),
        (["low-power", "on", "off"], "mediahost low-power: say one of on, off"),
        (["status", "--timeout", "soon"], #"--timeout takes a whole number of seconds, not "soon""#),
    ])
    func wrongCommandLineIsTwo(_ arguments: [String], _ text: String) async throws {
        let result = try await mediahost(arguments, in: Workplace())
        #expect(result.ending == .exit(2))
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output == "")
    }

    @Test func helpAndVersionAreZero() async throws {
        let place = try Workplace()
        let help = try await mediahost(["--help"], in: place)
        #expect(help.ending == .exit(0) && help.errors == "")
        for name in ["run", "check", "status", "pause", "resume", "call", "commands"] {
            #expect(help.output.contains("\n  \(name) "))
        }
        let version = try await mediahost(["--version"], in: place)
        #expect(version.ending == .exit(0) && version.output.hasPrefix("mediahost 0."))
    }

    @Test func missingConfigIsThree() async throws {
        let result = try await mediahost(["run", "absent.yaml"], in: Workplace())
        #expect(result.ending == .exit(3))
        #expect(result.errors.contains("cannot read absent.yaml: No such file or directory"))
    }

    @Test func failedPipelineIsOneAndSaysWhereAndWhat() async throws {
        let place = try Workplace()
        try place.write(
            """
            mediahost: 1
            pipelines:
              player:
                launch: >
                  filesrc location=/nowhere/clip.mp4
                  ! fakesink
                restart: never
            """, to: "config.yaml")
        let result = try await mediahost(["run", "config.yaml", "--socket", place.path("control.sock")], in: place)
        #expect(result.ending == .exit(1))
        #expect(
            result.errors.contains(
                #"error: config.yaml:5:7: filesrc0: Resource not found. No such file "/nowhere/clip.mp4""#),
            "\(result.errors)")
        #expect(result.errors.contains("error: no pipeline is left that could run"))
        #expect(!place.exists("control.sock"))
    }

    /// Who waits for the end must learn that not all went well.
    @Test(arguments: ["exits", "fails"]) func endBesideAFailedPipelineIsOne(_ which: String) async throws {
        let place = try Workplace()
        let lost = "filesrc location=/nowhere/clip.mp4 ! fakesink"
        let (first, second) =
            which == "exits"
            ? ("videotestsrc is-live=true num-buffers=300 ! fakesink", lost)
            : (lost, "videotestsrc is-live=true ! fakesink")
        try place.write(
            """
            mediahost: 1
            pipelines:
              main: { launch: \(first), on-eos: exit }
              other: { launch: \(second), restart: never }
            """, to: "config.yaml")
        let result = try await mediahost(["run", "config.yaml", "--socket", place.path("control.sock")], in: place)
        #expect(result.ending == .exit(1), "\(result.errors)")
    }

    @Test func nobodyAtTheSocketIsFour() async throws {
        let place = try Workplace()
        let result = try await mediahost(["status", "--socket", place.path("control.sock")], in: place)
        #expect(result.ending == .exit(4))
        #expect(result.errors.contains("no mediahost answers at \(place.path("control.sock"))"))
    }

    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=25/1
              ! x264enc tune=zerolatency speed-preset=ultrafast ! h264parse name=encoded ! fakesink
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, memory: 4MiB }
          counter: { module: Minimal, pad: camera/encoded.src }
        """

    @Test func secondHostOnTheSameSocketIsFourAndTheFirstLives() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            let second = try await mediahost(["run", "config.yaml", "--socket", host.socket], in: place)
            #expect(second.ending == .exit(4))
            #expect(second.errors.contains("another mediahost answers at `\(host.socket)`"), "\(second.errors)")
            #expect(!second.errors.contains("pipeline camera"))
            #expect(try await host.answer("status")["pipelines"]["camera"]["state"].string == "playing")
            try await host.terminate()
        }
        #expect(!place.exists("control.sock"))
    }

    /// A host that was killed leaves its socket; the next one takes its place.
    @Test func socketOfADeadHostIsTakenOver() async throws {
        let place = try Workplace()
        let plugins = try await ThirdParty.plugins()
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await host.log.next(containing: "first buffer")
        }
        #expect(place.exists("control.sock"))
        try await withHost(Self.config, in: place, plugins: plugins) { host in
            try await host.log.next(containing: "first buffer")
            try await host.terminate()
        }
    }

    @Test func commandsAnswerAndWrongOnesAreExplained() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            let status = try await host.answer("status")
            #expect(status["lifecycle"]["state"].string == "running")
            #expect(status["plugins"].keys == ["counter", "replay"])
            #expect(status["plugins"]["replay"]["state"].string == "active")
            try await Deadline.poll("a counted frame") {
                try await host.answer("call", "counter.count")["buffers"].int ?? 0 > 0 ? true : nil
            }
            #expect(try await host.ask("call", "counter.reset").output == "done\n")
            #expect(try await host.answer("commands")["replay"]["save"]["parameters"]["required"].list.count == 1)

            for (words, text) in Self.mistakes {
                let result = try await Tool.run(
                    Workplace.mediahost, ["call"] + words + ["--socket", host.socket], in: place.directory)
                #expect(result.ending == .exit(1), "\(words)")
                #expect(result.errors == "mediahost call: \(text)\n", "\(words)")
                #expect(result.output == "")
            }
            try await host.terminate()
        }
    }

    /// The host stands in one directory, its client in another.
    @Test func relativePathOfAFileIsTheClientsOwn() async throws {
        let place = try Workplace()
        let other = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            let save = ["call", "replay.save", "to=clip.mkv", "--socket", host.socket]
            let saved = try await Deadline.poll("a clip") {
                let result = try await Tool.run(Workplace.mediahost, save, in: other.directory)
                return result.ending == .exit(0) ? result : nil
            }
            #expect(saved.output.contains(other.path("clip.mkv")), "\(saved.output)")
            #expect(other.exists("clip.mkv") && !place.exists("clip.mkv"))
            try await host.terminate()
        }
    }

    /// A `$` in a file's name is no variable of make's.
    @Test func makePassesTheNameOfAFileAsItIs() async throws {
        let place = try Workplace()
        let name = place.path("d$x$(y).mp4")
        try place.write("shown:\n\t@printf '%s\\n' \"$$FILE\"\n", to: "shown.mk")
        let result = try await Tool.require(
            "make", ["-s", "-f", "\(Workplace.checkout)/Makefile", "-f", "shown.mk", "shown", "FILE=\(name)"],
            in: place.directory)
        #expect(result.output == "\(name)\n")
    }

    /// libsoup 3.2's own listener kept a descriptor of each client that came and went.
    @Test(.timeLimit(.minutes(10))) func clientsThatWentLeaveNothingOpen() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.child.pid)/fd").count
            }
            _ = try await host.answer("status")
            let before = try descriptors()
            for _ in 0..<20 { _ = try await host.answer("status") }
            try await Deadline.poll("the descriptors of 20 clients to be closed") {
                try descriptors() <= before + 2 ? true : nil
            }
            try await host.terminate()
        }
    }

    static let mistakes: [([String], String)] = [
        (
            ["replai.save", "to=x.mkv"],
            #"there is no plugin "replai"; did you mean "replay"? (there are replay, counter)"#
        ),
        (
            ["replay.sav", "to=x.mkv"],
            #"plugin replay has no command "sav"; did you mean "save"? (it has save, trigger, status, reset, position, mark, unmark, play, pause, seek, step, live)"#
        ),
        (
            ["replay.save", "last=5", "to=x.mkv"],
            #"command save: last: "5" needs a unit (a duration is a number and a unit: ns, us, ms, s, min or h)"#
        ),
        (
            ["replay.save", "lst=5s", "to=x.mkv"],
            #"command save: unknown key "lst"; did you mean "last"? (valid keys: last, from, until, marker, to, overwrite, exact, gaps, no-overlap)"#
        ),
        (["replay.save"], #"command save: missing key "to" (to: The file; .mkv, .mp4 or .ts)"#),
        (
            ["replay.save", "to=/nowhere/x.mkv"],
            "cannot save /nowhere/x.mkv: the directory /nowhere does not exist; make it, or save elsewhere"
        ),
        (["counter.count", "all=yes"], "command count takes no parameters"),
    ]
}
