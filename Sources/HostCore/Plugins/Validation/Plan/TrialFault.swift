/// Something a plugin did that the contract does not allow.
struct TrialFault: Sendable, Equatable {
    /// What was found: "answered command 12 (count) twice".
    var found: String
    var expected: String
    /// How to mend it.
    var fix: String

    init(_ found: String, expected: String, fix: String) {
        self.found = found
        self.expected = expected
        self.fix = fix
    }
}

extension TrialFault {
    var value: Value { ["found": .string(found), "expected": .string(expected), "fix": .string(fix)] }

    /// Nil where the value is not one of ours.
    init?(_ value: Value) {
        guard let found = value["found"]?.string, let expected = value["expected"]?.string,
            let fix = value["fix"]?.string
        else { return nil }
        self.init(found, expected: expected, fix: fix)
    }
}
