import Foundation
import Testing

/// Help everywhere, and `docs/cli.md`, which is the same help.
@Suite(.timeLimit(.minutes(10)))
struct HelpTests {
    private func mediahost(_ arguments: [String], in directory: String = "/tmp") async throws -> Tool.Result {
        try await Tool.run(Workplace.mediahost, arguments, in: directory)
    }

    /// Every command of the overview.
    private func commands() async throws -> [String] {
        let help = try await mediahost(["help"])
        #expect(help.ending == .exit(0) && help.errors == "")
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix("Usage") }.dropFirst(2).prefix { !$0.isEmpty }
            .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func everyCommandHasAPageOfItsOwn() async throws {
        let names = try await commands()
        #expect(Set(names).isSuperset(of: ["run", "check", "reload", "graph", "init", "doctor", "version", "help"]))
        for name in names {
            let page = try await mediahost(["help", name])
            #expect(page.ending == .exit(0) && page.errors == "", "\(name)")
            #expect(page.output.hasPrefix("mediahost \(name): ") && page.output.contains("Usage: mediahost \(name) "))
            #expect(page.output.contains("\n  -h, --help"))
            #expect(page.output.split(separator: "\n").allSatisfy { $0.count <= 110 }, "\(page.output)")
            #expect(try await mediahost([name, "--help"]).output == page.output)
        }
    }

