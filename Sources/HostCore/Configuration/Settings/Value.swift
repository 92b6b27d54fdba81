/// A tree of plain data: config after its units are resolved, command parameters, replies, event payloads, API bodies.
///
/// Maps keep the order of their keys, so what a user wrote comes back in the order it was written.
public indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case list([Value])
    case map([Member])

    /// One key of a map and what it holds.
    public struct Member: Sendable, Equatable {
        public var key: String
        public var value: Value

        public init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The member of a map, or nil where this is no map or has no such key.
    public subscript(key: String) -> Value? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var int: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    /// The number, integers included.
    public var double: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }

    public var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    public var list: [Value]? {
        if case .list(let items) = self { items } else { nil }
    }

    public var members: [Member]? {
        if case .map(let members) = self { members } else { nil }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int64) { self = .int(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    public init(dictionaryLiteral elements: (String, Value)...) { self = .map(elements.map { Member($0.0, $0.1) }) }
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
}

extension Value {
    /// A map of texts, by their keys' order.
    package init(texts: [String: String]) {
        self = .map(texts.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }
}
