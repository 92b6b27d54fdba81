import Testing

@testable import HostCore

/// Fields of an event in the texts of a rule, and what they are compared with.
@Suite struct RuleTextTests {
    // Made each time: the leak sanitizer does not see through the pointers of a value that is kept for good.
    private static var event: Event {
        RuleBench.event(
            7, "pipeline.state",
            [
                "state": "failed", "restarts": 3, "live": true, "share": .double(0.5), "nothing": .null,
                "error": ["code": "timeout", "at": ["a", "b"]],
            ])
    }

    private static var texts: [(String, Value)] {
        [
            ("plain", "plain"), ("$(name)", "pipeline.state"), ("$(source): $(rule)", "porch: r"),
            ("$(sequence)", 7), ("$(payload.restarts)", 3), ("$(payload.live)", true),
            ("n=$(payload.restarts), $(payload.live)", "n=3, true"), ("$(payload.error.code)!", "timeout!"),
            ("$(payload.error.at)", ["a", "b"]), ("<$(payload.error.at)>", "<[\"a\",\"b\"]>"),
            ("$$(name) $${x} $5", "$(name) $${x} $5"), ("$$$(name)", "$$(name)"), ("", ""),
        ]
    }

    @Test(arguments: texts) func fieldsAreFilledIn(_ text: String, _ value: Value) throws {
        #expect(try RuleText(text).filled(from: Self.event, rule: "r") == value)
    }

    @Test func whatTheEventDoesNotHaveIsNamed() throws {
        for path in ["payload.colour", "payload.error.why", "payload.nothing", "payload.state.deeper"] {
            let text = try RuleText("x $(\(path))")
            #expect { try text.filled(from: Self.event, rule: "r") } throws: { error in
                (error as? RuleText.Missing)?.field == path
            }
        }
    }

    private static let conditions: [(String, RuleCondition.Test, Bool)] = [
        ("state", .isOne(["stalled", "failed"]), true), ("state", .isOne(["stalled"]), false),
        ("state", .isNone(["stalled"]), true), ("state", .isNone(["failed"]), false),
        ("restarts", .isOne(["3"]), true), ("restarts", .isOne(["3.0"]), true), ("restarts", .isOne(["three"]), false),
        ("live", .isOne(["true"]), true), ("live", .isOne(["false"]), false), ("share", .isOne(["0.5"]), true),
        ("error.code", .isOne(["timeout"]), true), ("error", .isOne(["timeout"]), false),
        ("restarts", .above(2), true), ("restarts", .above(3), false), ("restarts", .atLeast(3), true),
        ("restarts", .below(3), false), ("restarts", .atMost(3), true), ("share", .below(1), true),
        ("state", .above(0), false), ("state", .below(0), false),
        ("state", .isPresent(true), true), ("state", .isPresent(false), false),
        ("colour", .isPresent(false), true), ("nothing", .isPresent(false), true), ("nothing", .isPresent(true), false),
        ("colour", .isNone(["red"]), false), ("colour", .isOne([""]), false), ("colour", .below(1), false),
        ("error.at", .isOne(["a"]), true), ("error.at", .isOne(["x", "b"]), true),
        ("error.at", .isOne(["x"]), false), ("error.at", .isNone(["a"]), false),
        ("error.at", .isNone(["x"]), true), ("error.at", .above(1), false), ("error.at", .isPresent(true), true),
    ]

    @Test(arguments: conditions) func conditionsHold(_ field: String, _ test: RuleCondition.Test, _ holds: Bool) {
        #expect(RuleCondition(field: field, test: test).holds(of: Self.event.payload) == holds)
    }

    @Test func theLastLineIsKept() {
        var line = LastLine()
        #expect(line.text == nil)
        line.add("first\nsec".utf8)
        #expect(line.text == "sec")
        line.add("ond\r\n\n  \n".utf8)
        #expect(line.text == "second")
        line.add("a\tb".utf8)
        #expect(line.text == "a b")
        line.add(String(repeating: "x", count: 1000).utf8)
        #expect(line.text?.utf8.count == LastLine.longest)
    }
}
