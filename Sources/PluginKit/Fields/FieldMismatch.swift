/// A value that does not fit its field. The kit puts the key before it: `"window" must be a duration, not "soon"`.
public struct FieldMismatch: Error, Hashable {
    /// Keys of inner records are joined with dots; empty for the value itself.
    private(set) var key = ""
    private let problem: String
    /// Whether `problem` follows the key as the rest of one sentence.
    private let goesOn: Bool

    /// - Parameter problem: goes on after the key: `must be WIDTHxHEIGHT, as in 1280x720`.
    public init(_ problem: String) {
        self.problem = problem
        goesOn = true
    }

    /// - Parameter expected: with its article: `a duration`.
    public init(expected: String, found: PluginValue) { self.init("must be \(expected), not \(found.shown)") }

    /// What a record's own initialiser said about all of it.
    init(record error: PluginError) {
        problem = error.message
        goesOn = false
    }

    /// The same, seen from the record or the list around it.
    func within(_ outer: String) -> FieldMismatch {
        var copy = self
        copy.key = key.isEmpty ? outer : key.utf8.first == UInt8(ascii: "[") ? outer + key : "\(outer).\(key)"
        return copy
    }

    var error: PluginError {
        let text = key.isEmpty ? problem : "\"\(key)\"\(goesOn ? "" : ":") \(problem)"
        return PluginError(text, code: .invalid, key: key.isEmpty ? nil : key)
    }
}

extension PluginValue {
    /// Texts as they are, for people.
    var words: String {
        if case .string(let text) = self { text } else { JSONWriter.text(self) }
    }

    /// For "not ...": texts in quotes, the rest by its kind where it is long.
    fileprivate var shown: String {
        switch self {
        case .null: "nothing"
        case .list: "a list"
        case .map: "a map"
        case .bool, .int, .double, .string: JSONWriter.text(self)
        }
    }
}
