/// May be left out.
extension Optional: FieldValue where Wrapped: FieldValue {
    public typealias Bound = Wrapped.Bound

    public static func fieldSchema(within limits: Limits<Bound>?) -> FieldSchema {
        Wrapped.fieldSchema(within: limits)
    }

    public static var valueIfAbsent: Wrapped?? { .some(nil) }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Wrapped? {
        if case .null = value { return nil }
        return try Wrapped.read(value)
    }

    /// Nothing is left out of a map, too.
    public var pluginValue: PluginValue { self?.pluginValue ?? .null }
    public var literal: PluginValue { self?.literal ?? .null }
    public var limitedValues: [Bound] { self?.limitedValues ?? [] }
}

/// An optional, whatever it is one of.
protocol OptionalValue {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
    static var wrapped: Any.Type { Wrapped.self }
}

/// Limits apply to each element.
extension Array: FieldValue where Element: FieldValue {
    public typealias Bound = Element.Bound

    public static func fieldSchema(within limits: Limits<Bound>?) -> FieldSchema {
        .list(of: Element.fieldSchema(within: limits))
    }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> [Element] {
        guard case .list(let items) = value else { throw FieldMismatch(expected: "a list", found: value) }
        var elements: [Element] = []
        elements.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do throws(FieldMismatch) {
                elements.append(try Element.read(item))
            } catch {
                throw error.within("[\(index)]")
            }
        }
        return elements
    }

    public var pluginValue: PluginValue { .list(map(\.pluginValue)) }
    public var literal: PluginValue { .list(map(\.literal)) }
    public var limitedValues: [Bound] { flatMap(\.limitedValues) }
}
