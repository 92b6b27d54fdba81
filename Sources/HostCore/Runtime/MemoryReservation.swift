/// Memory that a plugin takes for good when it starts: a ring, a cache. Its schema says which key it stands in
/// (`"x-reserves": true`).
public struct MemoryReservation: Sendable, Equatable {
    /// The instance.
    public var owner: String
    /// "memory"
    public var key: String
    public var bytes: Int64
    /// The key's value in the file, or the instance's name where the default holds.
    public var span: SourceSpan?
    /// The user left the key out.
    public var isDefault: Bool

    public init(owner: String, key: String, bytes: Int64, span: SourceSpan?, isDefault: Bool) {
        self.owner = owner
        self.key = key
        self.bytes = bytes
        self.span = span
        self.isDefault = isDefault
    }
}
