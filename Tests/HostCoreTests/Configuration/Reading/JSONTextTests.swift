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

    @Test func bottomlessNestingIsRefused() {
        let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: JSONText.SyntaxError.self) { try JSONText.parse(text) }
    }
}
