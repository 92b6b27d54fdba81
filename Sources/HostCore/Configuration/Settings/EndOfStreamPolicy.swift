/// What happens when a pipeline has played to its end.
public enum EndOfStreamPolicy: String, Sendable, CaseIterable {
    /// The pipeline stops; the others go on.
    case stop
    /// It plays again from the beginning, without a gap where its source can seek.
    case loop
    /// It is built anew and plays again.
    case restart
    /// The host ends.
    case exit
}
