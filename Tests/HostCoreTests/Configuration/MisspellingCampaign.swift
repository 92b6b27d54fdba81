import HostTestKit
import Testing

@testable import HostCore

/// A good file with one word misspelt: the message stands at that word and knows the one that was meant.
@Suite struct MisspellingCampaign {
    /// Words between `«»` are misspelt, one at a time.
    static let marked = """
        «mediahost»: 1
        «vars»: { camera: /dev/video0, pattern: ball }
        «templates»:
          webcam:
            «parameters»:
              device: { «type»: «text», «description»: where it is }
              width: { type: «integer», «minimum»: 16, «maximum»: 4096, «default»: 1280 }
              speed: { type: «choice», «choices»: [keep, pause], default: «pause» }
            «launch»: >
              «v4l2src» «device»=${«device»} ! «videoconvert»
              ! «x264enc» name=encoder «tune»=zerolatency «key-int-max»=${«width»} ! «identity» «silent»=true
              ! «fakesink»
            «stall-timeout»: 5s
            «background»: ${speed}
        «pipelines»:
          porch: { «template»: «webcam», «with»: { «device»: "${«camera»}", «width»: 640, «speed»: «keep» }, «on-eos»: «restart» }
          garden:
            «launch»: «videotestsrc» name=source «pattern»=${«pattern»} ! «queue» ! «identity» name=middle ! «fakesink»
            «autostart»: «false»
            «background»: { «paused»: «keep», «interrupted»: «audio-only» }
            «warm-up»: { «frames»: 3, at: «source».src }
            «restart»: { «delay»: 1s, «backoff»: 2, «max-delay»: 1min, «jitter»: 5%, «limit»: 5 per 1min, «cool-down»: «never» }
            «start-timeout»: «never»
            «latency»: 200ms
            «properties»: { «source».«pattern»: 1, middle.«silent»: true }
            «settable»: [«source».«pattern»]
        «plugins»:
          replay: { «module»: ReplayBuffer }
        «control»: { «socket»: /run/control.sock }

        """

    struct Word {
        var text: [UInt8]
        var line: Int
        var column: Int
        var offset: Int
    }

    static let (file, words): ([UInt8], [Word]) = {
        var file: [UInt8] = []
        var words: [Word] = []
        var start: Int?
        for scalar in marked.unicodeScalars {
            switch scalar {
            case "«": start = file.count
            case "»":
                guard let from = start else { continue }
                let line = file[..<from].count { $0 == UInt8(ascii: "\n") }
                let lineStart = file[..<from].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                words.append(
                    Word(text: Array(file[from...]), line: line + 1, column: from - lineStart + 1, offset: from))
            default: file.append(UInt8(ascii: scalar))
            }
        }
        return (file, words)
    }()

    /// One letter dropped, doubled, replaced, or swapped with its neighbour.
    static func misspelt(_ word: [UInt8], using random: inout Campaign) -> [UInt8] {
        var result = word
        // Not the first: words are recognised by it, by people and by lexers.
        let at = Int.random(in: 1..<word.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: result.remove(at: at)
        case 1: result.insert(word[at], at: at)
        case 2:
            result[at] = UInt8(ascii: "abcdefghijklmnopqrstuvwxyz".unicodeScalars.randomElement(using: &random) ?? "q")
        default: if at + 1 < word.count { result.swapAt(at, at + 1) }
        }
        return result
    }

    @Test func goodFileHasNoProblems() {
        let (loaded, found) = load(Self.file)
        #expect(loaded != nil && found.isEmpty, "\(DiagnosticRenderer().render(found))")
        #expect(Self.words.count > 70)
    }

    private func load(_ bytes: [UInt8]) -> (HostConfiguration?, [Diagnostic]) {
        ConfigurationLoader.load(
            SourceFile(path: "porch.yaml", bytes: bytes), environment: [:], catalog: TestCatalog())
    }

    /// The right line always, the right column within two, and a suggestion for every one.
    @Test func everyMisspellingIsFoundWhereItIs() {
        var random = Campaign(rounds: 600)
        for round in 0..<random.rounds {
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
            let wrong = Self.misspelt(word.text, using: &random)
            guard wrong != word.text else { continue }
            var bytes = Self.file
            bytes.replaceSubrange(word.offset..<word.offset + word.text.count, with: wrong)
            let (_, found) = load(bytes)
            let meant = String(decoding: word.text, as: UTF8.self)
            let isFound = found.contains { diagnostic in
                guard let start = diagnostic.span?.start, let suggestion = diagnostic.suggestion else { return false }
                let isThere = start.line == word.line && abs(start.column - word.column) <= 2
                // `manimum` may have been either.
                let tie = Suggestion.distance(wrong, Array(suggestion.utf8), limit: 1) == 1
                return isThere && (suggestion == meant || tie)
            }
            if !isFound {
                Issue.record(
                    """
                    \(String(decoding: wrong, as: UTF8.self)) for \(meant) in line \(word.line), column \(word.column), \
                    round \(round); \(random.note)
                    \(DiagnosticRenderer().render(found))
                    """)
            }
        }
    }
}
