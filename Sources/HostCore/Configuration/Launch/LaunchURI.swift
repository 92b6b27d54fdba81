/// A URI of a launch text that stands for a source or a sink.
public struct LaunchURI: Sendable {
    public var text: String
    public var span: SourceSpan
    /// Whether it ends its chain.
    public var isSink: Bool
}
