/// A tree of plain values, as the payload of an event. Settings, parameters and results are one, too, behind their records.
///
/// What comes from the host is copied whole when the call begins, so a plugin may keep any part for as long as it likes.
/// Units are resolved by the host: durations are nanoseconds, sizes are bytes. Written as literals on the way out:
///
/// ```swift
/// try host.post("saved", ["path": .string(path), "frames": .count(frames), "tags": ["a", "b"]])
/// ```
public enum PluginValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case list([PluginValue])
    case map([Member])

    /// One entry of a map; maps keep their order.
    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: PluginValue

        public init(_ key: String, _ value: PluginValue) {
            self.key = key
            self.value = value
        }
    }

    /// A whole number of any width; one that does not fit becomes the nearest bound.
    public static func count(_ value: some BinaryInteger) -> PluginValue { .int(Int64(clamping: value)) }

    /// Whether no number in it is infinite or none at all.
    var isFinite: Bool {
        switch self {
        case .double(let number): number.isFinite
        case .list(let items): items.allSatisfy(\.isFinite)
        case .map(let members): members.allSatisfy(\.value.isFinite)
        default: true
        }
    }

    /// Nanoseconds, as `format: duration` of a schema.
    public static func duration(_ value: Duration) -> PluginValue { .int(value.wholeNanoseconds) }
}

extension PluginValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: PluginValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, PluginValue)...) { self = .map(elements.map { Member($0, $1) }) }
}
