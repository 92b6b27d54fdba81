/// A text that does not have the form of a path to a pad or an element.
public struct PathError: Error, Equatable {
    public var text: String
    /// The form it should have, with an example.
    public var form: String

    public var message: String { "\(quoted(text)) is not of the form \(form)" }
}
