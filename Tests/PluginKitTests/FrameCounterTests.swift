import HostTestKit
import PluginKit
import Testing

/// How a plugin's author tests: the instance runs on a fake host, the test is the user and the pipeline.
@Suite struct FrameCounterTests {
    private func running(_ config: [(String, String)]) throws -> FakeInstance {
        try FakeInstance.running(
            FrameCounter.descriptor.id, of: PluginEntry.entry(for: FrameCounter.self),
            config: .map(config.map { .init($0.0, .string($0.1)) }))
    }

    @Test func countsAndAnnounces() throws {
        let counter = try running([("video", "cam/encoded.src"), ("announce", "3")])
        let tap = try counter.tap("cam/encoded.src")
        tap.pushFrames(2)
        counter.settle()
        #expect(counter.fake.seen.posted.isEmpty)
        tap.pushFrames(2)
        #expect(try counter.ask("count") == ["frames": 4])
        #expect(counter.fake.seen.posted.map(\.name) == ["org.example.frame-counter.reached"])
        counter.end()
    }

    @Test(arguments: [
        ([], #"missing key "video" (video: The pad whose frames are counted)"#),
        (
            [("video", "cam/encoded.src"), ("anounce", "3")],
            #"unknown key "anounce"; did you mean "announce"? (valid keys: video, announce)"#
        ),
        ([("video", "cam/encoded.src"), ("announce", "0")], #""announce" must be at least 1, not 0"#),
    ]) func wrongConfigIsExplained(_ config: [(String, String)], _ text: String) {
        let failure = #expect(throws: FakeInstance.Broken.self) { try running(config) }
        #expect(failure?.description == text)
    }
}
