/// A part of a stream that its client will not see.
struct StreamGap: Sendable, Equatable {
    enum Reason: String, Sendable {
        /// The client reads slower than things happen.
        case slow
        /// It was away for longer than the host remembers.
        case expired
        /// The host was started anew meanwhile.
        case restart
        /// It says that it has seen what has not happened yet: the number is none that this host has sent.
        case unknown
    }

    var reason: Reason
    /// How many of those the client wanted; nil where nobody can know any more.
    var lost: UInt64?
}
