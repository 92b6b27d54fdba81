/// Whole numbers. One narrower than 64 bits brings its own limits into the schema, so nothing arrives cut off.
extension FieldValue where Self: FixedWidthInteger {
    public static func fieldSchema(within limits: Limits<Self>?) -> FieldSchema {
        var limits = limits ?? Limits()
        if Int64(exactly: Self.min) != .min { limits.least = limits.least ?? .min }
        if Int64(clamping: Self.max) != .max { limits.most = limits.most ?? .max }
        return .integer.limited(limits)
    }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Self {
        guard case .int(let number) = value else { throw FieldMismatch(expected: "a whole number", found: value) }
        guard let fitting = Self(exactly: number) else {
            throw FieldMismatch(expected: "a whole number from \(Self.min) to \(Self.max)", found: value)
        }
        return fitting
    }

    public var pluginValue: PluginValue { .count(self) }
    public var limitedValues: [Self] { [self] }
}

extension Int: FieldValue { public typealias Bound = Int }
extension Int32: FieldValue { public typealias Bound = Int32 }
extension Int64: FieldValue { public typealias Bound = Int64 }
extension UInt8: FieldValue { public typealias Bound = UInt8 }
extension UInt16: FieldValue { public typealias Bound = UInt16 }
extension UInt32: FieldValue { public typealias Bound = UInt32 }
