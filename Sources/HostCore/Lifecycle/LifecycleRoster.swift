/// Who takes part in the lifecycle, in order, and what each of them was told last: nobody is told half of a pair.
///
/// ```
///   joined ──▶ will-pause ──▶ did-pause ──▶ will-resume ──▶ did-resume
///                  ▲              │                             │
///                  └──────────────┴─────────────────────────────┘        (changed: between the pairs)
/// ```
struct LifecycleRoster<Member: Hashable & Sendable>: Sendable {
    /// What one that joins while the host runs is told at once.
    enum Welcome: Sendable, Equatable {
        /// What the host does now concerns those who were there before.
        case nothing
        case tell([LifecycleChange])
        /// It is asked like the others, in the round that is under way.
        case ask(LifecycleChange)
    }

    private(set) var members: [Member] = []
    private var last: [Member: LifecycleChange] = [:]

    mutating func add(_ member: Member) {
        if !members.contains(member) { members.append(member) }
    }

    mutating func remove(_ member: Member) {
        members.removeAll { $0 == member }
        last[member] = nil
    }

    /// Tells and asks in this order from the next change on.
    mutating func sort(by place: (Member) -> Int) {
        let places = members.map { (member: $0, place: place($0)) }
        // A stable sort: those without a place of their own keep theirs.
        members = places.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element.member)
    }

    /// Those who are told of a change, in order; from now on they have been.
    mutating func take(_ change: LifecycleChange) -> [Member] {
        let partners = members.filter { takes(change, after: last[$0]) }
        if change != .changed { for member in partners { last[member] = change } }
        return partners
    }

    /// Adds one that comes in the middle. It joins a pause at any point, and a resume at none: it was not paused.
    mutating func welcome(
        _ member: Member, in state: LifecycleStateMachine.State, told: DesiredState
    ) -> Welcome {
        add(member)
        switch state {
        case .asking(.willPause):
            last[member] = .willPause
            return .ask(.willPause)
        case .pausing:
            last[member] = .willPause
            return .tell([.willPause])
        case .paused, .adapting(isPaused: true):
            last[member] = .didPause
            return .tell([.willPause, .didPause])
        case .running, .asking, .resuming, .adapting(isPaused: false):
            return told.isEmpty ? .nothing : .tell([.changed])
        }
    }

    private func takes(_ change: LifecycleChange, after last: LifecycleChange?) -> Bool {
        switch change {
        case .willPause, .changed: true
        case .didPause: last == .willPause
        case .willResume: last == .didPause
        case .didResume: last == .willResume
        }
    }
}
