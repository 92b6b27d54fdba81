import Foundation
import Testing

@testable import HostCore

@Suite struct ConfigurationLoaderTests {
    static let example = """
        mediahost: 1
        vars: { camera: "${CAMERA:-/dev/video0}" }
        pipelines:
          porch:
            launch: >
              v4l2src name=camera device=${camera} ! videoconvert ! x264enc tune=zerolatency key-int-max=30
              ! identity name=encoded ! fakesink
            background: { paused: pause }
            warm-up: { frames: 5, at: camera.src }
            on-eos: exit
          garden: { launch: fakesrc ! fakesink, background: keep, warm-up: 0 }
        plugins:
          replay:
            module: ReplayBuffer
            video: porch/encoded.src
            window: 60s
        control: { socket: /run/mediahost/control.sock }
        """

    func load(_ text: String, _ environment: [String: String] = [:]) -> (HostConfiguration?, [Diagnostic]) {
        ConfigurationLoader.load(
            SourceFile(path: "porch.yaml", text: text), environment: environment, catalog: TestCatalog())
    }

    @Test func fileIsDecoded() throws {
        let (loaded, found) = load(Self.example, ["CAMERA": "/dev/video7"])
        #expect(found.isEmpty)
        let configuration = try #require(loaded)
        #expect(configuration.pipelines.map(\.name) == ["porch", "garden"])
        let porch = configuration.pipelines[0]
        #expect(porch.launch.elements[0].properties[1].value == "/dev/video7")
        #expect(porch.background == .pause)
        #expect(porch.onEOS == .exit)
        #expect(porch.warmUp == WarmUp(frames: 5, at: ElementPad(element: "camera", pad: "src")))
        #expect(configuration.pipelines[1].warmUp == WarmUp(frames: 0))
        #expect(configuration.pipelines[1].background == .keep)
        #expect(configuration.plugins.first?.module == "ReplayBuffer")
        #expect(configuration.plugins.first?.config.entries?.map(\.key) == ["video", "window"])
        #expect(configuration.control.socket == "/run/mediahost/control.sock")
        #expect(
            configuration.knownNames.pipelines[0].elements == [
                "camera", "videoconvert0", "x264enc0", "encoded", "fakesink0",
            ])
    }

    @Test func comparisonIgnoresPlaceAndComments() throws {
        let one = try #require(load(Self.example).0)
        #expect(try #require(load("# moved\n\n" + Self.example).0) == one)
        #expect(load(Self.example, ["CAMERA": "x"]).0 != one)
    }

    @Test func defaultsAreTheDocumentedOnes() throws {
        let (loaded, _) = load("mediahost: 1\npipelines: { a: { launch: fakesrc ! fakesink } }\n")
        let pipeline = try #require(loaded?.pipelines.first)
        #expect(pipeline.background == .stop)
        #expect(pipeline.onEOS == .stop)
        #expect(pipeline.warmUp == nil)
        #expect(loaded?.control == ControlSettings())
    }

    @Test func warningsDoNotStopAFile() {
        let (loaded, found) = load("mediahost: 1\npipelines: { a: { launch: \"fakesrc ! filesrc location='x'\" } }\n")
        #expect(loaded != nil)
        #expect(found.map(\.severity) == [.warning])
    }

    /// Whatever bytes come in, something readable goes out. Rerun one seed with MEDIAHOST_SEED.
    @Test func mutatedFilesNeverCrash() {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["MEDIAHOST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        print("mutation seed \(seed)")
        var random = SplitMix(state: seed)
        let original = Array(Self.example.utf8)
        let pieces = [
            "${", "}", "$${", "\"", "'", "!", "(", ")", "\t", "\n", "\n  ", ": ", "- ", "&a ", "*a", "#", " # ", "\\",
            "=",
            ":", ";", ",", "[", "]", "{", ">", "|", "\u{FEFF}", "é", "😀", "\0", "---\n", "video/x-raw", "file://",
            "@preset=", "<<: ",
        ].map { Array($0.utf8) }
        for round in 0..<3000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
                case 1 where at < bytes.count: bytes.remove(at: at)
                case 2 where at < bytes.count:
                    bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...30, using: &random)))
                case 3:
                    let from = Int.random(in: 0..<original.count, using: &random)
                    bytes.insert(contentsOf: original[from..<min(original.count, from + 40)], at: at)
                default: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: at)
                }
            }
            let file = SourceFile(path: "mutated.yaml", bytes: bytes)
            let (configuration, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
            let text = DiagnosticRenderer().render(found)
            if configuration == nil, !text.utf8.starts(with: "mutated.yaml:".utf8),
                !text.utf8.starts(with: "error: ".utf8)
            {
                Issue.record("no message: seed \(seed), round \(round)")
            }
        }
    }

    /// Small, seeded, the same everywhere.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
