/// An element of the config, `pipeline/element`; the host checks that it is there.
public struct ElementName: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("element") }

    public var description: String { text }
}
