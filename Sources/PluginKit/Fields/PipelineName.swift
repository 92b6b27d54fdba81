/// A pipeline of the config; the host checks that it is there.
public struct PipelineName: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("pipeline") }

    public var description: String { text }
}
