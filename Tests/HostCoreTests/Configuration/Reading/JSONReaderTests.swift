import Testing

@testable import HostCore

/// A configuration written as JSON, most often by another program.
@Suite struct JSONReaderTests {
    func load(_ text: String, _ path: String = "porch.json") -> (HostConfiguration?, [Diagnostic]) {
        ConfigurationLoader.load(SourceFile(path: path, text: text), environment: [:], catalog: TestCatalog())
    }

    static let example = """
        {
        \t"mediahost": 1, "vars": {"A": "\\ud83d\\ude00\\u00e9\\/\\"\\\\"},
        \t"pipelines": {
        \t\t"porch": {"launch": "fakesrc name=cam ! fakesink", "autostart": false, "restart": {"backoff": 1.5}, "latency": null}
        \t},
        \t"control": {"socket": "/run/${A}"}
        }
        """

    @Test(arguments: ["porch.json", "porch.yaml"]) func jsonIsRead(_ path: String) throws {
        let (loaded, found) = load(Self.example, path)
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        let porch = try #require(loaded?.pipelines.first)
        #expect(porch.autostart == false)
        #expect(porch.restart?.backoff == 1.5)
        #expect(porch.latency == nil)
        #expect(loaded?.control.socket == "/run/😀é/\"\\")
    }

    /// Where both can read a file, both read the same.
    @Test(arguments: [
        #"{"a": [1, -2.5e3, true, null, "x\ty", {}], "b": {"c": ""}, "é": "\u00e9"}"#, "[]", "{}", "\"text\"", "7",
    ])
    func treeIsThatOfYAML(_ text: String) throws {
        var problems = Problems()
        let file = SourceFile(path: "a", text: text)
        let json = try #require(JSONReader.read(file, into: &problems))
        let yaml = try #require(YAMLReader.read(file, into: &problems))
        #expect(problems.diagnostics.isEmpty)
        #expect(json == yaml)
        #expect(json.entries?.map(\.keySpan) == yaml.entries?.map(\.keySpan))
        #expect(json.entries?.map(\.value.span) == yaml.entries?.map(\.value.span))
    }

    @Test func positionBehindEscapesIsThatOfTheFile() {
        let file = SourceFile(
            path: "porch.json",
            text: "{\"mediahost\": 1, \"pipelines\": {\"a\": {\"launch\": \"fakesrc name=\\ud83d\\ude00 ! fakesinc\"}}}"
        )
        let (_, found) = ConfigurationLoader.load(file, environment: [:], catalog: TestCatalog())
        #expect(
            DiagnosticRenderer().render(found) == """
                porch.json:1:77: error: no element "fakesinc"
                {"mediahost": 1, "pipelines": {"a": {"launch": "fakesrc name=\\ud83d\\ude00 ! fakesinc"}}}
                                                                                            ^~~~~~~~
                help: did you mean "fakesink"?

                """)
    }

    @Test(arguments: [
        ("{\"a\": 1,}", 8, "a comma without a value behind it"), ("{\"a\": 1 \"b\": 2}", 9, "a comma is missing"),
        ("{'a': 1}", 2, "a key in double quotes is missing"), ("{a: 1}", 2, "a key in double quotes is missing"),
        ("{\"a\" 1}", 6, "a \":\" is missing behind the key"), ("{\"a\": }", 7, "a value is missing"),
        ("{\"a\": yes}", 7, "\"yes\" is no value"), ("{\"a\": 0x10}", 7, "\"0x10\" is no value"),
        ("{\"a\": nan}", 7, "\"nan\" is no value"), ("{\"a\": 1", 1, "this bracket is never closed"),
        ("{\"a\": [1", 7, "this bracket is never closed"), ("{\"a", 2, "this quote is never closed"),
        ("{\"a\\", 2, "this quote is never closed"), ("{} {}", 4, "something follows the end of the text"),
        ("{\"a\": \"\\ud83d\"}", 8, "half of a surrogate pair"),
        ("{\"a\": \"\\ude00\\ud83d\"}", 8, "half of a surrogate pair"),
        ("{\"a\": \"\\ud83d\\u0041\"}", 8, "half of a surrogate pair"),
        ("{\"a\": \"\\x\"}", 8, "an unknown escape in a text"),
        ("{\"a\": \"\\u12g4\"}", 8, "an unknown escape in a text"),
        ("{\"a\": \"\\u+123\"}", 8, "an unknown escape in a text"),
        ("{\"a\": \"\\u0000\"}", 8, "a text cannot hold NUL"),
        ("{\"a\": \"x\ty\"}", 9, "a control character in a text"),
        ("// comment\n{}", 1, "a value is missing"),
    ])
    func mistakeIsMarked(_ text: String, _ column: Int, _ message: String) {
        let (loaded, found) = load(text)
        #expect(loaded == nil)
        #expect(found.map(\.message) == ["not valid JSON: \(message)"])
        #expect(found.first?.span?.start == SourcePosition(line: 1, column: column))
    }

    @Test func limitsAreThoseOfYAML() {
        let deep = "{\"a\": " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}"
        #expect(load(deep).1.map(\.message) == ["nested too deeply"])
        let many = "{\"a\": [" + String(repeating: "1,", count: 30_000) + "1]}"
        #expect(load(many).1.map(\.message) == ["too many values"])
        #expect(
            load("{\"mediahost\": 1, \"mediahost\": 1}").1.map(\.message) == ["the key \"mediahost\" is given twice"])
    }

    /// Flow YAML begins like JSON, and its mistakes are YAML's.
    @Test func flowYAMLStaysYAML() {
        #expect(load("{ mediahost: 1, control: { socket: /a } } # yes", "a.yaml").0?.control.socket == "/a")
        #expect(load("{ mediahost: 1, control", "a.yaml").1.first?.message.hasPrefix("not valid YAML") == true)
        #expect(load("", "a.json").1.map(\.message) == ["the file is empty"])
    }

    @Test func textsHoldNoNUL() {
        #expect(
            load("mediahost: 1\ncontrol: { socket: \"a\\0b\" }\n", "a.yaml").1.map(\.message) == [
                "a text cannot hold NUL"
            ])
    }
}
