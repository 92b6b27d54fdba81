/// When a pipeline's pictures are taken out and put back: the decisions, without a pipeline.
///
/// ```
///            wants audio        all streams idle         ended
///   shown ───────────────▶ hiding ──────────────▶ ending ─────▶ hidden
///     ▲ ◀────────────────────┘ wants video                        │ wants video
///     └───────────────────────── showing ◀────────────────────────┘
///                    up
/// ```
/// The mode that is wanted is a level: it may change at any time, and is followed from the next place where it can be. What
/// plays no more has nothing to hide; the next one that plays begins in `shown`.
struct MediaModeMachine: Sendable {
    enum State: Sendable, Equatable {
        /// Nothing plays, or it has nothing that can be hidden.
        case absent
        case shown
        /// Until these streams are idle.
        case hiding(Set<Int>)
        case ending
        case hidden
        case showing
    }

    enum Event: Sendable, Equatable {
        case wants(MediaMode)
        /// So many streams of it can be hidden. By now it may stand still again.
        case plays(streams: Int)
        /// It plays, for the first time, after `stands`, or once more.
        case moves
        /// It plays to its end.
        case drains
        /// It is about to stand still: what is on its way to a sink stays there, and nothing can be hidden.
        case stands
        /// It is about to go.
        case goes
        /// Since the `hide` of that number.
        case idle(Int, round: Int)
        /// Those that are not idle may wait for this one, which is.
        case give(Int)
        /// What shows does not end, or begin: one of the sinks hangs in that, perhaps for ever.
        case hangs
        /// What shows was ended.
        case ended
        /// What shows was made ready.
        case up
        /// The decoder of a stream has nothing that is needed.
        case due(Int, round: Int)
        /// A hidden stream is at its end.
        case end(Int)
        /// A seek has made that end void.
        case goesOn(Int)
    }

    enum Action: Sendable, Equatable {
        /// Numbered.
        case hide(Int)
        /// One buffer more of a stream; it is idle once more after it, in the same round.
        case giveOne(Int, round: Int)
        case end
        case endDecoder(Int)
        case show
        /// Streams, each by a worker of its own.
        case feed
        case postEndOfStream
        /// What is wanted is so.
        case settled
    }

    private(set) var state = State.absent
    private(set) var wanted = MediaMode.video
    private var isMoving = false
    private var streams = 0
    /// Of the last `hide`.
    private var round = 0
    private var over: Set<Int> = []
    private var due: Set<Int> = []
    /// What shows is being ended or made ready, and hangs in that.
    private(set) var hangs = false

    /// Whether all that can be hidden is, and has come to its end.
    var isOver: Bool { state != .absent && over.count == streams }

    /// Whether elements change their states for it.
    var isChanging: Bool { state == .ending || state == .showing }

    var isHiding: Bool { if case .hiding = state { true } else { false } }

    /// Those that are idle while it hides.
    var resting: Set<Int> {
        guard case .hiding(let waiting) = state else { return [] }
        return Set(0..<streams).subtracting(waiting)
    }

    /// What it presents now, as far as it plays.
    var mode: MediaMode {
        switch state {
        case .ending, .hidden: .audio
        case .absent, .shown, .hiding, .showing: .video
        }
    }

    var isSettled: Bool {
        switch state {
        case .absent: true
        case .shown: wanted == .video || !isMoving
        case .hidden: wanted == .audio
        case .hiding, .ending, .showing: false
        }
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .wants(let mode):
            wanted = mode
            // Nothing plays: it is so from the next start on.
            return state == .absent ? [.settled] : pursue()
        case .plays(let count):
            guard state == .absent, count > 0 else { return [] }
            (state, streams, over, due) = (.shown, count, [], [])
            return pursue()
        case .moves:
            isMoving = true
            let next = pursue()
            // On its way through PAUSED a pipeline forgets who was over; who plays says so once more.
            return next + afterEnd()
        case .drains: return afterEnd()
        case .stands:
            isMoving = false
            guard case .hiding = state else { return pursue() }
            state = .shown
            return [.feed] + pursue()
        case .goes:
            (state, isMoving, hangs) = (.absent, false, false)
            return [.settled]
        case .idle(let number, let round):
            guard case .hiding(var waiting) = state, round == self.round else { return [] }
            waiting.remove(number)
            guard waiting.isEmpty else {
                state = .hiding(waiting)
                return []
            }
            state = .ending
            return [.end]
        case .give(let number):
            guard case .hiding(var waiting) = state, resting.contains(number) else { return [] }
            waiting.insert(number)
            state = .hiding(waiting)
            return [.giveOne(number, round: round)]
        case .hangs:
            guard isChanging else { return [] }
            hangs = true
            return afterEnd()
        case .ended:
            guard state == .ending else { return [] }
            (state, hangs) = (.hidden, false)
            let decoders = due.sorted().map { Action.endDecoder($0) }
            due = []
            return decoders + afterEnd() + pursue()
        case .up:
            guard state == .showing else { return [] }
            (state, hangs) = (.shown, false)
            return [.feed] + pursue()
        case .due(let number, let round):
            guard round == self.round else { return [] }
            switch state {
            case .hidden: return [.endDecoder(number)]
            // In this order: what its pictures go to is ended first.
            case .hiding, .ending: due.insert(number)
            case .absent, .shown, .showing: break
            }
            return []
        case .end(let number):
            guard state != .absent else { return [] }
            over.insert(number)
            return afterEnd()
        case .goesOn(let number):
            over.remove(number)
            return []
        }
    }

    /// The sinks of what is over cannot say so once they are ended, nor while they hang.
    private func afterEnd() -> [Action] {
        (state == .hidden || hangs) && isOver ? [.postEndOfStream] : []
    }

    private mutating func pursue() -> [Action] {
        switch (state, wanted) {
        case (.shown, .audio) where isMoving:
            state = .hiding(Set(0..<streams))
            (over, due) = ([], [])
            round += 1
            return [.hide(round)]
        // What does not come to rest keeps nobody waiting.
        case (.hiding, .video):
            state = .shown
            return [.feed, .settled]
        case (.hidden, .video):
            state = .showing
            return [.show]
        default: return isSettled ? [.settled] : []
        }
    }
}
