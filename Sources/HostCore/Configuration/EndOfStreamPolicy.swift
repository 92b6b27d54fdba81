/// What happens when a pipeline has played to its end.
public enum EndOfStreamPolicy: String, Sendable, CaseIterable {
    /// The pipeline stops; the others go on.
    case stop
    /// The host ends.
    case exit
}
