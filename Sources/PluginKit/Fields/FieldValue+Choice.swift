/// A choice: the raw values of an enum are what users write.
extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema {
        .choice(of: allCases.map(\.rawValue))
    }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Self {
        guard case .string(let text) = value, let choice = Self(rawValue: text) else {
            let known = allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw FieldMismatch(expected: allCases.count == 1 ? known : "one of \(known)", found: value)
        }
        return choice
    }

    public var pluginValue: PluginValue { .string(rawValue) }
}
