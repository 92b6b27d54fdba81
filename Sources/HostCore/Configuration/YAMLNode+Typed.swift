/// Scalars read as what a key asks for; anything else is reported and gives nil.
extension YAMLNode {
    func text(for key: String, _ problems: inout Problems) -> String? {
        guard let text else {
            problems.error(at: span, "\(quoted(key)) must be a text, not \(kind)")
            return nil
        }
        guard !text.bytes.isEmpty else {
            problems.error(at: span, "\(quoted(key)) is empty")
            return nil
        }
        return text.string
    }

    func integer(for key: String, in range: ClosedRange<Int64>, _ problems: inout Problems) -> Int64? {
        guard let text = text?.string, let number = Int64(text), range.contains(number) else {
            problems.error(
                at: span, "\(quoted(key)) must be a whole number, not \(kind)",
                help: "valid: \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        for key: String, of type: Choice.Type, _ problems: inout Problems
    ) -> Choice? where Choice.RawValue == String {
        let names = type.allCases.map(\.rawValue)
        guard let name = text?.string else {
            problems.error(
                at: span, "\(quoted(key)) must be one of \(names.joined(separator: ", ")), not \(kind)")
            return nil
        }
        guard let choice = Choice(rawValue: name) else {
            problems.error(
                at: span, "\(quoted(key)) cannot be \(quoted(name))", help: "valid: \(names.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: name, among: names))
            return nil
        }
        return choice
    }
}
