import Testing

@testable import HostCore

/// A recording that a pause of the host would write over is warned of, where nobody chose so.
@Suite struct RecordingCheckTests {
    static func warnings(_ launch: String, _ lines: [String] = []) -> String {
        let text =
            "mediahost: 1\npipelines:\n  porch:\n    launch: '\(launch)'\n" + lines.map { "    \($0)\n" }.joined()
        let file = SourceFile(path: "porch.yaml", text: text)
        let (loaded, found) = ConfigurationLoader.load(file, environment: [:], catalog: nil)
        #expect(loaded != nil)
        return DiagnosticRenderer().render(found)
    }

    @Test func placeAndFixAreNamed() {
        #expect(
            Self.warnings("v4l2src ! matroskamux ! filesink location=porch.mkv") == """
                porch.yaml:4:38: warning: "filesink" begins "porch.mkv" anew whenever the host resumes, over what was recorded before
                    launch: 'v4l2src ! matroskamux ! filesink location=porch.mkv'
                                                     ^~~~~~~~
                help: "background: pause" goes on in one recording; if it is meant so, write "background: stop"; a format without an index, as .ts has, can go on with append=true

                """)
        #expect(
            Self.warnings("v4l2src ! splitmuxsink location=%05d.mp4").hasPrefix(
                "porch.yaml:4:24: warning: \"splitmuxsink\" counts the files of \"%05d.mp4\" from its first again whenever"
            ))
    }

    @Test func aFileOfAFileLosesNothing() {
        #expect(Self.warnings("filesrc location=a.mkv ! filesink location=b.mkv") == "")
    }

    /// A sleep ends it as a pause does.
    @Test func whatIsLeftOpenIsNamed() {
        let found = Self.warnings("src ! splitmuxsink location=one.mp4", ["background: { paused: keep }"])
        #expect(found.contains("\"splitmuxsink\" begins \"one.mp4\" anew whenever"))
        #expect(
            found.contains(
                "help: \"suspended: pause\" in \"background\" goes on in one recording; if it is meant so, write \"suspended: stop\" in"
            ))
    }

    @Test func eachSinkIsNamed() {
        let found = Self.warnings("src ! ( tee name=t ! queue ! filesink location=a t. ! multifilesink location=b%d )")
        #expect(Self.warnings("src ! filesink location=/dev/shm/a") != "")
        #expect(found.split(separator: "\n").count { $0.contains("warning: ") } == 2)
    }

    @Test(arguments: [
        ("filesink location=/dev/null", [String]()), ("filesink location=a append=true", []), ("filesink", []),
        ("fakesink", []), ("filesink location=a", ["background: stop"]), ("filesink location=a", ["background: keep"]),
        ("filesink location=a", ["background: { paused: stop, suspended: pause }"]),
        ("filesink location=a append=T", []), ("multifilesink location=latest.jpg", []),
        ("splitmuxsink location=%05d.mp4 max-files=10", []),
        ("filesink location=a", ["properties: { filesink0.append: true }"]),
        ("filesink location=a name=file", ["properties: { file.location: /dev/null }"]),
    ])
    func whatIsMeantOrLosesNothingIsNotWarnedOf(_ sink: String, _ lines: [String]) {
        #expect(Self.warnings("v4l2src ! \(sink)", lines) == "")
    }

    @Test(arguments: [
        ("filesink location=a append=false", [String]()), ("filesink location=a", ["background: { locked: stop }"]),
        ("filesink location=a", ["background: { paused: pause }"]),
        ("filesink location=a", ["background:"]), ("filesink", ["properties: { filesink0.location: a }"]),
        ("filesink location=/dev/null", ["properties: { filesink0.location: a }"]),
    ])
    func whatIsLeftToTheDefaultIsWarnedOf(_ sink: String, _ lines: [String]) {
        #expect(Self.warnings("v4l2src ! \(sink)", lines).contains("warning: \"filesink\" begins \"a\" anew"))
    }
}
