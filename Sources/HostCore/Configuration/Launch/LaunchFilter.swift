/// Caps between two link signs.
public struct LaunchFilter: Sendable {
    public var caps: String
    public var span: SourceSpan
    /// In the bytes of the launch text.
    var range: Range<Int>
}
