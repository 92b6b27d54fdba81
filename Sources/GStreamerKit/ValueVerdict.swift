/// What becomes of a text that is set as the value of a property.
public enum ValueVerdict: Sendable, Equatable {
    case taken
    /// It cannot be read as a value of that type.
    case unreadable
    /// It can be read, and the property would silently keep another value.
    case outOfRange
}
