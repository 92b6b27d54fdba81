import Foundation
import Testing

/// The completion scripts, in the shells themselves where they are installed.
@Suite(.timeLimit(.minutes(10)))
struct CompletionTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera:
            launch: >
              videotestsrc name=source is-live=true ! video/x-raw,width=160,height=120,framerate=25/1
              ! x264enc tune=zerolatency speed-preset=ultrafast ! h264parse name=encoded ! fakesink
            settable: [source.pattern]
          cafe: { launch: fakesrc ! fakesink, autostart: false }
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, memory: 4MiB }
        """

    private static func dotted(_ commands: [String]) -> [String] { commands.map { "replay.\($0)" } }

    private static func isInstalled(_ shell: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
        }
    }

    /// bash as it is: the function with the words as bash takes them apart.
    private func bash(
        _ words: [String], socket: String = "/nowhere/sock", within limit: String? = nil, in place: Workplace
    ) async throws -> [String] {
        try place.write(
            try await Tool.require(Workplace.mediahost, ["completion", "bash"], in: place.directory).output,
            to: "completion.bash")
        let script = """
            . ./completion.bash
            COMP_WORDS=('\(Workplace.mediahost)' \(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(words.count)
            _mediahost
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        var environment = ["MEDIAHOST_SOCKET": socket]
        environment["MEDIAHOST_COMPLETION_LIMIT"] = limit
        let result = try await Tool.require("bash", ["-c", script], environment: environment, in: place.directory)
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["re"], ["reload", "resume"]), (["graph", "--f"], ["--format="]), (["help", "doc"], ["doctor"]),
        (["graph", "--format", "=", "j"], ["json"]), (["graph", "-f", "s"], ["svg"]),
        (["completion", ""], ["bash", "zsh", "fish"]), (["pipeline", "mode", "camera", "a"], ["audio"]),
        (["interrupt", "--source", "phone", "b"], ["begin"]), (["logs", "--level", "=", "w"], ["warning"]),
        (["events", "--filter", "pipeline.s"], ["pipeline.state"]),
        (["events", "--filter", "=", "login.a"], ["login.awake"]),
        (["events", "--filter", "clock"], ["clock.set"]),
        (["run", "conf"], ["config.yaml"]), (["status", "--socket", "=", "conf"], ["config.yaml"]),
        (["nope", ""], []), (["start", ""], []), (["status", ""], []),
    ])
    func bashKnowsTheTableOfCommands(_ words: [String], _ expected: [String]) async throws {
        let place = try Workplace()
        try place.write("", to: "config.yaml")
        #expect(try await bash(words, in: place) == expected)
    }

    @Test func bashKnowsWhatRuns() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            // On a busy machine the host may take longer than a person would wait.
            let commands = try await host.answer("commands")["replay"].keys
            func complete(_ words: String..., like expected: [String]) async throws {
                let found = try await bash(words, socket: host.socket, within: "60s", in: place)
                #expect(found == expected || found.sorted() == expected, "\(words): \(found)")
            }
            try await complete("stop", "ca", like: ["camera", "cafe"])
            try await complete("pipeline", "show", "cam", like: ["camera"])
            try await complete("pipeline", "snapshot", "camera", "enc", like: ["encoded.sink", "encoded.src"])
            try await complete("pipeline", "snapshot", "cafe", "", like: [])
            try await complete("plugin", "show", "", like: ["replay"])
            try await complete(
                "call", "replay.s", like: ["replay.save", "replay.status", "replay.seek", "replay.step"])
            try await complete("call", "replay.save", "l", like: ["last="])
            // In two words it offered nothing: only PLUGIN.COMMAND was known.
            try await complete("call", "rep", like: ["replay"] + Self.dotted(commands))
            try await complete("call", "replay", "", like: commands)
            try await complete("call", "replay", "sa", like: ["save"])
            try await complete("call", "replay", "save", "l", like: ["last="])
            try await complete("call", "replay", "save", "overwrite", "=", "t", like: ["true"])
            try await complete("call", "replay", "save", "last", "=", "5s", "l", like: [])
            try await complete("call", "nobody", "", like: [])
            try await complete("graph", "--live", "ca", like: ["camera", "cafe"])
            try await complete("graph", "conf", like: ["config.yaml"])
            try await complete("plugin", "set", "replay", "wi", like: ["window="])
            // What the config file alone may say is not offered.
            try await complete("plugin", "set", "replay", "mem", like: [])
            try await complete("call", "replay.save", "overwrite", "=", "t", like: ["true"])
            try await complete("call", "replay.save", "to", "=", "conf", like: ["config.yaml"])
            try await complete("set", "camera", "", like: ["source.pattern="])
            try await complete("events", "--source", "=", "h", like: ["host"])
            try await host.terminate()
        }
    }

    /// A host that hangs must not hold up the shell of a person.
    @Test func aHostThatDoesNotAnswerIsNotWaitedFor() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await host.log.next(containing: "pipeline camera: playing")
            host.send(SIGSTOP)
            #expect(try await bash(["stop", ""], socket: host.socket, in: place) == [])
            host.send(SIGCONT)
            try await host.terminate()
        }
    }

    @Test(.enabled(if: isInstalled("fish"), "fish (Debian package) is not installed"))
    func fishCompletes() async throws {
        let place = try Workplace()
        try place.write("", to: "config.yaml")
        let script = """
            set -x PATH \(Workplace.products) $PATH
            mediahost completion fish | source
            for line in 'mediahost stat' 'mediahost graph --format=j' 'mediahost run conf'
                complete -C $line
            end
            """
        let result = try await Tool.require(
            "fish", ["--no-config", "-c", script], environment: ["HOME": place.directory], in: place.directory)
        let lines = result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(lines == ["status", "--format=json", "config.yaml"], "\(result)")
    }

    /// The function in zsh, with `compadd` and what else the line editor brings said in its place.
    @Test(.enabled(if: isInstalled("zsh"), "zsh (Debian package) is not installed"))
    func zshCompletes() async throws {
        let place = try Workplace()
        let script = """
            compdef() { }
            compset() { PREFIX=${PREFIX#*=} }
            compadd() { print -l -- "${(@P)argv[-1]}" }
            _files() { print files }
            eval "$('\(Workplace.mediahost)' completion zsh)"
            words=('\(Workplace.mediahost)' interrupt '') CURRENT=3 PREFIX=''
            _mediahost
            words=('\(Workplace.mediahost)' logs --level=) CURRENT=3 PREFIX='--level='
            _mediahost
            words=('\(Workplace.mediahost)' run conf) CURRENT=3 PREFIX=conf
            _mediahost
            """
        let result = try await Tool.require("zsh", ["-f", "-c", script], in: place.directory)
        #expect(
            result.output.split(separator: "\n") == [
                "begin", "end", "error", "warning", "notice", "debug", "files",
            ], "\(result)")
    }

    @Test func anUnknownShellIsTwo() async throws {
        let result = try await Tool.run(Workplace.mediahost, ["completion", "fsh"], in: "/tmp")
        #expect(result.ending == .exit(2) && result.errors.contains(#"did you mean "fish"?"#), "\(result.errors)")
    }
}