    @Test(arguments: [
        (["help", "nope"], #"mediahost help: no command "nope""#),
        (["help", "grpah"], #"mediahost help: no command "grpah"; did you mean "graph"?"#),
        (["help", "run", "check"], "mediahost help: give one command"),
        (["--verison"], #"mediahost: no command "--verison"; did you mean "version"?"#),
        (["status", "--sokcet", "x"], "mediahost status: Unknown option --sokcet; did you mean --socket?"),
        (["check", "a.yaml", "--jsn"], "Unknown option --jsn; did you mean --json?"),
        (["version", "x"], #"mediahost version: unexpected "x""#),
    ])
    func mistakesAreTwoAndHint(_ arguments: [String], _ text: String) async throws {
        let result = try await mediahost(arguments)
        #expect(result.ending == .exit(2) && result.output == "")
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test func versionSaysWhatItIsMadeOf() async throws {
        let text = try await mediahost(["version"])
        #expect(text.output.contains("\nGStreamer 1.") && text.output.contains("\nplugin ABI 0."))
        let json = try JSON(await mediahost(["version", "--json"]).output)
        #expect(json.keys == ["gstreamer", "mediahost", "plugin_abi", "swift"])
        #expect(text.output.hasPrefix("mediahost \(try #require(json["mediahost"].string))\n"))
    }

    /// `make docs`, or UPDATE=1, writes it.
    @Test func documentIsTheHelp() async throws {
        let path = "\(Workplace.checkout)/docs/cli.md"
        let markdown = try await mediahost(["help", "--markdown"]).output
        if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
            try markdown.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let document = try String(contentsOfFile: path, encoding: .utf8)
        #expect(document == markdown, "docs/cli.md is not what the commands say: `make docs` writes it")
    }

    @Test func manualPageOfTheConfigHasEveryKey() async throws {
        let page = try await mediahost(["help", "--man-config"]).output
        #expect(page.contains("\n.SH NAME\nmediahost.yaml \\- "))
        let document = try String(contentsOfFile: "\(Workplace.checkout)/docs/configuration.md", encoding: .utf8)
        let rows = document.components(separatedBy: "<!-- written by make docs -->").last ?? ""
        let keys = rows.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first.map(String.init)
        }
        #expect(keys.count > 100)
        let entries = page.components(separatedBy: "\n.TP\n").dropFirst().compactMap {
            $0.split(separator: "\n").first.map { String($0).replacing("\\fB", with: "").replacing(":\\fR", with: "") }
        }
        #expect(entries.map { $0.replacing("\\-", with: "-") } == keys)
        #expect(page.unicodeScalars.allSatisfy { $0.isASCII })
        let requests = Set(page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix { $0 != " " } })
        #expect(requests.subtracting([".\\\"", ".TH", ".SH", ".SS", ".BR", ".PP", ".TP", ".nf", ".fi"]).isEmpty)
        let both = try await mediahost(["help", "--man", "--man-config"])
        #expect(both.ending == .exit(2) && both.errors.contains("--man and --man-config are different pages"))
    }

    @Test func manualPageHasEveryCommand() async throws {
        let page = try await mediahost(["help", "--man"]).output
        #expect(page.contains("\n.SH NAME\nmediahost \\- "))
        for name in try await commands() {
            #expect(page.contains("\n.SS mediahost \(name.replacing("-", with: "\\-")) ["), "\(name)")
        }
        #expect(page.contains("\\fB\\-t, \\-\\-timeout=SECONDS\\fR"))
        #expect(page.unicodeScalars.allSatisfy { $0.isASCII })
        // No text is taken for a request.
        let requests = Set(page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix { $0 != " " } })
        #expect(requests.subtracting([".\\\"", ".TH", ".SH", ".SS", ".B", ".I", ".BR", ".PP", ".TP"]).isEmpty)
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"),
            "groff (Debian package) is not installed"))
    func manualPageIsCleanTroff() async throws {
        let place = try Workplace()
        try place.write(try await mediahost(["help", "--man"]).output, to: "mediahost.1")
        let result = try await Tool.require(
            "groff", ["-man", "-ww", "-Tutf8", "-z", "mediahost.1"], in: place.directory)
        #expect(result.errors == "")
    }

    /// `make install` calls it with the release.
    @Test func manualPageAndCompletionsAreInstalled() async throws {
        let place = try Workplace()
        let result = try await Tool.require(
            "\(Workplace.checkout)/scripts/install-texts", [Workplace.mediahost, place.directory],
            in: place.directory)
        #expect(result.errors == "")
        for (file, words) in [
            ("man/man1/mediahost.1", ["help", "--man"]),
            ("man/man5/mediahost.yaml.5", ["help", "--man-config"]),
            ("bash-completion/completions/mediahost", ["completion", "bash"]),
            ("zsh/site-functions/_mediahost", ["completion", "zsh"]),
            ("fish/vendor_completions.d/mediahost.fish", ["completion", "fish"]),
        ] {
            let text = try String(contentsOfFile: place.path("share/\(file)"), encoding: .utf8)
            #expect(try await mediahost(words).output == text, "\(file)")
        }
    }

    @Test func checkTellsScriptsWhereAndWhat() async throws {
        let place = try Workplace()
        try place.write(
            "mediahost: 1\npipelines:\n  a: { launch: fakesrc ! fakesnk, on-eos: exit }\n", to: "config.yaml")
        let result = try await mediahost(["check", "config.yaml", "--json"], in: place.directory)
        #expect(result.ending == .exit(3) && result.errors == "")
        let report = try JSON(result.output)
        #expect(report["ok"].bool == false && report["file"].string == "config.yaml")
        let found = try #require(report["diagnostics"].list.first)
        #expect(found["line"].int == 3 && found["column"].int == 26 && found["severity"].string == "error")
        #expect(found["message"].string == #"no element "fakesnk""# && found["suggestion"].string == "fakesink")
        let good = try await mediahost(["check", "examples/live-test.yaml", "--json"], in: Workplace.checkout)
        #expect(good.ending == .exit(0))
        let answer = try JSON(good.output)
        #expect(answer["ok"].bool == true && answer["diagnostics"].list.isEmpty)
    }

    /// `script` (bsdutils) gives a command a terminal.
    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ])
    func coloursAreForTerminalsThatWantThem(_ environment: [String: String], _ isColoured: Bool) async throws {
        let place = try Workplace()
        try place.write("mediahost: 1\npipelines:\n  a: { launch: fakesrc ! fakesnk }\n", to: "config.yaml")
        let result = try await Tool.run(
            "script", ["-qec", "\(Workplace.mediahost) check config.yaml", "/dev/null"],
            environment: ["NO_COLOR": ""].merging(environment) { $1 }, in: place.directory)
        #expect(result.ending == .exit(3))
        #expect(result.output.contains("\u{1B}[1;31merror: ") == isColoured, "\(result.output)")
        #expect(result.output.contains("no element"))
    }

    @Test func progressIsShownOnATerminalAndTakenBack() async throws {
        let place = try Workplace()
        try place.write("mediahost: 1\npipelines:\n  a: { launch: fakesrc ! fakesink }\n", to: "config.yaml")
        let check = "\(Workplace.mediahost) check config.yaml"
        let shown = try await Tool.run(
            "script", ["-qec", check, "/dev/null"], environment: ["TERM": "xterm"], in: place.directory)
        #expect(shown.output.contains("\r\u{1B}[Kconfig.yaml: checking the plugins ..."), "\(shown.output)")
        #expect(shown.output.contains("\r\u{1B}[Kconfig.yaml: no errors (1 pipeline, 0 plugins)"))
        let quiet = try await mediahost(["check", "config.yaml"], in: place.directory)
        #expect(quiet.output == "config.yaml: no errors (1 pipeline, 0 plugins)\n" && quiet.errors == "")
    }

    @Test func outputThatCannotBeWrittenIsOne() async throws {
        let result = try await Tool.run(
            "sh", ["-c", "\(Workplace.mediahost) help > /dev/full"], in: "/tmp")
        #expect(result.ending == .exit(1))
        #expect(result.errors == "mediahost: cannot write the output: No space left on device\n")
    }
}
