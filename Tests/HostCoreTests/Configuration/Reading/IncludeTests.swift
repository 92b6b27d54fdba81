import Testing

@testable import HostCore

/// `include:`: several files, one configuration.
@Suite struct IncludeTests {
    @Test func laterFilesWinKeyByKey() throws {
        let files = try TestFiles([
            "porch.yaml": """
            mediahost: 1
            include: [base.yaml, conf.d/*.yaml, none.d/*.yaml]
            vars: { B: entry }
            pipelines:
              porch: { background: keep }
              last: { launch: "fakesrc ! fakesink" }
            control:
            """,
            "base.yaml": """
            mediahost: 1
            vars: { A: base, B: base }
            pipelines:
              porch: { launch: "fakesrc name=${A}-${B} ! fakesink", background: pause, stall-timeout: 1s }
            control: { socket: /base }
            """,
            "conf.d/20.yaml":
                "pipelines: { porch: { stall-timeout: 3s }, garden: { launch: \"fakesrc ! fakesink\" } }\n",
            "conf.d/10.yaml": "pipelines: { porch: { stall-timeout: 2s } }\n",
            "conf.d/30.yaml": "# nothing\n",
            "conf.d/40.yaml": "pipelines:\n",
            "conf.d/.hidden.yaml": "nonsense: 1\n",
            "conf.d/note.txt": "nonsense: 1\n",
        ])
        let (loaded, found) = files.load()
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        let configuration = try #require(loaded)
        #expect(configuration.pipelines.map(\.name) == ["porch", "garden", "last"])
        let porch = configuration.pipelines[0]
        #expect(porch.launch.elements[0].name == "base-entry")
        #expect(porch.background == BackgroundPolicy(all: .keep))
        #expect(porch.stallTimeout == .seconds(3))
        #expect(configuration.control.socket == "/base")
        #expect(
            configuration.files
                == ["porch", "base", "conf.d/10", "conf.d/20", "conf.d/30", "conf.d/40"].map {
                    files.place.path("\($0).yaml")
                })
    }

    @Test func problemsNameTheirFilesInTheOrderOfReading() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude: sub/a.yaml\nzzz: 1\npipelines: { a: { on-eos: lop } }\n",
            "sub/a.yaml": "include: [b.yaml]\npipelines:\n  a: { launch: fakesrc ! fakesinc }\n",
            "sub/b.yaml": "mediahost: 2\nplugins: { p: {} }\n",
        ])
        #expect(
            files.problems() == """
                porch.yaml:3:1: error: unknown key "zzz" in the file
                zzz: 1
                ^~~
                help: valid keys: mediahost, include, vars, secrets, templates, pipelines, plugin-path, plugins, control, overrides, notifications, login, inputs, outputs, rules
                porch.yaml:4:27: error: "on-eos" cannot be "lop"
                pipelines: { a: { on-eos: lop } }
                                          ^~~
                help: did you mean "loop"?
                help: valid: stop, loop, restart, exit
                sub/a.yaml:3:26: error: no element "fakesinc"
                  a: { launch: fakesrc ! fakesinc }
                                         ^~~~~~~~
                help: did you mean "fakesink"?
                sub/b.yaml:1:12: error: this file is written for format 2, this mediahost reads format 1
                mediahost: 2
                           ^
                help: install a newer mediahost
                sub/b.yaml:2:12: error: plugin "p" has no "module"
                plugins: { p: {} }
                           ^
                help: module: the plugin to load

                """)
    }

    @Test func fileThatIsMissingIsNamedWhereItIsIncluded() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude:\n  - conf.d/camera.yml\n  - conf.d\n", "conf.d/camera.yaml": "",
        ])
        #expect(
            files.problems() == """
                porch.yaml:3:5: error: cannot read "conf.d/camera.yml": No such file or directory
                  - conf.d/camera.yml
                    ^~~~~~~~~~~~~~~~~
                help: did you mean "conf.d/camera.yaml"?
                help: a path is seen from the file that includes it; a pattern, as in conf.d/*.yaml, may match nothing
                porch.yaml:4:5: error: cannot read "conf.d": Is a directory
                  - conf.d
                    ^~~~~~
                help: a pattern takes the files of a directory: conf.d/*.yaml

                """)
    }

    @Test func loopIsShownWithItsChain() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude: a.yaml\n", "a.yaml": "include: sub/b.yaml\n",
            "sub/b.yaml": "include: ../sub/../porch.yaml\n",
        ])
        #expect(
            files.problems() == """
                sub/b.yaml:1:10: error: "sub/../sub/../porch.yaml" includes itself
                include: ../sub/../porch.yaml
                         ^~~~~~~~~~~~~~~~~~~~
                help: porch.yaml includes a.yaml includes sub/b.yaml includes sub/../sub/../porch.yaml

                """)
    }

    @Test func includesDoNotNestForEver() throws {
        var texts = ["porch.yaml": "mediahost: 1\ninclude: 1.yaml\n"]
        for level in 1...9 { texts["\(level).yaml"] = "include: \(level + 1).yaml\n" }
        let found = try TestFiles(texts).problems()
        #expect(found.hasPrefix("8.yaml:1:10: error: includes are nested more than 8 deep\n"), "\(found)")
        #expect(found.contains("help: porch.yaml includes 1.yaml includes 2.yaml"))
    }

    @Test func includesThatMultiplyAreStopped() throws {
        var texts = ["porch.yaml": "mediahost: 1\ninclude: 1.yaml\n", "7.yaml": "{}"]
        for level in 1...6 {
            let names = Array(repeating: "\(level + 1).yaml", count: 10).joined(separator: ", ")
            texts["\(level).yaml"] = "include: [\(names)]\n"
        }
        let files = try TestFiles(texts)
        #expect(files.load().1.map(\.message) == ["too many includes"])
    }

    @Test func sizeIsThatOfAllFiles() throws {
        let comment = "#" + String(repeating: "x", count: 700_000) + "\n"
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude: [a.yaml, b.yaml]\n", "a.yaml": comment, "b.yaml": comment,
        ])
        #expect(
            files.problems() == """
                porch.yaml:2:19: error: the configuration is too large with "b.yaml"
                include: [a.yaml, b.yaml]
                                  ^~~~~~
                help: a configuration may have 1048576 bytes, included files counted in

                """)
    }

    @Test func sameFileFromTwoSidesIsNoLoop() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude: [a.yaml, b.yaml]\n", "a.yaml": "include: c.yaml\n",
            "b.yaml": "include: c.yaml\n", "c.yaml": "control: { socket: /c }\n",
        ])
        #expect(files.load().0?.control.socket == "/c")
        #expect(files.load().0?.files.count == 4)
    }

    @Test func pathMayHoldVariables() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\nvars: { BOARD: pi }\ninclude: \"${DIR}/${BOARD}.yaml\"\n",
            "boards/pi.yaml": "control: { socket: /pi }\n",
        ])
        #expect(files.load("porch.yaml", ["DIR": "boards"]).0?.control.socket == "/pi")
        #expect(files.load().1.map(\.message) == ["the variable \"DIR\" is not set"])
    }

    @Test(arguments: [
        ("include: { a: 1 }", "\"include\" must be a path or a list of paths, not a map"),
        ("include: [[a]]", "\"include\" must be a text, not a list"), ("include: ['']", "\"include\" is empty"),
        ("include: list.yaml", "an included file must be a map, not a list"),
        ("include: broken.yaml", "not valid YAML: did not find expected ',' or ']'"),
    ])
    func wrongIncludeIsExplained(_ line: String, _ message: String) throws {
        let files = try TestFiles(["porch.yaml": "mediahost: 1\n\(line)\n", "list.yaml": "[a]", "broken.yaml": "a: [b"])
        #expect(files.load().1.map(\.message) == [message])
    }

    /// A pattern's signs in the directory of the file mean themselves.
    @Test func directoryMayHaveSignsOfPatterns() throws {
        let files = try TestFiles([
            "[x]*/porch.yaml": "mediahost: 1\ninclude: ['*.yml']\n", "[x]*/a.yml": "control: { socket: /a }\n",
            "x/b.yml": "control: { socket: /b }\n",
        ])
        #expect(files.load("[x]*/porch.yaml").0?.control.socket == "/a")
    }
}
