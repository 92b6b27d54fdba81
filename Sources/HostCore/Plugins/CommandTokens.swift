internal import PluginABI

/// Which commands of one instance may still be answered.
struct CommandTokens: Sendable {
    /// What an answer is to the host.
    enum Answer: Sendable, Equatable {
        case wanted
        /// The host gave up before; the plugin owes this answer all the same.
        case late
        /// The second answer, or to a token that it was never given.
        case unasked
    }

    /// How many that were given up are remembered; an answer to an older one is taken for a second one.
    static let mostGivenUp = 256

    private var open: Set<mh_token> = []
    private var givenUp: Set<mh_token> = []

    mutating func open(_ token: mh_token) { open.insert(token) }

    func isOpen(_ token: mh_token) -> Bool { open.contains(token) }

    mutating func answer(_ token: mh_token) -> Answer {
        if open.remove(token) != nil { return .wanted }
        return givenUp.remove(token) != nil ? .late : .unasked
    }

    /// No answer to it counts any more. True where none had come.
    mutating func giveUp(_ token: mh_token) -> Bool {
        guard open.remove(token) != nil else { return false }
        // Tokens count up: the smallest is the oldest.
        if givenUp.count == Self.mostGivenUp, let oldest = givenUp.min() { givenUp.remove(oldest) }
        givenUp.insert(token)
        return true
    }
}
