/// Typed reading of one member, say of an event's payload; `nil` where there is none of that type. A record that has them
/// all is read by `PluginRecord.decode`.
extension PluginValue {
    /// The member of a map.
    public subscript(key: String) -> PluginValue? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    public func bool(_ key: String) -> Bool? {
        guard case .bool(let value)? = self[key] else { return nil }
        return value
    }

    public func int(_ key: String) -> Int64? {
        guard case .int(let value)? = self[key] else { return nil }
        return value
    }

    /// Whole numbers read as doubles, too.
    public func double(_ key: String) -> Double? {
        switch self[key] {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    public func string(_ key: String) -> String? {
        guard case .string(let value)? = self[key] else { return nil }
        return value
    }

    public func list(_ key: String) -> [PluginValue]? {
        guard case .list(let value)? = self[key] else { return nil }
        return value
    }

    /// `format: duration`.
    public func duration(_ key: String) -> Duration? { int(key).map { .nanoseconds($0) } }

    /// `format: size`, in bytes; one that does not fit this machine reads as the largest.
    public func size(_ key: String) -> Int? { int(key).map { Int(clamping: $0) } }
}
