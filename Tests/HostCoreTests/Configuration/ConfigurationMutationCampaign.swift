import HostTestKit
import Testing

@testable import HostCore

/// A config file with random damage: it ends in diagnostics with positions, never in a crash.
@Suite struct ConfigurationMutationCampaign {
    /// Whatever bytes come in, something readable goes out.
    @Test func mutatedFilesNeverCrash() {
        var random = Campaign(rounds: 3000)
        let original = Array(ConfigurationLoaderTests.example.utf8)
        let pieces = [
            "${", "}", "$${", "\"", "'", "!", "(", ")", "\t", "\n", "\n  ", ": ", "- ", "&a ", "*a", "#", " # ", "\\",
            "=", ":", ";", ",", "[", "]", "{", ">", "|", "\u{FEFF}", "é", "😀", "\0", "---\n", "video/x-raw", "file://",
            "@preset=", "<<: ",
        ].map { Array($0.utf8) }
        for round in 0..<random.rounds {
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
                Issue.record("no message in round \(round); \(random.note)")
            }
        }
    }
}
