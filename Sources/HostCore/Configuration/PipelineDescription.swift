/// One entry under `pipelines:`.
///
/// Two descriptions are equal when they ask for the same pipeline, wherever it is written: a reload compares them.
public struct PipelineDescription: Sendable, Equatable {
    public var name: String
    public var launch: LaunchDescription
    /// While the host is paused.
    public var background: BackgroundMode
    /// Nil: chosen by the kind of source.
    public var warmUp: WarmUp?
    public var onEOS: EndOfStreamPolicy
    /// Its name in the file.
    public var location: SourceSpan

    public init(
        name: String, launch: LaunchDescription, background: BackgroundMode = .stop, warmUp: WarmUp? = nil,
        onEOS: EndOfStreamPolicy = .stop, location: SourceSpan
    ) {
        self.name = name
        self.launch = launch
        self.background = background
        self.warmUp = warmUp
        self.onEOS = onEOS
        self.location = location
    }

    public static func == (left: PipelineDescription, right: PipelineDescription) -> Bool {
        left.name == right.name && left.launch == right.launch && left.background == right.background
            && left.warmUp == right.warmUp && left.onEOS == right.onEOS
    }
}
