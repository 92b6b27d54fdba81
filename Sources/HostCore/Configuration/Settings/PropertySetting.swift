/// A value that wins over the one in the launch text: one entry under `properties:`.
///
/// Two settings are equal when they set the same, wherever they are written.
public struct PropertySetting: Sendable, Equatable {
    public var path: PropertyPath
    /// As a launch text would say it.
    public var value: String
    /// The value in the file.
    public var span: SourceSpan

    public init(_ path: PropertyPath, to value: String, span: SourceSpan) {
        self.path = path
        self.value = value
        self.span = span
    }

    public static func == (left: PropertySetting, right: PropertySetting) -> Bool {
        left.path == right.path && left.value == right.value
    }
}
