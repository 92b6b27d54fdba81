import Testing

@testable import HostCore

/// `templates:` and the pipelines made from them.
@Suite struct TemplateTests {
    static let head = """
        mediahost: 1
        templates:
          camera:
            parameters:
              device: { type: text, required, description: the camera's device }
              frames: { type: integer, default: 10, minimum: 1, maximum: 100 }
              delay: { type: duration, default: 2s, minimum: 1s }
              mode: { type: choice, choices: [fast, slow], default: fast }
              eos: { required: false }
            launch: v4l2src device="${device}" num-buffers=${frames} ! queue max-size-buffers=${delay} ! fakesink
            stall-timeout: ${delay}
            on-eos: ${eos:-loop}
            background: pause
        pipelines:

        """

    func load(_ pipelines: String) throws -> [PipelineDescription] {
        let file = SourceFile(path: "porch.yaml", text: Self.head + pipelines)
        let (loaded, found) = ConfigurationLoader.load(file, environment: ["device": "x"], catalog: TestCatalog())
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        return try #require(loaded).pipelines
    }

    @Test func pipelinesAreMadeFromTheirParameters() throws {
        let made = try load(
            """
              porch: { template: camera, with: { device: "/dev/my \\\\ cam", frames: 5, delay: 1500ms }, background: keep }
              garden: { template: camera, with: { device: /dev/video1, eos: exit }, restart: never, launch: fakesrc ! fakesink }
            """)
        #expect(made.map(\.name) == ["porch", "garden"])
        #expect(made[0].launch.elements.flatMap(\.properties).map(\.value) == ["/dev/my \\ cam", "5", "1500000000"])
        #expect(made[0].background.paused == .keep)
        #expect(made[0].stallTimeout == .milliseconds(1500))
        #expect(made[0].onEOS == .loop)
        #expect(made[1].launch.elements.map(\.factory) == ["fakesrc", "fakesink"])
        #expect(made[1].background.paused == .pause)
        #expect(made[1].stallTimeout == .seconds(2))
        #expect(made[1].onEOS == .exit)
        #expect(made[1].restart == nil)
    }

    static let cases: [(String, String)] = [
        (
            "  porch: { template: camra, lanch: x }\n",
            """
            porch.yaml:15:22: error: no template "camra"
              porch: { template: camra, lanch: x }
                                 ^~~~~
            help: did you mean "camera"?
            help: templates: camera
            porch.yaml:15:29: error: unknown key "lanch" in pipeline "porch"
              porch: { template: camra, lanch: x }
                                        ^~~~~
            help: did you mean "launch"?
            help: \(pipelineKeys)

            """
        ),
        (
            "  porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }\n",
            """
            porch.yaml:15:22: error: missing key "with.device"
              porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }
                                 ^~~~~~
            help: device: the camera's device
            porch.yaml:3:3: note: template "camera" is here
              camera:
              ^~~~~~
            porch.yaml:15:38: error: unknown key "with.devise"
              porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }
                                                 ^~~~~~
            help: did you mean "device"?
            help: valid keys: device, frames, delay, mode, eos
            porch.yaml:3:3: note: template "camera" is here
              camera:
              ^~~~~~
            porch.yaml:15:67: error: "with.frames" must be at most 100, not 1000
              porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }
                                                                              ^~~~
            porch.yaml:3:3: note: template "camera" is here
              camera:
              ^~~~~~
            porch.yaml:15:80: error: with.delay: "5" needs a unit
              porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }
                                                                                           ^
            help: a duration is a number and a unit: ns, us, ms, s, min or h
            porch.yaml:3:3: note: template "camera" is here
              camera:
              ^~~~~~
            porch.yaml:15:89: error: "with.mode" cannot be "fest"
              porch: { template: camera, with: { devise: /dev/video0, frames: 1000, delay: 5, mode: fest } }
                                                                                                    ^~~~
            help: did you mean "fast"?
            help: valid: fast, slow
            porch.yaml:3:3: note: template "camera" is here
              camera:
              ^~~~~~

            """
        ),
        (
            "  porch: { template: camera, with: { device: a, eos: lop } }\n  other: { template: camera, with: { device: a, eos: lop } }\n",
            """
            porch.yaml:12:13: error: "on-eos" cannot be "lop"
                on-eos: ${eos:-loop}
                        ^~~~~~~~~~~~
            help: did you mean "loop"?
            help: valid: stop, loop, restart, exit
            porch.yaml:15:22: note: used by pipeline "porch"
              porch: { template: camera, with: { device: a, eos: lop } }
                                 ^~~~~~

            """
        ),
        (
            "  porch: { launch: fakesrc ! fakesink, with: { device: a } }\n",
            """
            porch.yaml:15:40: error: "with" goes with "template"
              porch: { launch: fakesrc ! fakesink, with: { device: a } }
                                                   ^~~~
            help: template: the name of one under `templates:`

            """
        ),
    ]

