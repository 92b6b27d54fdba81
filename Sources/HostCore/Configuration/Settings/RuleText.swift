/// A text of a rule that may hold fields of the event it fires for: `motion in $(payload.zone)`.
///
/// `$(` cannot be mistaken for a variable of the file, which is `${`, and is filled in each time the rule fires. A literal
/// `$(` is written `$$(`.
struct RuleText: Sendable, Equatable {
    /// What of the event is put in.
    enum Field: Sendable, Equatable {
        case name, source, sequence, rule
        /// The whole payload, or the field that keys joined with dots lead to.
        case payload(String?)

        init?(_ text: String) {
            switch text {
            case "name": self = .name
            case "source": self = .source
            case "sequence": self = .sequence
            case "rule": self = .rule
            case "payload": self = .payload(nil)
            default:
                let path = text.dropFirst("payload.".utf8.count)
                guard text.hasPrefix("payload."), !path.isEmpty,
                    path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
                else { return nil }
                self = .payload(String(path))
            }
        }

        static let examples = ["name", "source", "sequence", "rule", "payload", "payload.KEY"]
    }

    enum Part: Sendable, Equatable {
        case text(String)
        case field(Field)
    }

    /// What is wrong with one.
    struct Invalid: Error {
        var message: String
        var help: String
        var suggestion: String?
    }

    /// A field that the event does not have.
    struct Missing: Error {
        var field: String
    }

    /// As it was written.
    let text: String
    private let parts: [Part]

    init(_ text: String) throws(Invalid) {
        self.text = text
        var parts: [Part] = []
        var literal: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: "$$(".utf8) {
                literal += Array("$(".utf8)
                index += 3
            } else if bytes[index...].starts(with: "$(".utf8) {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ")")) else {
                    throw Invalid(message: "\"$(\" is never closed", help: "write $(FIELD), or $$( for a literal $(")
                }
                let name = String(decoding: bytes[index + 2..<close], as: UTF8.self)
                guard let field = Field(name) else {
                    throw Invalid(
                        message: "an event has no field \(quoted(name))",
                        help: "fields: \(Field.examples.joined(separator: ", "))",
                        suggestion: Suggestion.nearest(to: name, among: Field.examples.dropLast()))
                }
                if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
                literal = []
                parts.append(.field(field))
                index = close + 1
            } else {
                literal.append(bytes[index])
                index += 1
            }
        }
        if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
        self.parts = parts
    }

    /// The same for every event; nil where that is not so.
    var constant: String? {
        var result = ""
        for part in parts {
            guard case .text(let text) = part else { return nil }
            result += text
        }
        return result
    }

    /// The fields of the payload that it needs, with keys of inner maps behind dots.
    var payloadFields: [String] {
        parts.compactMap { part in
            if case .field(.payload(let path?)) = part { path } else { nil }
        }
    }

    /// With the fields of an event. A field that stands alone keeps its type, a map included.
    func filled(from event: Event, rule: String) throws(Missing) -> Value {
        if case .field(let field)? = parts.first, parts.count == 1 { return try Self.value(of: field, event, rule) }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .field(let field): result += try Self.value(of: field, event, rule).plainText
            }
        }
        return .string(result)
    }

    private static func value(of field: Field, _ event: Event, _ rule: String) throws(Missing) -> Value {
        switch field {
        case .name: return .string(event.name)
        case .source: return .string(event.source)
        case .sequence: return .int(Int64(clamping: event.sequence))
        case .rule: return .string(rule)
        case .payload(nil): return event.payload
        case .payload(let path?):
            guard let value = event.payload.field(path) else { throw Missing(field: "payload.\(path)") }
            return value
        }
    }
}
