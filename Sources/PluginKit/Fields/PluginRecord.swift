/// A struct whose fields users see: the settings of a plugin, the parameters of a command, its result, an event's payload.
///
/// Each field is declared once. What the host checks, what `mediahost plugin info` and `mediahost commands` show and what
/// the struct holds all come from there:
///
/// ```swift
/// struct Settings: PluginRecord {
///     let video: PadName
///     let window: Duration
///     let label: String?
///
///     static let fields = Fields(
///         Settings.init,
///         Field("video", \.video, "The pad whose video is kept"),
///         Field("window", \.window, default: .seconds(60), limits: .atLeast(.seconds(1)), "How much is kept"),
///         Field("label", \.label, "Written into each clip"))
/// }
/// ```
/// `video` must be given, `window` has a default, `label` may be left out. A record can be a field of another
/// one, not of itself.
public protocol PluginRecord: FieldValue where Bound == Never {
    static var fields: Fields<Self> { get }
}

extension PluginRecord {
    /// What a tree from the host says, say the payload of an event.
    /// - Throws: names the key and what was expected there.
    public static func decode(_ value: PluginValue) throws(PluginError) -> Self {
        do throws(FieldMismatch) {
            return try fields.read(value)
        } catch {
            throw error.error
        }
    }

    public static func fieldSchema(within limits: Limits<Never>?) -> FieldSchema { fields.schema }

    /// A record can be left out where each of its fields can.
    public static var valueIfAbsent: Self? { try? fields.read(.map([])) }

    public static func read(_ value: PluginValue) throws(FieldMismatch) -> Self { try fields.read(value) }

    /// A map; fields that hold nothing are left out.
    public var pluginValue: PluginValue { .map(Self.fields.members(of: self)) }
    public var literal: PluginValue { .map(Self.fields.members(of: self, asLiterals: true)) }
}
