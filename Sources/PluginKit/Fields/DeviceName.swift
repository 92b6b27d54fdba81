/// A device, as its driver's element names it: `/dev/video0`, `hw:1`. The API never changes it: only the config may say it.
public struct DeviceName: TextFieldValue, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.init(text: text) }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text("device") }

    public var description: String { text }
}
