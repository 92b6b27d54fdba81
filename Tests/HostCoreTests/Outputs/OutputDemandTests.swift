import Testing

@testable import HostCore

/// Which configs play to the machine's audio outputs, and the section `outputs`.
@Suite struct OutputDemandTests {
    private func load(_ text: String) throws -> HostConfiguration {
        let (loaded, problems) = ConfigurationLoader.load(
            SourceFile(path: "h.yaml", text: "mediahost: 1\n" + text), environment: [:], catalog: nil)
        return try #require(loaded, "\(DiagnosticRenderer().render(problems))")
    }

    private func plays(_ launch: String, _ more: String = "") throws -> Bool {
        let text = "pipelines:\n  a: { launch: fakesrc ! fakesink }\n  b:\n    launch: '\(launch)'\n    \(more)\n"
        return OutputDemand.isThere(in: try load(text).pipelines)
    }

    @Test func sinksOfTheMachinePlay() throws {
        for sink in ["autoaudiosink", "pulsesink device=x", "pipewiresink", "alsasink"] {
            #expect(try plays("audiotestsrc ! \(sink)"), "\(sink)")
        }
        // Nobody lists what the last four play to.
        for sink in [
            "fakesink", "filesink location=/tmp/x", "autovideosink", "jackaudiosink", "openalsink", "osssink",
            "oss4sink",
        ] {
            #expect(try !plays("audiotestsrc ! \(sink)"), "\(sink)")
        }
    }

    @Test func playersPlayUnlessTheyAreToldWhere() throws {
        #expect(try plays("playbin uri=file:///clip.mp4"))
        #expect(try plays("playbin3 uri=file:///clip.mp4"))
        #expect(try !plays("playbin3 uri=file:///clip.mp4 audio-sink=fakesink"))
        #expect(try plays("playbin3 uri=file:///clip.mp4 audio-sink=\"volume ! pulsesink\""))
        #expect(try !plays("playbin3 name=player uri=file:///clip.mp4", "properties: { player.audio-sink: fakesink }"))
        #expect(
            try plays(
                "playbin3 uri=file:///clip.mp4 audio-sink=fakesink", "properties: { playbin30.audio-sink: alsasink }"))
    }

    @Test func theSectionIsRead() throws {
        var expected = OutputSettings()
        let bare = try load("pipelines: {}\n")
        #expect(bare.outputs == expected && expected.watch == .auto)
        expected.watch = .on
        expected.device = "Porch Speaker"
        let read = try load("outputs: { watch: on, device: Porch Speaker }\n")
        let off = try load("outputs: { watch: off }\n")
        #expect(read.outputs == expected && off.outputs.watch == .off && read != off)
    }
}
