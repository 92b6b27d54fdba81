/// The query of a request, where only some keys are known.
struct QueryReader {
    private let query: [String: String]

    /// - Throws: `invalid` for a key that is not in `keys`, with the one that was probably meant.
    init(_ query: [String: String], keys: [String]) throws(ControlError) {
        self.query = query
        guard let unknown = query.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        let hint = Suggestion.nearest(to: unknown, among: keys).map { "did you mean `\($0)`? " } ?? ""
        throw ControlError(
            .invalid, "the query has no `\(unknown)`: \(hint)there are \(keys.joined(separator: ", "))", field: unknown)
    }

    subscript(key: String) -> String? { query[key] }

    func number(_ key: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = query[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ControlError(
                .invalid, "`\(key)` takes a number from \(range.lowerBound) to \(range.upperBound), not `\(text)`",
                field: key)
        }
        return number
    }

    func flag(_ key: String) throws(ControlError) -> Bool? {
        switch query[key] {
        case nil: nil
        case "true": true
        case "false": false
        case .some(let text):
            throw ControlError(.invalid, "`\(key)` takes true or false, not `\(text)`", field: key)
        }
    }
}