    static let pipelineKeys =
        "valid keys: launch, template, with, autostart, background, warm-up, on-eos, restart, stall-timeout, "
        + "start-timeout, latency, properties, settable"

    @Test(arguments: cases) func messageIsExact(_ pipelines: String, _ message: String) {
        #expect(problems(in: Self.head + pipelines) == message)
    }

    @Test func variableThatIsMissingInATemplateSaysForWhom() {
        #expect(
            problems(
                in: """
                    mediahost: 1
                    templates: { t: { parameters: { dev: {} }, launch: "fakesrc ! fakesink sync=${dve}" } }
                    pipelines: { a: { template: t, with: { dev: x } } }
                    """) == """
                    porch.yaml:2:77: error: the variable "dve" is not set
                    templates: { t: { parameters: { dev: {} }, launch: "fakesrc ! fakesink sync=${dve}" } }
                                                                                                ^~~~~~
                    help: did you mean "dev"?
                    help: set dve in the environment or under `vars:`, or give a default: ${dve:-default}
                    porch.yaml:3:29: note: used by pipeline "a"
                    pipelines: { a: { template: t, with: { dev: x } } }
                                                ^

                    """)
    }

    @Test(arguments: [
        ("templates: [a]", "\"templates\" must be a map of names, not a list"),
        ("templates: { a: }", "template \"a\" must be a map, not nothing"),
        ("templates: { 'a b': { launch: x } }", "\"a b\" is no name for a template"),
        ("templates: { a: { template: b } }", "unknown key \"template\" in template \"a\""),
        ("templates: { a: { parameters: [x] } }", "\"parameters\" must be a map of names, not a list"),
        ("templates: { a: { parameters: { 1x: {} } } }", "\"1x\" is no name for a parameter"),
        ("templates: { a: { parameters: { x: text } } }", "parameter \"x\" must be a map, not \"text\""),
        ("templates: { a: { parameters: { x: { typ: text } } } }", "unknown key \"typ\" in parameter \"x\""),
        ("templates: { a: { parameters: { x: { type: bool } } } }", "\"type\" cannot be \"bool\""),
        ("templates: { a: { parameters: { x: { minimum: 1 } } } }", "\"minimum\" does not go with type: text"),
        (
            "templates: { a: { parameters: { x: { type: integer, minimum: 5, maximum: 1 } } } }",
            "\"maximum\" is below \"minimum\""
        ),
        (
            "templates: { a: { parameters: { x: { type: integer, default: ten } } } }",
            "\"default\" must be a whole number, not \"ten\""
        ),
        (
            "templates: { a: { parameters: { x: { type: size, maximum: 1MiB, default: 2MiB } } } }",
            "\"default\" must be at most 1MiB, not 2MiB"
        ),
        ("templates: { a: { parameters: { x: { type: choice } } } }", "a choice needs \"choices\""),
        (
            "templates: { a: { parameters: { x: { type: choice, choices: [] } } } }",
            "\"choices\" must be a list of texts, not a list"
        ),
        (
            "templates: { a: { parameters: { x: { choices: [a] } } } }", "\"choices\" does not go with type: text"
        ),
        (
            "templates: { a: { parameters: { x: { required: true, default: 1 } } } }",
            "a required parameter needs no default"
        ),
    ])
    func wrongTemplateIsExplained(_ line: String, _ message: String) {
        let file = SourceFile(path: "porch.yaml", text: "mediahost: 1\n\(line)\n")
        let (_, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        #expect(found.map(\.message) == [message])
        #expect(found.first?.span?.start.line == 2)
    }

    @Test func templateOfAnotherFileKeepsItsPlace() throws {
        let files = try TestFiles([
            "porch.yaml": "mediahost: 1\ninclude: t.yaml\npipelines:\n  a: { template: t }\n",
            "t.yaml": "templates:\n  t: { launch: fakesrc ! fakesinc }\n",
        ])
        #expect(
            files.problems() == """
                t.yaml:2:26: error: no element "fakesinc"
                  t: { launch: fakesrc ! fakesinc }
                                         ^~~~~~~~
                help: did you mean "fakesink"?
                porch.yaml:4:18: note: used by pipeline "a"
                  a: { template: t }
                                 ^

                """)
    }
}
