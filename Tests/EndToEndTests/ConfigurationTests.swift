import Foundation
import Testing

/// What a user reads when the file, or a plugin it names, is wrong.
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
    private func run(_ command: String, _ config: String, plugins: String? = nil) async throws -> Tool.Result {
        let place = try Workplace()
        try place.write(config, to: "config.yaml")
        let socket = command == "run" ? ["--socket", place.path("control.sock")] : []
        return try await Tool.run(
            Workplace.mediahost, [command, "config.yaml"] + socket,
            environment: plugins.map { ["MEDIAHOST_PLUGIN_PATH": $0] } ?? [:], in: place.directory)
    }

    @Test(arguments: ["check", "run"])
    func misspeltElementAndKeyAreShownInOneGo(_ command: String) async throws {
        let result = try await run(
            command,
            """
            mediahost: 1

            pipelines:
              camera:
                launch: >
                  videotestsrc is-live=true
                  ! videoconvrt
                  ! fakesink
                backgruond: stop

            """)
        #expect(result.ending == .exit(3))
        #expect(result.output == "")
        #expect(
            result.errors == """
                config.yaml:7:9: error: no element "videoconvrt"
                      ! videoconvrt
                        ^~~~~~~~~~~
                help: did you mean "videoconvert"?
                config.yaml:9:5: error: unknown key "backgruond" in pipeline "camera"
                    backgruond: stop
                    ^~~~~~~~~~
                help: did you mean "background"?
                help: valid keys: launch, template, with, autostart, background, warm-up, on-eos, restart, stall-timeout, start-timeout, latency, properties, settable

                """)
    }

    @Test func goodFileIsSaidToBeGood() async throws {
        let result = try await Tool.run(
            Workplace.mediahost, ["check", "examples/live-test.yaml"], in: Workplace.checkout)
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(result.output == "examples/live-test.yaml: no errors (2 pipelines, 1 plugin)\n")
        #expect(result.errors == "")
    }

    /// A plugin section that is refused, and what is said of it: at which line and column, and with which help.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var module: String
        var line = "pad: camera/camera.src"
        var place = "10:13"
        var says: [String]

        var testDescription: String { "\(module), \(line)" }
    }

    static let refusals = [
        Refusal(module: "Text", says: ["libText.so is no shared library: it does not begin like an ELF file"]),
        Refusal(
            module: "NoEntry",
            says: ["libNoEntry.so is no mediahost plugin: it does not export mh_plugin_entry_1", "MH_EXPORT"]),
        Refusal(
            module: "OtherABI",
            says: [
                "libOtherABI.so was built for plugin ABI 99.7 (tomorrow's cc); this host has 0.1",
                "help: build it again with this host's headers",
            ]),
        Refusal(
            module: "Minimul",
            says: [#"no plugin "Minimul": there is no libMinimul.so in "#, #"did you mean "Minimal"?"#]),
        Refusal(
            module: "Minimal", line: "pod: camera/camera.src", place: "11:5",
            says: [#"error: unknown key "pod""#, #"did you mean "pad"?"#, #"missing key "pad""#]),
        Refusal(
            module: "Minimal", line: "pad: camera/camra.src", place: "11:10",
            says: [#"pad: no element "camra" in pipeline "camera""#, #"did you mean "camera/camera.src"?"#]),
        Refusal(
            module: "Minimal", line: "pad: camra/camera.src", place: "11:10",
            says: [#"pad: no pipeline "camra""#, #"did you mean "camera/camera.src"?"#]),
        Refusal(
            module: "ReplayBuffer", line: "window: 5", place: "11:13",
            says: [#"window: "5" needs a unit"#, "a duration is a number and a unit", #"missing key "video""#]),
    ]

    @Test(arguments: refusals)
    func pluginIsRefusedBeforeAnythingStarts(_ refusal: Refusal) async throws {
        let config = """
            mediahost: 1
            pipelines:
              camera:
                launch: >
                  videotestsrc is-live=true name=camera
                  ! fakesink

            plugins:
              watcher:
                module: \(refusal.module)
                \(refusal.line)

            """
        let plugins = try await ThirdParty.plugins()
        for command in ["check", "run"] {
            let result = try await run(command, config, plugins: plugins)
            #expect(result.ending == .exit(3), "\(result.errors)")
            #expect(result.errors.contains("config.yaml:\(refusal.place): error: "), "\(result.errors)")
            for text in refusal.says { #expect(result.errors.contains(text), "\(result.errors)") }
            #expect(!result.errors.contains("pipeline camera:"), "\(result.errors)")
        }
    }

    /// What a variable or a secret holds reaches the element byte for byte: the file is found under its odd name.
    @Test(arguments: ["${FILE}", "${secret:file}"]) func oddFileNamesArrive(_ variable: String) async throws {
        let place = try Workplace()
        let file = place.path("a b\\c\"d!e (x)")
        try "media".write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: place.path("secrets"), withIntermediateDirectories: true)
        try place.write(file + "\n", to: "secrets/file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path("secrets/file"))
        try place.write(
            """
            mediahost: 1
            secrets: secrets
            pipelines:
              quoted: { launch: 'filesrc location="\(variable)" ! fakesink', on-eos: exit }
            """, to: "config.yaml")
        let result = try await Tool.run(
            Workplace.mediahost, ["run", "config.yaml", "--socket", place.path("control.sock")],
            environment: ["FILE": file], in: place.directory)
        #expect(result.ending == .exit(0), "\(result.errors)")
    }

    private static let missingPad = """
        mediahost: 1
        pipelines:
          camera:
            launch: videotestsrc is-live=true name=camera ! fakesink
        plugins:
          counter: { module: Minimal, pad: camera/camera.source }
        """

    @Test func missingPadIsAnErrorOfCheckWithTheElementsPads() async throws {
        let result = try await run("check", Self.missingPad, plugins: ThirdParty.plugins())
        #expect(result.ending == .exit(3))
        #expect(
            result.errors == """
                config.yaml:6:36: error: pad: no pad "source" at element "camera"
                  counter: { module: Minimal, pad: camera/camera.source }
                                                   ^~~~~~~~~~~~~~~~~~~~
                help: pads: src

                """)
    }

    /// It was the pipeline that failed, and with it the host.
    @Test func missingPadEndsThePluginAndNotThePipeline() async throws {
        let place = try Workplace()
        try await withHost(Self.missingPad, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(
                containing: #"cannot tap camera/camera.source: element "camera" has no pad "source" (it has src)"#)
            let status = try await Deadline.poll("the pipeline to play") {
                let status = try await host.answer("status")
                return status["pipelines"]["camera"]["state"].string == "playing" ? status : nil
            }
            #expect(status["plugins"]["counter"]["state"].string == "failed")
            try await host.terminate()
        }
    }
}
