public import GStreamerKit

/// One entry under `pipelines:`.
///
/// Two descriptions are equal when they ask for the same pipeline, wherever it is written: a reload compares them.
public struct PipelineDescription: Sendable, Equatable {
    public var name: String
    public var launch: LaunchDescription
    /// Whether it starts with the host.
    public var autostart = true
    /// While the host is paused, locked, asleep.
    public var background: BackgroundPolicy
    /// Nil: chosen by the kind of source.
    public var warmUp: WarmUp?
    public var onEOS: EndOfStreamPolicy
    /// Nil: it stays failed.
    public var restart: RestartPolicy?
    /// No buffer for this long is a stall; nil: never.
    public var stallTimeout: ClockTime? = PipelineDescription.defaultStallTimeout
    /// From a start to the first buffer of everything it carries; nil: without a limit.
    public var startTimeout: ClockTime? = PipelineDescription.defaultStartTimeout
    /// The pipeline's latency; nil: what its elements ask for.
    public var latency: ClockTime?
    /// In the order of the file.
    public var properties: [PropertySetting] = []
    /// What the control API may set while it runs.
    public var settable: [PropertyPath] = []
    /// Its name in the file.
    public var location: SourceSpan

    public static let defaultStallTimeout = ClockTime.seconds(10)
    public static let defaultStartTimeout = ClockTime.seconds(20)

    public init(
        name: String, launch: LaunchDescription, background: BackgroundPolicy = BackgroundPolicy(),
        warmUp: WarmUp? = nil,
        onEOS: EndOfStreamPolicy = .stop, restart: RestartPolicy? = nil, location: SourceSpan
    ) {
        self.name = name
        self.launch = launch
        self.background = background
        self.warmUp = warmUp
        self.onEOS = onEOS
        self.restart = restart
        self.location = location
    }

    public static func == (left: PipelineDescription, right: PipelineDescription) -> Bool {
        left.buildsTheSame(as: right) && left.autostart == right.autostart && left.background == right.background
            && left.onEOS == right.onEOS && left.restart == right.restart && left.stallTimeout == right.stallTimeout
            && left.startTimeout == right.startTimeout && left.settable == right.settable
    }

    /// Whether a running pipeline of one is a running pipeline of the other: what differs is only how it is looked after.
    public func buildsTheSame(as other: PipelineDescription) -> Bool {
        name == other.name && launch == other.launch && warmUp == other.warmUp && latency == other.latency
            && properties == other.properties
    }
}
