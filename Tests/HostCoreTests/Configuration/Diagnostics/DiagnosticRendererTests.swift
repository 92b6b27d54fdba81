import Testing

@testable import HostCore

@Suite struct DiagnosticRendererTests {
    func render(_ line: String, _ range: Range<Int>, _ renderer: DiagnosticRenderer = .init()) -> String {
        let file = SourceFile(path: "a", text: line)
        return renderer.render(Diagnostic(.error, at: SourceSpan(file: file, range: range), "m"))
    }

    @Test func tabsAndWideTextKeepTheCaretAligned() {
        #expect(render("\tx: bad", 4..<7) == "a:1:5: error: m\n\tx: bad\n\t   ^~~\n")
        #expect(render("日本 bad", 7..<10) == "a:1:4: error: m\n日本 bad\n     ^~~\n")
        #expect(render("e\u{301} bad", 4..<7) == "a:1:4: error: m\ne\u{301} bad\n  ^~~\n")
        #expect(render("日本", 0..<3) == "a:1:1: error: m\n日本\n^~\n")
    }

    @Test func spanOverLinesUnderlinesTheFirst() {
        #expect(render("ab\ncd", 1..<5) == "a:1:2: error: m\nab\n ^\n")
    }

    @Test func endOfLineHasACaret() {
        #expect(render("ab", 2..<2) == "a:1:3: error: m\nab\n  ^\n")
    }

    @Test func longLineIsShownAroundTheCaret() {
        let line = String(repeating: "x", count: 100) + "bad" + String(repeating: "y", count: 100)
        #expect(
            render(line, 100..<103, .init(widest: 30))
                == "a:1:101: error: m\n...xxxxxxxxxxbadyyyyyyyyyyyyyyyyy...\n             ^~~\n")
    }

    @Test func controlCharactersDoNotReachTheTerminal() {
        #expect(render("a\u{1B}[2Jb", 5..<6) == "a:1:6: error: m\na\u{FFFD}[2Jb\n     ^\n")
        #expect(quoted("a\u{1B}\n\u{9B}") == "\"a\u{FFFD}\\n\u{FFFD}\"")
    }

    @Test func colourIsOptional() {
        #expect(
            render("ab", 0..<1, .init(colour: true))
                == "\u{1B}[1ma:1:1: \u{1B}[0m\u{1B}[1;31merror: \u{1B}[0m\u{1B}[1mm\u{1B}[0m\nab\n\u{1B}[1;32m^\u{1B}[0m\n"
        )
    }

    @Test(
        arguments: [
            ("x264ecn", "x264enc"), ("lanch", "launch"), ("LAUNCH", "launch"), ("bakcground", "background"),
            ("zz", nil),
            ("", nil), ("l", nil), ("x265", "x264enc"),
        ] as [(String, String?)]) func nearestNameIsFound(_ name: String, _ nearest: String?)
    {
        let found = Suggestion.nearest(to: name, among: ["x264enc", "launch", "background", "on-eos"])
        #expect(found == (name == "x265" ? nil : nearest))
    }
}
