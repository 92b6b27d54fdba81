/// One `key: value` of a map.
public struct YAMLEntry: Sendable, Equatable {
    public var key: String
    public var keySpan: SourceSpan
    public var value: YAMLNode

    public init(key: String, keySpan: SourceSpan, value: YAMLNode) {
        self.key = key
        self.keySpan = keySpan
        self.value = value
    }

    /// Positions do not count.
    public static func == (left: YAMLEntry, right: YAMLEntry) -> Bool {
        left.key == right.key && left.value == right.value
    }
}
