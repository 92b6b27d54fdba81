/// A password or token. It is never shown: not by the host, and here only by `text`.
public struct Secret: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The secret itself. Not for logs, results or events.
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("secret") }

    public var description: String { "***" }
}

extension Secret: CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }

    /// `dump` and the description of a struct around it look here.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
