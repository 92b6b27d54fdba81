/// What a field of an event's payload must be.
struct RuleCondition: Sendable, Equatable {
    enum Test: Sendable, Equatable {
        /// One of these texts, as the value would be written.
        case isOne([String])
        case isNone([String])
        case above(Double)
        case below(Double)
        case atLeast(Double)
        case atMost(Double)
        case isPresent(Bool)
    }

    /// Keys of inner maps are joined with dots: `error.code`.
    var field: String
    var test: Test
    /// Where the field is named. It does not count for equality.
    var span: SourceSpan?

    static func == (left: RuleCondition, right: RuleCondition) -> Bool {
        left.field == right.field && left.test == right.test
    }

    /// A field that is not there fulfils nothing but `present: false`.
    func holds(of payload: Value) -> Bool {
        let value = payload.field(field)
        if case .isPresent(let wanted) = test { return (value != nil) == wanted }
        guard let value else { return false }
        switch test {
        case .isOne(let texts): return texts.contains { value.reads($0) }
        case .isNone(let texts): return !texts.contains { value.reads($0) }
        case .above(let limit): return value.double.map { $0 > limit } ?? false
        case .below(let limit): return value.double.map { $0 < limit } ?? false
        case .atLeast(let limit): return value.double.map { $0 >= limit } ?? false
        case .atMost(let limit): return value.double.map { $0 <= limit } ?? false
        case .isPresent: return true
        }
    }
}

extension Value {
    /// The field of inner maps that keys joined with dots lead to; null counts as not there.
    func field(_ path: some StringProtocol) -> Value? {
        var value = self
        for key in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard let next = value[String(key)] else { return nil }
            value = next
        }
        return value == .null ? nil : value
    }

    /// Whether it is what a user means with a text: `failed`, `true`, `3`; of a list, one of its parts.
    fileprivate func reads(_ text: String) -> Bool {
        switch self {
        case .string(let own): own == text
        case .bool(let flag): text == (flag ? "true" : "false")
        case .int, .double: Quantity.number(text).map { $0 == double } ?? false
        case .list(let items): items.contains { $0.reads(text) }
        case .null, .map: false
        }
    }

    /// As a part of a text or a word of a command line: maps and lists as JSON.
    var plainText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .bool, .int, .double, .list, .map: JSONText.render(self)
        }
    }
}
