extension Duration {
    /// Of the spans that tests have, a few years at most.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
