/// Where a client begins.
enum StreamStart: Sendable, Equatable {
    /// With what comes next.
    case now
    /// With the oldest that the host remembers.
    case oldest
    /// With the last few that pass its filter.
    case last(Int)
    /// Behind what it has seen.
    case after(StreamPosition)
}
