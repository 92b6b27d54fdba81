/// One element or bin of a launch text.
public struct LaunchElement: Sendable {
    /// `x264enc`; `bin` for `( ... )`.
    public var factory: String
    public var factorySpan: SourceSpan
    /// What `name=` says, or nil.
    public var name: String?
    public var nameSpan: SourceSpan?
    /// In the order written, `name` included.
    public var properties: [LaunchProperty]
    /// Whether it holds other elements: `bin.( ... )`.
    public var isBin: Bool
    /// The byte of the launch text behind which a name can be put in.
    var nameOffset: Int
}
