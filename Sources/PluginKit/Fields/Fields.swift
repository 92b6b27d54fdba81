/// The fields of a record, in the order of its initialiser's arguments: the one declaration behind schema, reading and
/// writing.
///
/// The compiler compares their types with the arguments. Two of one type, or of one and its optional, that stand in the wrong
/// order are found when the first value is read: where there are such, what the initialiser stored must be what each field
/// was given.
public struct Fields<Record>: Sendable {
    private struct Item: Sendable {
        let key: String
        let schema: FieldSchema
        let isRequired: Bool
        let hasOddDefault: Bool
        let value: @Sendable (Record) -> PluginValue
        let literal: @Sendable (Record) -> PluginValue
    }

    private let items: [Item]
    private let make: @Sendable (PluginValue) throws(FieldMismatch) -> Record

    /// - Parameter initializer: usually `Record.init`, the memberwise one. One of your own may refuse what does not go
    ///   together, and must store what it is given.
    public init<each Value: FieldValue>(
        _ initializer: @escaping @Sendable (repeat each Value) throws(PluginError) -> Record,
        _ field: repeat Field<Record, each Value>
    ) {
        var ofType: [ObjectIdentifier: Int] = [:]
        for type in repeat (each Value).self {
            // An initialiser that takes an optional takes what is none, too.
            let type: Any.Type = (type as? any OptionalValue.Type)?.wrapped ?? type
            ofType[ObjectIdentifier(type), default: 0] += 1
        }
        let hasTwins = ofType.values.contains { $0 > 1 }
        var items: [Item] = []
        for field in repeat each field {
            let path = field.path
            items.append(
                Item(
                    key: field.key, schema: field.schema, isRequired: field.isRequired,
                    hasOddDefault: field.hasOddDefault, value: { $0[keyPath: path].pluginValue },
                    literal: { $0[keyPath: path].literal }))
        }
        self.items = items
        make = { (map) throws(FieldMismatch) in
            let values = (repeat try (each field).read(map))
            let record: Record
            do throws(PluginError) {
                record = try initializer(repeat each values)
            } catch {
                throw FieldMismatch(record: error)
            }
            // Where each has a type of its own, the compiler has compared them all.
            guard hasTwins else { return record }
            for (field, value) in repeat (each field, each values) {
                if record[keyPath: field.path].pluginValue == value.pluginValue { continue }
                throw FieldMismatch(
                    "is not what \(Record.self) stored for it: its fields stand in another order than the arguments of "
                        + "its initialiser; this is a fault of the plugin"
                ).within(field.key)
            }
            return record
        }
    }

    var isEmpty: Bool { items.isEmpty }

    /// What is wrong with the declaration itself.
    var fault: String? {
        for (index, item) in items.enumerated() {
            if items[..<index].contains(where: { $0.key == item.key }) {
                return "key \"\(item.key)\" is declared twice"
            }
            if item.hasOddDefault { return "the default of key \"\(item.key)\" is not a finite number" }
        }
        return nil
    }

    var schema: FieldSchema {
        .record(
            items.map { .init($0.key, .map($0.schema.members)) }, required: items.filter(\.isRequired).map(\.key))
    }

    /// For the host: JSON Schema, or `nil` where there are no fields.
    var schemaText: String? { isEmpty ? nil : schema.json }

    func read(_ value: PluginValue) throws(FieldMismatch) -> Record {
        switch value {
        case .map, .null: try make(value)
        default: throw FieldMismatch(expected: "a map", found: value)
        }
    }

    func members(of record: Record, asLiterals: Bool = false) -> [PluginValue.Member] {
        items.compactMap { item in
            let value = asLiterals ? item.literal(record) : item.value(record)
            return value == .null ? nil : .init(item.key, value)
        }
    }
}
