import Testing

@testable import HostCore

@Suite struct JSONTextTests {
    @Test func roundTripKeepsKindsAndOrder() throws {
        let value: Value = [
            "zeta": 1, "alpha": .double(0.5), "list": [true, .null, "a\"\u{1F600}\n"], "map": ["k": -9],
        ]
        #expect(try JSONText.parse(JSONText.render(value)) == value)
    }

    @Test func surrogateEscapesAreDecoded() throws {
        #expect(try JSONText.parse(#"{"a":"\ud83d\ude00"}"#)["a"]?.string == "\u{1F600}")
    }

    @Test func brokenTextIsAnErrorWithThePosition() {
        #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(#"{"a": }"#) }
        #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse("") }
    }

    /// The parser calls itself: as many brackets as a body may hold would end the process.
    @Test(arguments: ["[", "{\"a\":", "[\"]\",", "[{\"\\\"]\":"]) func muchDeeperThanTheStackIsRefused(_ level: String)
    {
        let text = String(repeating: level, count: 100_000)
        let error = #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
        #expect(error?.message == "nested deeper than 64 levels")
    }

    /// What the parser takes and JSON has not: they could hide brackets from the count.
    @Test(arguments: ["/* \" */ [1]", "// \"\n[1]", "['\"', 1]", "# \"\n[1]"]) func whatIsNoJSONIsRefused(
        _ text: String
    ) {
        let error = #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
        #expect(error?.message.contains("outside of a string") == true)
    }

    @Test(arguments: ["{}{\"b\": 1}", "{\"a\": 1}\n\n{}", "[1] 2", "{} x", "[]]"]) func aSecondValueIsRefused(
        _ text: String
    ) {
        let error = #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
        #expect(error?.message == "something follows the end of the value")
    }

    @Test func bracketsInStringsAreText() throws {
        let text = "\"" + String(repeating: "[{", count: 500) + "\\\" // '#\""
        #expect(try JSONText.parse("[\(text)]").list?.count == 1)
        #expect(try JSONText.parse(String(repeating: "[", count: 60) + String(repeating: "]", count: 60)).list != nil)
    }

    @Test func bottomlessNestingIsRefused() {
        let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
    }

    /// Texts come from the parser as C strings: what stands behind a NUL was lost without a word.
    @Test(arguments: [#""a\u0000b""#, #"{"a\u0000b": 1}"#, #"["\\\u0000"]"#, "[1\u{0}]", "\"a\u{0}\""])
    func aTextWithANulIsRefused(_ text: String) {
        let error = #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
        #expect(error?.message == "a text holds a NUL (\\u0000), which no text of the host can")
    }

    @Test(arguments: [#""\\u0000""#, #""\u0001""#, #""u0000""#, #""\u000a0""#]) func whatOnlyLooksLikeANulIsText(
        _ text: String
    ) throws {
        #expect(try JSONText.parse(text).string?.isEmpty == false)
    }

    /// json-glib leaves one of them as it is, which no other parser takes.
    @Test func controlCharactersAreEscaped() throws {
        for code in UInt8(1)...0x1f {
            let text = "a\(Character(Unicode.Scalar(code)))b"
            let rendered = JSONText.render(.map([.init(text, .string(text))]))
            #expect(!rendered.utf8.contains { $0 < 0x20 }, "\(code): \(rendered)")
            #expect(try JSONText.parse(rendered) == .map([.init(text, .string(text))]), "\(code)")
        }
    }
}
