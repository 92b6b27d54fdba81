/// A URI: where media come from or go to. The API never changes it: only the config may say it.
public struct ResourceAddress: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("uri") }

    public var description: String { text }
}
