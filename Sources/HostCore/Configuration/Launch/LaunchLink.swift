/// One link of a launch text.
public struct LaunchLink: Sendable {
    public var source: LaunchEnd
    public var sink: LaunchEnd
    /// The `!` or `:` behind the source.
    public var sign: SourceSpan
    /// The one before the sink: the same where there is no filter.
    public var lastSign: SourceSpan
    /// The caps between its two signs: an index of `LaunchDescription.filters`.
    public var filter: Int?
    /// `:` links every pair of pads that fits, also pads that come later.
    public var linksAllPads: Bool
    /// The bin it is written in: an index of `LaunchDescription.elements`.
    var bin: Int?
}
