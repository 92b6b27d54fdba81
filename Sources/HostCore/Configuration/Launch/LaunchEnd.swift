/// What a link begins or ends at.
public struct LaunchEnd: Sendable {
    /// Indices of the lists of `LaunchDescription`.
    public enum Node: Sendable, Equatable {
        case element(Int)
        case reference(Int)
        case uri(Int)
    }

    public struct Pad: Sendable {
        public var name: String
        public var span: SourceSpan
    }

    public var node: Node
    /// None: GStreamer chooses.
    public var pads: [Pad] = []
}
