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
            background: { paused: pause, locked: audio-only, low-power: stop }
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
        #expect(porch.background.paused == .pause)
        #expect(porch.background.suspended == .stop)
        #expect(porch.background.interrupted == .pause)
        #expect(porch.background.locked == .audioOnly)
        #expect(porch.background.lowPower == .stop)
        #expect(porch.background.outputLost == .keep)
        #expect(porch.onEOS == .exit)
        #expect(porch.warmUp == WarmUp(frames: 5, at: ElementPad(element: "camera", pad: "src")))
        #expect(configuration.pipelines[1].warmUp == WarmUp(frames: 0))
        #expect(configuration.pipelines[1].background == BackgroundPolicy(all: .keep))
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
        #expect(pipeline.background == BackgroundPolicy())
        #expect(pipeline.onEOS == .stop)
        #expect(pipeline.warmUp == nil)
        #expect(loaded?.control == ControlSettings())
    }

    @Test func warningsDoNotStopAFile() {
        let (loaded, found) = load("mediahost: 1\npipelines: { a: { launch: \"fakesrc ! filesrc location='x'\" } }\n")
        #expect(loaded != nil)
        #expect(found.map(\.severity) == [.warning])
    }
}
