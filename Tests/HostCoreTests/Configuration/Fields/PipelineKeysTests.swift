import GStreamerKit
import Testing

@testable import HostCore

/// How a pipeline starts, comes back and is watched.
@Suite struct PipelineKeysTests {
    /// The one pipeline of a file whose launch text is `videotestsrc name=camera ! fakesink`, with these further lines.
    func pipeline(_ lines: String...) throws -> PipelineDescription {
        let text = Self.file(lines)
        let file = SourceFile(path: "porch.yaml", text: text)
        let (loaded, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        return try #require(loaded?.pipelines.first)
    }

    static func file(_ lines: [String]) -> String {
        "mediahost: 1\npipelines:\n  a:\n    launch: videotestsrc name=camera ! fakesink\n"
            + lines.map { "    \($0)\n" }.joined()
    }

    @Test func everyKeyIsRead() throws {
        let read = try pipeline(
            "autostart: false", "on-eos: loop",
            "restart: { delay: 2s, backoff: 1.5, max-delay: 1min, jitter: 25%, limit: 3 per 10min, cool-down: never }",
            "stall-timeout: 3s", "start-timeout: never", "latency: 200ms",
            "properties: { camera.pattern: ball, fakesink0.sync: true }", "settable: [camera.pattern, fakesink0.silent]"
        )
        var policy = RestartPolicy()
        policy.delay = .seconds(2)
        policy.backoff = 1.5
        policy.longestDelay = .seconds(60)
        policy.jitter = 0.25
        policy.limit = 3
        policy.period = .seconds(600)
        policy.coolDown = nil
        #expect(read.restart == policy)
        #expect(read.autostart == false)
        #expect(read.onEOS == .loop)
        #expect(read.stallTimeout == .seconds(3))
        #expect(read.startTimeout == nil)
        #expect(read.latency == .milliseconds(200))
        #expect(read.properties.map(\.path.description) == ["camera.pattern", "fakesink0.sync"])
        #expect(read.properties.map(\.value) == ["ball", "true"])
        #expect(read.settable.map(\.description) == ["camera.pattern", "fakesink0.silent"])
    }

    @Test func keysThatAreNotWrittenHaveTheirDefaults() throws {
        for read in [try pipeline(), try pipeline("restart:", "latency:", "settable:"), try pipeline("restart: {}")] {
            #expect(read.autostart)
            #expect(read.onEOS == .stop)
            #expect(read.restart == RestartPolicy())
            #expect(read.stallTimeout == .seconds(10))
            #expect(read.startTimeout == .seconds(20))
            #expect(read.latency == nil)
            #expect(read.properties.isEmpty)
            #expect(read.settable.isEmpty)
        }
    }

    @Test func playerThatExitsDoesNotComeBackUnlessItIsAskedTo() throws {
        #expect(try pipeline("on-eos: exit").restart == nil)
        #expect(try pipeline("on-eos: exit", "restart: {}").restart == RestartPolicy())
        #expect(try pipeline("restart: never").restart == nil)
    }

    @Test func longestDelayIsNeverShorterThanTheFirst() throws {
        #expect(try pipeline("restart: { delay: 2min }").restart?.longestDelay == .seconds(120))
        #expect(try pipeline("restart: { delay: 0 }").restart?.delay == .zero)
    }

    @Test(
        arguments: [
            ("autostart: yes", "\"autostart\" must be true or false, not \"yes\"", nil, "true"),
            ("autostart: []", "\"autostart\" must be true or false, not a list", nil, nil),
            (
                "on-eos: lop", "\"on-eos\" cannot be \"lop\"", "valid: stop, loop, restart, exit", "loop"
            ),
            (
                "restart: nver", "\"restart\" must be never or a map, not \"nver\"",
                "for example: { delay: 1s, limit: 5 per 1min }", "never"
            ),
            ("restart: { dealy: 1s }", "unknown key \"dealy\" in \"restart\"", restartKeys, "delay"),
            (
                "restart: { delay: 5 }", "delay: \"5\" needs a unit", units, nil
            ),
            ("restart: { delay: 2d }", "delay: \"2d\" has an unknown unit \"d\"", units, nil),
            ("restart: { delay: [1s] }", "\"delay\" must be a duration, not a list", nil, nil),
            ("restart: { delay: 25h }", "\"delay\" must be at most 24h, not 25h", nil, nil),
            (
                "restart: { delay: 10s, max-delay: 5s }", "\"max-delay\" is shorter than \"delay\"", "delay is 10s", nil
            ),
            ("restart: { backoff: 0.5 }", "\"backoff\" cannot be \"0.5\"", "valid: 1 to 100", nil),
            ("restart: { backoff: twice }", "\"backoff\" must be a number, not \"twice\"", "valid: 1 to 100", nil),
            (
                "restart: { jitter: 0.1 }", "\"jitter\" must be a share in percent, not \"0.1\"", "valid: 0% to 100%",
                nil
            ),
            (
                "restart: { jitter: 101% }", "\"jitter\" must be a share in percent, not \"101%\"", "valid: 0% to 100%",
                nil
            ),
            (
                "restart: { limit: 5 }", "\"limit\" must be a number per time, not \"5\"", "for example: 5 per 1min",
                nil
            ),
            ("restart: { limit: 0 per 1min }", "\"limit\" cannot be 0 times", "valid: 1 to 1000 times", nil),
            ("restart: { limit: 5 per 1ms }", "\"limit\" must be at least 1s, not 1ms", nil, nil),
            ("restart: { limit: 5 per 1minute }", "limit: \"1minute\" has an unknown unit \"minute\"", units, nil),
            (
                "restart: { cool-down: 10ms }", "\"cool-down\" must be at least 1s, not 10ms",
                "never takes the limit away",
                nil
            ),
            (
                "stall-timeout: 50ms", "\"stall-timeout\" must be at least 100ms, not 50ms",
                "never takes the limit away",
                nil
            ),
            (
                "stall-timeout: nevr", "stall-timeout: \"nevr\" is no duration", units + ", or never", "never"
            ),
            ("start-timeout: {}", "\"start-timeout\" must be a duration, or never, not a map", nil, nil),
            ("latency: never", "latency: \"never\" is no duration", units, nil),
            ("latency: 2min", "\"latency\" must be at most 1min, not 2min", nil, nil),
            (
                "properties: [camera.pattern]", "\"properties\" must be a map, not a list",
                "for example: { camera.pattern: ball }", nil
            ),
            (
                "properties: { pattern: 1 }", "\"pattern\" is not of the form element.property, as in camera.pattern",
                nil, nil
            ),
            (
                "properties: { camra.pattern: 1 }", "no element named \"camra\" in pipeline \"a\"",
                "elements: camera, fakesink0", "camera"
            ),
            (
                "properties: { camera.patern: 1 }", "no property \"patern\" in element \"videotestsrc\"", nil,
                "pattern"
            ),
            (
                "properties: { camera.zzz: 1 }", "no property \"zzz\" in element \"videotestsrc\"",
                "gst-inspect-1.0 videotestsrc lists its properties", nil
            ),
            (
                "properties: { camera.name: x }", "the name of an element cannot be set", "it is in the launch text",
                nil
            ),
            (
                "properties: { camera.pattern: }", "\"camera.pattern\" must be a value, not nothing",
                "an empty text is written \"\"", nil
            ),
            (
                "settable: camera.pattern", "\"settable\" must be a list, not \"camera.pattern\"",
                "for example: [camera.pattern]", nil
            ),
            (
                "settable: [fakesink0.name]", "the name of an element cannot be set",
                "give it in the launch text: name=fakesink0", nil
            ),
            (
                "settable: [camera.patern]", "no property \"patern\" in element \"videotestsrc\"", nil, "pattern"
            ),
            (
                "settable: [camera.pattern, camera.pattern]", "\"camera.pattern\" is listed twice", nil, nil
            ),
        ] as [(String, String, String?, String?)])
    func wrongValueIsExplained(_ line: String, _ message: String, _ help: String?, _ suggestion: String?) {
        let file = SourceFile(path: "porch.yaml", text: Self.file([line]))
        let (loaded, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        #expect(loaded == nil)
        #expect(found.map(\.message) == [message])
        #expect(found.first?.help == help)
        #expect(found.first?.suggestion == suggestion)
        #expect(found.first?.span?.start.line == 5)
    }

    static let units = "a duration is a number and a unit: ns, us, ms, s, min or h"
    static let restartKeys = "valid keys: delay, backoff, max-delay, jitter, limit, cool-down"

    @Test func caretStandsUnderThePart() {
        #expect(
            problems(
                in: Self.file(["restart: { limit: 5 per 9parsec }", "properties: { camera.pattern: 1, camera.x: 2 }"]))
                    == """
                    porch.yaml:5:29: error: limit: "9parsec" has an unknown unit "parsec"
                        restart: { limit: 5 per 9parsec }
                                                ^~~~~~~
                    help: a duration is a number and a unit: ns, us, ms, s, min or h
                    porch.yaml:6:45: error: no property "x" in element "videotestsrc"
                        properties: { camera.pattern: 1, camera.x: 2 }
                                                                ^
                    help: gst-inspect-1.0 videotestsrc lists its properties

                    """)
    }

    @Test func whatIsLookedAfterIsNoNewPipeline() throws {
        let plain = try pipeline()
        let watched = try pipeline("restart: never", "stall-timeout: 1s", "settable: [camera.pattern]")
        #expect(plain != watched)
        #expect(plain.buildsTheSame(as: watched))
        #expect(try !plain.buildsTheSame(as: pipeline("properties: { camera.pattern: ball }")))
        #expect(try !plain.buildsTheSame(as: pipeline("latency: 1s")))
    }
}
