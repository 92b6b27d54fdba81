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
    public var presets: [LaunchPreset] = []
    /// Whether it holds other elements: `bin.( ... )`.
    public var isBin: Bool
    /// The bin it is written in: an index of `LaunchDescription.elements`.
    public var bin: Int?
    /// The byte of the launch text behind which a name can be put in.
    var nameOffset: Int
}
