import HostTestKit
import Testing

@testable import HostCore

/// Launch texts thrown together from their own words.
@Suite struct LaunchSoupTests {
    static let words = [
        "fakesrc", "fakesink", "identity", "tee name=t", "t.", "t.src_0", ".src", ".sink", "!", "!", "!", "! ", ":",
        "(", ")",
        "bin.(", "name=a", "name=\"b c\"", "silent=true", "dump = false", "! video/x-raw !",
        "! audio/x-raw,rate=8000 !",
        "video/x-raw", "\"", "'", ",", ";", "=", "file:///tmp/x", "/tmp/x", "@preset=x", "\\", "#", "é", "{",
        "location=\"a",
    ]

    static func soup(_ random: inout Campaign) -> String {
        // Mostly sound, so that what follows a mistake is not all that is tried.
        let words = Bool.random(using: &random) ? words : Array(words[..<22])
        return (0..<Int.random(in: 1...9, using: &random)).map { _ in
            words[Int.random(in: 0..<words.count, using: &random)] + (Bool.random(using: &random) ? " " : "")
        }.joined()
    }

    /// Rerun one seed with MEDIAHOST_SEED.
    @Test func namingIsStableAndSpansLieInTheText() {
        var random = Campaign(rounds: 5000)
        let seed = random.note
        for round in 0..<random.rounds {
            let text = Self.soup(&random)
            var found: [Diagnostic] = []
            let launch = LaunchParser.parse(LaunchParserTests.text(text), diagnostics: &found)
            for span in found.compactMap(\.span) + launch.elements.map(\.factorySpan) {
                #expect(span.range.upperBound <= text.utf8.count, "\(seed), round \(round): \(text)")
            }
            guard !found.contains(where: { $0.severity == .error }) else { continue }
            let named = launch.named()
            var again: [Diagnostic] = []
            let second = LaunchParser.parse(LaunchParserTests.text(named.launch), diagnostics: &again)
            #expect(again.allSatisfy { $0.severity == .warning }, "\(seed), round \(round): \(text)")
            #expect(second.elements.map(\.name) == named.elements.map(\.name), "\(seed), round \(round): \(text)")
        }
    }
}
