import Testing

@testable import HostCore

@Suite struct YAMLMessagesTests {
    static let head = "mediahost: 1\n"

    @Test(
        arguments: [
            (
                "tab",
                "mediahost: 1\npipelines:\n\ta: 1\n",
                """
                porch.yaml:3:1: error: not valid YAML: found character that cannot start any token
                \ta: 1
                ^
                help: indent with spaces, YAML does not allow tabs here

                """
            ),
            (
                "colon in a value",
                "mediahost: 1\ncontrol: a: b\n",
                """
                porch.yaml:2:11: error: not valid YAML: mapping values are not allowed in this context
                control: a: b
                          ^
                help: check the indentation of this line, or put a value that holds ": " in quotes

                """
            ),
            (
                "open quote",
                "mediahost: 1\ncontrol: \"a",
                """
                porch.yaml:2:10: error: not valid YAML: found unexpected end of stream
                control: "a
                         ^
                help: a quote or bracket is never closed

                """
            ),
            (
                "open quote, lines before the end",
                "mediahost: 1\ncontrol: { socket: \"/a }\nplugins: {}\npipelines: {}\n",
                """
                porch.yaml:2:20: error: not valid YAML: found unexpected end of stream
                control: { socket: "/a }
                                   ^
                help: a quote or bracket is never closed

                """
            ),
            (
                "open bracket",
                "mediahost: 1\ncontrol: { socket: /a\nplugins: {}\npipelines: {}\n",
                """
                porch.yaml:2:10: error: not valid YAML: did not find expected ',' or '}'
                control: { socket: /a
                         ^
                help: a bracket is never closed, or a comma is missing

                """
            ),
            (
                "merge key",
                "mediahost: 1\nvars: { a: b }\ncontrol:\n  <<: { socket: /a }\n",
                """
                porch.yaml:4:3: error: merge keys (<<) are not supported
                  <<: { socket: /a }
                  ^~
                help: write the keys out, or share their values through `vars:`

                """
            ),
            (
                "two documents",
                "mediahost: 1\n---\nmediahost: 1\n",
                """
                porch.yaml:2:1: error: a second YAML document begins here
                ---
                ^~~
                help: a configuration is one document: remove the `---`

                """
            ),
            (
                "alias without anchor",
                "mediahost: 1\ncontrol: *soket\n",
                """
                porch.yaml:2:10: error: no anchor "soket" before this alias
                control: *soket
                         ^~~~~~
                help: text that begins with "*" goes in quotes

                """
            ),
            (
                "tag",
                "mediahost: 1\ncontrol: { socket: !x /a }\n",
                """
                porch.yaml:2:20: error: YAML tags are not supported
                control: { socket: !x /a }
                                   ^~~~~
                help: remove the tag; text that begins with "!" goes in quotes

                """
            ),
            (
                "map as a key",
                "mediahost: 1\n? { a: b }\n: c\n",
                """
                porch.yaml:2:3: error: a key must be a name, not a map
                ? { a: b }
                  ^~~~~~~~

                """
            ),
        ]) func messageIsExact(_ name: String, _ file: String, _ message: String)
    {
        #expect(problems(in: file) == message)
    }

    @Test func invalidUTF8IsMarked() {
        let file = SourceFile(path: "a.yaml", bytes: Array("x: é".utf8) + [0xC3, 0x28])
        let (_, found) = ConfigurationLoader.load(file, environment: [:], catalog: nil)
        #expect(found.map(\.message) == ["not valid UTF-8"])
        #expect(found.first?.span?.start == SourcePosition(line: 1, column: 5))
    }

    @Test(arguments: [
        [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xF0, 0x9F],
    ])
    func badSequencesAreFound(_ bytes: [UInt8]) {
        #expect(UTF8Check.firstInvalid(in: [0x61] + bytes) == 1)
        #expect(UTF8Check.firstInvalid(in: Array("aé€😀".utf8)) == nil)
    }

    @Test func limitsAreNamed() {
        let deep = "a: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(problems(in: deep).contains("help: lists and maps may be 32 levels deep"))
        #expect(problems(in: "a: [" + String(repeating: "1,", count: 30_000) + "]").contains("may have 20000"))
        #expect(
            problems(in: String(repeating: "# comment\n", count: 110_000))
                == "error: porch.yaml is too large\nhelp: a configuration file may have 1048576 bytes\n")
    }

    @Test func aliasesThatMultiplyAreStopped() {
        var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...9 {
            text += "a\(level): &a\(level) [" + (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ", ") + "]\n"
        }
        #expect(problems(in: text).contains("too many values"))
    }

    @Test func aliasRepeatsItsAnchor() throws {
        var found = Problems()
        let file = SourceFile(path: "a.yaml", text: "one: &x { k: [1, 2] }\ntwo: *x\n")
        let root = try #require(YAMLReader.read(file, into: &found))
        #expect(found.diagnostics.isEmpty)
        #expect(root["one"] == root["two"])
    }
}
