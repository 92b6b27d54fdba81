/// One field of a record: its key, where it is kept, and what people are told about it.
///
/// Its type decides what users may write. It is required unless it has a default or is an optional.
public struct Field<Root, Value: FieldValue>: Sendable {
    let key: String
    let path: any KeyPath<Root, Value> & Sendable
    let schema: FieldSchema
    let isRequired: Bool
    /// Whether it is, or has in it, a number that no schema can show and no user can write.
    let hasOddDefault: Bool
    private let fallback: Value?
    private let limits: Limits<Value.Bound>?

    /// - Parameters:
    ///   - key: lower case, with dashes between words in settings and parameters and underscores in results.
    ///   - value: shown as users write it; quantities get their unit.
    ///   - limits: of a list, those of each element.
    ///   - summary: one line, without a full stop.
    public init(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, default value: Value? = nil,
        limits: Limits<Value.Bound>? = nil, _ summary: String
    ) {
        self.init(key, path, value, limits, summary, reserves: false)
    }

    /// A required or optional one whose schema says something more.
    init(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, _ summary: String, keyword: String,
        _ meaning: PluginValue
    ) {
        self.init(key, path, nil, nil, summary, reserves: false, (keyword, meaning))
    }

    private init(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, _ value: Value?, _ limits: Limits<Value.Bound>?,
        _ summary: String, reserves: Bool, _ more: (keyword: String, meaning: PluginValue)? = nil
    ) {
        self.key = key
        self.path = path
        self.limits = limits
        fallback = value ?? Value.valueIfAbsent
        isRequired = fallback == nil
        hasOddDefault = value?.pluginValue.isFinite == false
        var schema = Value.fieldSchema(within: limits)
        if reserves { schema.add("x-reserves", true) }
        if let more { schema.add(more.keyword, more.meaning) }
        if let value { schema.add("default", value.literal) }
        if !summary.isEmpty { schema.add("description", .string(summary)) }
        self.schema = schema
    }

    func read(_ map: PluginValue) throws(FieldMismatch) -> Value {
        do throws(FieldMismatch) {
            switch map[key] {
            case nil, .null?:
                guard let fallback else { throw FieldMismatch("is missing") }
                return fallback
            case let given?:
                let value = try Value.read(given)
                try limits?.check(value.limitedValues)
                return value
            }
        } catch {
            throw error.within(key)
        }
    }
}

extension Field where Value == ByteSize {
    /// - Parameter reserves: whether the plugin takes that much of the board's memory for good. The host adds up all of
    ///   them before anything starts, and refuses a config that wants more than there is.
    public init(
        _ key: String, _ path: any KeyPath<Root, ByteSize> & Sendable, default value: ByteSize? = nil,
        limits: Limits<ByteSize>? = nil, reserves: Bool, _ summary: String
    ) {
        self.init(key, path, value, limits, summary, reserves: reserves)
    }
}
