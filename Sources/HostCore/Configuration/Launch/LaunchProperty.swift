/// One `key=value` of a launch text.
public struct LaunchProperty: Sendable {
    public var key: String
    public var keySpan: SourceSpan
    /// Without its quotes and backslashes.
    public var value: String
    public var valueSpan: SourceSpan
    /// In the bytes of the launch text, quotes included.
    var valueRange: Range<Int>
}
