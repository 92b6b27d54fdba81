/// A text of a form of its own. Two members make a type a field can have:
///
/// ```swift
/// struct Resolution: TextFieldValue {
///     let width, height: Int
///     var text: String { "\(width)x\(height)" }
///
///     init(text: String) throws(FieldMismatch) {
///         let parts = text.split(separator: "x")
///         guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
///             throw FieldMismatch("must be WIDTHxHEIGHT, as in 1280x720")
///         }
///         (self.width, self.height) = (width, height)
///     }
/// }
/// ```
/// The host knows nothing of the form: what is wrong with a text is found when the plugin starts, or when the command does.
public protocol TextFieldValue: FieldValue where Bound == Never {
    /// The text for which `init(text:)` makes the same value.
    var text: String { get }

    init(text: String) throws(FieldMismatch)
}

extension TextFieldValue {
    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { .text }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Self {
        guard case .string(let text) = value else { throw FieldMismatch(expected: "a text", found: value) }
        return try Self(text: text)
    }

    public var pluginValue: PluginValue { .string(text) }
}
