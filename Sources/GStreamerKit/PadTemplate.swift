/// A kind of pad that an element has or can have.
public struct PadTemplate: Sendable {
    public enum Direction: Sendable {
        case source
        case sink
    }

    public enum Presence: Sendable {
        case always
        /// It comes when the element knows its stream.
        case sometimes
        /// It is made when asked for.
        case request
    }

    /// `sink`, `src_%u`.
    public var name: String
    public var direction: Direction
    public var presence: Presence
    public var caps: Caps

    public init(name: String, direction: Direction, presence: Presence, caps: Caps) {
        self.name = name
        self.direction = direction
        self.presence = presence
        self.caps = caps
    }
}
