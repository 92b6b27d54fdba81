/// What a plugin said against a config that it was shown.
public struct FakeRefusal: Equatable, Sendable {
    /// Its path, as in `inner.gain`; empty for all of it.
    public var key: String
    public var text: String

    public init(key: String, text: String) {
        self.key = key
        self.text = text
    }
}
