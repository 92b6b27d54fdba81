extension Bool: FieldValue {
    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .boolean }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Bool {
        guard case .bool(let flag) = value else { throw FieldMismatch(expected: "true or false", found: value) }
        return flag
    }

    public var pluginValue: PluginValue { .bool(self) }
}

extension Double: FieldValue {
    public typealias Bound = Double

    public static func fieldSchema(within limits: Limits<Double>?) -> FieldSchema { .number.limited(limits) }

    /// Whole numbers read as doubles, too.
    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Double {
        switch value {
        case .double(let number) where number.isFinite: return number
        case .int(let number): return Double(number)
        default: throw FieldMismatch(expected: "a number", found: value)
        }
    }

    public var pluginValue: PluginValue { .double(self) }
    public var limitedValues: [Double] { [self] }
}

extension String: FieldValue {
    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> String {
        guard case .string(let text) = value else { throw FieldMismatch(expected: "a text", found: value) }
        return text
    }

    public var pluginValue: PluginValue { .string(self) }
}

/// `500ms` for the user, nanoseconds for the host.
extension Duration: FieldValue {
    public typealias Bound = Duration

    public static func fieldSchema(within limits: Limits<Duration>?) -> FieldSchema { .duration.limited(limits) }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Duration {
        guard case .int(let number) = value else { throw FieldMismatch(expected: "a duration", found: value) }
        return .nanoseconds(number)
    }

    public var pluginValue: PluginValue { .duration(self) }

    public var literal: PluginValue {
        let number = wholeNanoseconds
        let units: [(String, Int64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000)]
        let unit = units.first { number % $0.1 == 0 } ?? ("ns", 1)
        return .string("\(number / unit.1)\(unit.0)")
    }

    public var limitedValues: [Duration] { [self] }
}
