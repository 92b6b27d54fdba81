/// Whether the host looks after the machine's audio outputs.
public struct OutputSettings: Sendable, Equatable {
    public enum Watch: String, Sendable, CaseIterable {
        /// Where a pipeline plays to one.
        case auto
        case on
        case off
    }

    public var watch = Watch.auto
    /// The name of the one that must be there; nil: any.
    public var device: String?

    public init() {}
}
