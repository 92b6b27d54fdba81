/// A file or directory. The command line makes a relative one absolute, because it stands elsewhere than the host.
public struct PathName: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("path") }

    public var description: String { text }
}
