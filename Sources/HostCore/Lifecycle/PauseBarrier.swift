/// One round of asking: who was asked, who has answered, who is late. The decision without threads or time.
///
/// A round is over when everybody has answered or was given up. Answers after that are counted, not followed.
struct PauseBarrier<Participant: Hashable & Sendable>: Sendable {
    /// What an answer was worth.
    enum Answer: Equatable {
        case accepted
        /// Second answer, after the deadline, or from somebody who was not asked.
        case ignored
    }

    private(set) var waiting: Set<Participant>

    init(asking participants: some Sequence<Participant>) { waiting = Set(participants) }

    var isOver: Bool { waiting.isEmpty }

    mutating func answer(_ participant: Participant) -> Answer {
        waiting.remove(participant) == nil ? .ignored : .accepted
    }

    /// One more is asked in this round.
    mutating func ask(_ participant: Participant) { waiting.insert(participant) }

    /// Gives up one participant: its deadline has passed, or it is gone. True where it was still waited for.
    mutating func giveUp(_ participant: Participant) -> Bool { waiting.remove(participant) != nil }
}
