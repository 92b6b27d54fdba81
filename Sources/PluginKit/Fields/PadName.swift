/// A pad of the config, `pipeline/element.pad`; the host checks that it is there.
public struct PadName: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("pad") }

    public var description: String { text }
}
