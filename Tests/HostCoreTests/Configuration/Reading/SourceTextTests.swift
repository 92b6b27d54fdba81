import Testing

@testable import HostCore

/// Each letter of a decoded scalar must point at that letter in the file.
@Suite struct SourceTextTests {
    func scalar(_ yaml: String) throws -> SourceText {
        var found = Problems()
        let root = try #require(YAMLReader.read(SourceFile(path: "a.yaml", text: yaml), into: &found))
        #expect(found.diagnostics.isEmpty)
        return try #require(root["k"]?.text)
    }

    @Test(arguments: [
        "k: >\n  one two\n  three\n\n  four\n\n\n    more\n  five\n", "k: >- # comment one\n  one\n  two\n",
        "k: |\n  one\n    two\n\n  three\n", "k: |2+\n   one\n  two\n\n\n", "k: one\n  two\n\n  three\n", "k: one two",
        "k: 'one ''two''\n\n  three'\n", "k: \"one\\\n   \\ two\n  three\\n four\"\n", "k: \"a\\tb\\x41c\\u00e9d\"\n",
        "k: é ü\n  €uro 😀 end\n", "k: >\r\n  one\r\n  two\r\n", "\u{FEFF}k: one\n", "a: é\nk: \"é\\u20acx\"",
        "k: 'it''s'", "k: \"\"", "k: ''\n", "k: >\n\nb: 1\n",
    ]) func lettersPointAtThemselves(_ yaml: String) throws {
        let text = try scalar(yaml)
        let source = Array(yaml.utf8)
        var last = 0
        for (index, byte) in text.bytes.enumerated() {
            let origin = text.origins[index]
            #expect(Int(origin.start) >= last)
            last = Int(origin.start)
            if byte.isASCIISpace || source[last] == "\\" { continue }
            #expect(source[last] == byte, "byte \(index) of \(text.string)")
        }
    }

    @Test func escapesAndVariablesKeepTheirPlace() throws {
        let text = try scalar("k: \"a\\u20acb\"")
        #expect(text.string == "a€b")
        #expect(text.span(1..<4).range == 5..<11)
        #expect(text.span(4..<5).range == 11..<12)
    }

    @Test func positionsInsideExpandedTextPointAtTheVariable() {
        let file = SourceFile(
            path: "porch.yaml",
            text: """
                mediahost: 1
                vars: { enc: x264ecn }
                pipelines:
                  a:
                    launch: >
                      fakesrc
                      ! ${enc} ! fakesink bad=1
                """)
        let (_, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        #expect(
            DiagnosticRenderer().render(found) == """
                porch.yaml:7:9: error: no element "x264ecn"
                      ! ${enc} ! fakesink bad=1
                        ^~~~~~
                help: did you mean "x264enc"?
                porch.yaml:7:27: error: no property "bad" in element "fakesink"
                      ! ${enc} ! fakesink bad=1
                                          ^~~
                help: gst-inspect-1.0 fakesink lists its properties

                """)
    }

    @Test func columnsCountScalars() {
        let file = SourceFile(path: "a", text: "é€😀x\r\n\ny")
        #expect(file.position(at: 9) == SourcePosition(line: 1, column: 4))
        #expect(file.position(at: 12) == SourcePosition(line: 2, column: 1))
        #expect(file.position(at: 13) == SourcePosition(line: 3, column: 1))
        #expect(file.position(at: 99) == SourcePosition(line: 3, column: 2))
        #expect(file.position(at: -4) == SourcePosition(line: 1, column: 1))
    }
}
