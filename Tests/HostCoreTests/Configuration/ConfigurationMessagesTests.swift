import Testing

@testable import HostCore

/// The whole text a user sees, for each thing that can be wrong with a file.
@Suite struct ConfigurationMessagesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var file: String
        var message: String
        var environment: [String: String] = [:]
        var testDescription: String { name }
    }

    @Test(arguments: cases) func messageIsExact(_ one: Case) {
        #expect(problems(in: one.file, environment: one.environment) == one.message)
    }

    static let head = "mediahost: 1\n"

    static let cases: [Case] = [
        Case(
            name: "misspelt element in a folded scalar",
            file: """
                mediahost: 1
                pipelines:
                  porch:
                    launch: >
                      videotestsrc
                      ! x264ecn tune=zerolatency

                      ! fakesink
                """,
            message: """
                porch.yaml:6:9: error: no element "x264ecn"
                      ! x264ecn tune=zerolatency
                        ^~~~~~~
                help: did you mean "x264enc"?

                """),
        Case(
            name: "element of a missing package",
            file: head + "pipelines: { a: { launch: 'videotestsrc ! h264parse ! avdec_h264 ! fakesink' } }\n",
            message: """
                porch.yaml:2:43: error: no element "h264parse"
                pipelines: { a: { launch: 'videotestsrc ! h264parse ! avdec_h264 ! fakesink' } }
                                                          ^~~~~~~~~
                help: it comes with: apt install gstreamer1.0-plugins-bad
                porch.yaml:2:55: error: no element "avdec_h264"
                pipelines: { a: { launch: 'videotestsrc ! h264parse ! avdec_h264 ! fakesink' } }
                                                                      ^~~~~~~~~~
                help: it comes with: apt install gstreamer1.0-libav

                """),
        Case(
            name: "colon without a space",
            file: head + "pipelines: { a: { launch: 'fakesrc: fakesink' } }\n",
            message: """
                porch.yaml:2:28: error: no element "fakesrc:"
                pipelines: { a: { launch: 'fakesrc: fakesink' } }
                                           ^~~~~~~~
                help: did you mean "fakesrc"?
                help: a link needs a space before its ":"

                """),
        Case(
            name: "misspelt property",
            file: head + "pipelines:\n  a:\n    launch: videotestsrc paterrn=ball ! fakesink zzz=1\n",
            message: """
                porch.yaml:4:26: error: no property "paterrn" in element "videotestsrc"
                    launch: videotestsrc paterrn=ball ! fakesink zzz=1
                                         ^~~~~~~
                help: did you mean "pattern"?
                porch.yaml:4:50: error: no property "zzz" in element "fakesink"
                    launch: videotestsrc paterrn=ball ! fakesink zzz=1
                                                                 ^~~
                help: gst-inspect-1.0 fakesink lists its properties

                """),
        Case(
            name: "misspelt key",
            file: head + "pipelines:\n  porch:\n    lanch: fakesrc ! fakesink\n",
            message: """
                porch.yaml:3:3: error: pipeline "porch" has no "launch"
                  porch:
                  ^~~~~
                help: launch: the elements, in gst-launch syntax
                porch.yaml:4:5: error: unknown key "lanch" in pipeline "porch"
                    lanch: fakesrc ! fakesink
                    ^~~~~
                help: did you mean "launch"?
                help: valid keys: launch, template, with, autostart, background, warm-up, on-eos, restart, stall-timeout, start-timeout, latency, properties, settable

                """),
        Case(
            name: "key reserved for later",
            file: head + "scenes: [a.yaml]\nisolation: []\n",
            message: """
                porch.yaml:2:1: error: unknown key "scenes" in the file
                scenes: [a.yaml]
                ^~~~~~
                help: valid keys: mediahost, include, vars, secrets, templates, pipelines, plugin-path, plugins, control, overrides, notifications, login, inputs, outputs, rules
                porch.yaml:3:1: error: unknown key "isolation" in the file
                isolation: []
                ^~~~~~~~~
                help: valid keys: mediahost, include, vars, secrets, templates, pipelines, plugin-path, plugins, control, overrides, notifications, login, inputs, outputs, rules

                """),
        Case(
            name: "key given twice",
            file: head + "control: { socket: /a }\ncontrol: { socket: /b }\n",
            message: """
                porch.yaml:3:1: error: the key "control" is given twice
                control: { socket: /b }
                ^~~~~~~
                help: the first is in line 2

                """),
        Case(
            name: "no version",
            file: "pipelines: {}\n",
            message: """
                porch.yaml:1:1: error: the file has no "mediahost"
                pipelines: {}
                ^
                help: begin the file with mediahost: 1

                """),
        Case(
            name: "newer version",
            file: "mediahost: 2\n",
            message: """
                porch.yaml:1:12: error: this file is written for format 2, this mediahost reads format 1
                mediahost: 2
                           ^
                help: install a newer mediahost

                """),
        Case(
            name: "no version number",
            file: "mediahost: latest\n",
            message: """
                porch.yaml:1:12: error: "mediahost" must be the version of the format, not "latest"
                mediahost: latest
                           ^~~~~~
                help: write mediahost: 1

                """),
        Case(
            name: "empty file", file: "# nothing\n",
            message: """
                porch.yaml:1:1: error: the file is empty
                # nothing
                ^
                help: begin it with mediahost: 1

                """),
        Case(
            name: "wrong types",
            file: head + "pipelines: [a]\nplugins: 7\ncontrol: { socket: [] }\n",
            message: """
                porch.yaml:2:12: error: "pipelines" must be a map of names, not a list
                pipelines: [a]
                           ^~~
                porch.yaml:3:10: error: "plugins" must be a map of names, not "7"
                plugins: 7
                         ^
                porch.yaml:4:20: error: "socket" must be a text, not a list
                control: { socket: [] }
                                   ^~

                """),
        Case(
            name: "values out of range",
            file: head
                + "pipelines:\n  a b:\n    launch: fakesrc ! fakesink\n    background: stopp\n    on-eos: leave\n"
                + "    warm-up: { frames: -1, at: camera }\n  c:\n    launch: fakesrc ! fakesink\n"
                + "    warm-up: { frames: 3, at: fakesrc1.src }\n    background: { asleep: keep }\n",
            message: """
                porch.yaml:3:3: error: "a b" is no name for a pipeline
                  a b:
                  ^~~
                help: names have letters, digits, "_" and "-"
                porch.yaml:5:17: error: "background" cannot be "stopp"
                    background: stopp
                                ^~~~~
                help: did you mean "stop"?
                help: valid: keep, audio-only, pause, stop
                porch.yaml:6:13: error: "on-eos" cannot be "leave"
                    on-eos: leave
                            ^~~~~
                help: valid: stop, loop, restart, exit
                porch.yaml:7:24: error: "frames" must be a whole number, not "-1"
                    warm-up: { frames: -1, at: camera }
                                       ^~
                help: valid: 0 to 36000
                porch.yaml:7:32: error: "camera" is not of the form element.pad, as in camera.src
                    warm-up: { frames: -1, at: camera }
                                               ^~~~~~
                porch.yaml:10:31: error: no element named "fakesrc1" in pipeline "c"
                    warm-up: { frames: 3, at: fakesrc1.src }
                                              ^~~~~~~~
                help: did you mean "fakesrc0"?
                help: elements: fakesrc0, fakesink0
                porch.yaml:11:19: error: unknown key "asleep" in "background"
                    background: { asleep: keep }
                                  ^~~~~~
                help: valid keys: paused, suspended, interrupted, locked, low-power, output-lost

                """),
        Case(
            name: "plugins",
            file: head + "plugins:\n  a: { modul: X }\n  b:\n  c: { module: '' }\n",
            message: """
                porch.yaml:3:8: error: plugin "a" has no "module"
                  a: { modul: X }
                       ^~~~~
                help: did you mean "module"?
                help: module: the plugin to load
                porch.yaml:4:3: error: plugin "b" must be a map, not nothing
                  b:
                  ^
                help: module: the plugin to load
                porch.yaml:5:16: error: "module" is empty
                  c: { module: '' }
                               ^~

                """),
        Case(
            name: "comment cuts a launch text",
            file: head + "pipelines:\n  a:\n    launch: fakesrc ! fakesink # ! queue\n",
            message: """
                porch.yaml:4:32: warning: the launch text ends before this comment
                    launch: fakesrc ! fakesink # ! queue
                                               ^~~~~~~~~
                help: in YAML " #" begins a comment; put the launch text in quotes if it is part of it

                """),
        Case(
            name: "names and references",
            file: head
                + "pipelines:\n  a:\n    launch: fakesrc name=x ! tee name=tea t. ! fakesink name=x fakesrc1. ! fakesink\n",
            message: """
                porch.yaml:4:43: error: no element named "t" in this pipeline
                    launch: fakesrc name=x ! tee name=tea t. ! fakesink name=x fakesrc1. ! fakesink
                                                          ^~
                help: a reference needs an element with name=t
                porch.yaml:4:62: error: two elements are named "x"
                    launch: fakesrc name=x ! tee name=tea t. ! fakesink name=x fakesrc1. ! fakesink
                                                                             ^
                help: the first is at line 4, column 26
                porch.yaml:4:64: error: no element named "fakesrc1" in this pipeline
                    launch: fakesrc name=x ! tee name=tea t. ! fakesink name=x fakesrc1. ! fakesink
                                                                               ^~~~~~~~~
                help: a reference needs an element with name=fakesrc1

                """),
    ]

    @Test func missingFileSaysWhatTheSystemSaid() {
        let (configuration, found) = ConfigurationLoader.load(
            path: "/nowhere/porch.yaml", environment: [:], catalog: nil)
        #expect(configuration == nil)
        #expect(
            DiagnosticRenderer().render(found) == """
                error: cannot read /nowhere/porch.yaml: No such file or directory
                help: give the path of a configuration file

                """)
        let (_, directory) = ConfigurationLoader.load(path: "/tmp", environment: [:], catalog: nil)
        #expect(directory.map(\.message) == ["cannot read /tmp: Is a directory"])
    }
}
