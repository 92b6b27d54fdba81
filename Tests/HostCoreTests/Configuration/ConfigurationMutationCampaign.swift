import HostTestKit
import Testing

@testable import HostCore

/// A config file with random damage: it ends in diagnostics with positions, never in a crash.
@Suite struct ConfigurationMutationCampaign {
    @Test func basesAreSound() {
        for base in ConfigurationMutation.bases {
            let (configuration, found) = ConfigurationLoader.load(
                SourceFile(path: "base.yaml", text: base), environment: [:], catalog: TestCatalog())
            #expect(configuration != nil && found.isEmpty, "\(DiagnosticRenderer().render(found))")
        }
    }

    /// One mistake each: the right line always, the right column within two in 95 of 100, and what was misspelt is
    /// suggested.
    @Test func mistakesAreFoundWhereTheyAre() {
        var random = Campaign(rounds: 300)
        print("config-mutation: \(random.note)")
        var rightLine = 0
        var rightColumn = 0
        var misspelt = 0
        var suggested = 0
        var diagnostics = 0
        var misses: [String] = []
        for _ in 0..<random.rounds {
            guard let mutation = Self.mutation(&random) else { continue }
            let (_, all) = ConfigurationLoader.load(
                SourceFile(path: "mutated.yaml", text: mutation.text), environment: [:], catalog: TestCatalog())
            let found = all.filter { $0.severity == (mutation.isWarning ? .warning : .error) }
            diagnostics += all.count
            let inLine = found.filter { $0.span?.start.line == mutation.line }
            let near = inLine.filter { abs(($0.span?.start.column ?? 0) - mutation.column) <= 2 }
            if !inLine.isEmpty { rightLine += 1 }
            if !near.isEmpty { rightColumn += 1 }
            var isRight = !near.isEmpty
            if let wanted = mutation.suggestion {
                misspelt += 1
                // `camera.src` for `camera`.
                let isThere = near.contains {
                    $0.suggestion == wanted || $0.suggestion?.hasPrefix(wanted + ".") == true
                }
                if isThere { suggested += 1 } else { isRight = false }
            }
            if !isRight {
                let line = mutation.text.split(separator: "\n", omittingEmptySubsequences: false)[mutation.line - 1]
                misses.append(
                    "\(mutation.kind) at \(mutation.line):\(mutation.column) in \(line)\n"
                        + DiagnosticRenderer().render(all))
            }
        }
        let report =
            "\(random.rounds) mutated configs: right line \(rightLine), column within 2 \(rightColumn), "
            + "\(suggested) of \(misspelt) misspellings suggested, \(diagnostics) diagnostics; \(random.note)"
        print("config-mutation: \(report)")
        let text = "\(report)\n\(misses.prefix(8).joined(separator: "\n"))"
        #expect(rightLine == random.rounds, "\(text)")
        #expect(rightColumn * 100 >= random.rounds * 95, "\(text)")
        #expect(suggested == misspelt, "\(text)")
    }

    /// Not every mistake can be made in every base.
    private static func mutation(_ random: inout Campaign) -> ConfigurationMutation? {
        for _ in 0..<100 {
            if let mutation = ConfigurationMutation(&random) { return mutation }
        }
        return nil
    }

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
