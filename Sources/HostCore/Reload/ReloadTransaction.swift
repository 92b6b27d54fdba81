/// The order of a reload and what becomes of it when something fails: the decisions, without pipelines, plugins or time.
///
/// ```
///            all at rest          all gone         done             all live
///   stopping ───────────▶ ending ─────────▶ swapping ────▶ starting ────────▶ committed
///                                              │ failed        │ failed or late
///                                              ▼               ▼
///                                   the same four steps backwards ─────────▶ rolled back
/// ```
///
/// All or nothing: where one thing of the new configuration does not come up, all of the old one comes back. What fails
/// on the way back is noted, and the way back goes on.
struct ReloadTransaction: Sendable {
    enum Direction: Sendable, Equatable {
        case forward, back
    }

    enum Step: Sendable, Equatable {
        case stopping, ending, swapping, starting
    }

    enum Outcome: Sendable, Equatable {
        case committed
        case rolledBack
        /// The host ends: nothing is started any more.
        case abandoned
    }

    enum State: Sendable, Equatable {
        case idle
        case under(Step, Direction)
        case over(Outcome)
    }

    enum Event: Sendable, Equatable {
        case begin
        /// A pipeline has stopped.
        case atRest(String)
        /// The plugins have let go, or were given up.
        case ended
        case swapped
        /// A pipeline brings media, has brought all of it, or is not to run now.
        case live(String)
        /// Something did not come up; `pipeline` where it is one.
        case failed(pipeline: String?, [Diagnostic])
        case abandon
    }

    enum Action: Sendable, Equatable {
        case stop([String])
        case end([String])
        /// Puts the descriptions of the other configuration in place and creates its plugins.
        case swap(Direction)
        case start([String])
        case finish(Outcome)
    }

    private(set) var state = State.idle
    /// Why it went back, and what failed on the way.
    private(set) var problems: [Diagnostic] = []
    private let forward: ReloadPlan.Leg
    private let back: ReloadPlan.Leg
    /// Pipelines the present step waits for.
    private var waiting: Set<String> = []

    init(forward: ReloadPlan.Leg, back: ReloadPlan.Leg) {
        self.forward = forward
        self.back = back
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch (event, state) {
        case (.begin, .idle): return enter(.stopping, .forward)
        case (.abandon, .idle), (.abandon, .under): return finish(.abandoned)
        case (.atRest(let name), .under(.stopping, let direction)):
            waiting.remove(name)
            return waiting.isEmpty ? enter(.ending, direction) : []
        case (.ended, .under(.ending, let direction)): return enter(.swapping, direction)
        case (.swapped, .under(.swapping, let direction)): return enter(.starting, direction)
        case (.live(let name), .under(.starting, let direction)):
            guard waiting.remove(name) != nil else { return [] }
            return settle(direction)
        case (.failed(let pipeline, let why), .under(.starting, let direction)):
            if let pipeline, !waiting.contains(pipeline) { return [] }
            problems += why
            if direction == .forward { return enter(.stopping, .back) }
            if let pipeline { waiting.remove(pipeline) }
            return settle(direction)
        case (.failed(_, let why), .under(.swapping, let direction)):
            problems += why
            return direction == .forward ? enter(.stopping, .back) : enter(.starting, .back)
        case (.begin, _), (.abandon, _), (.atRest, _), (.ended, _), (.swapped, _), (.live, _), (.failed, _): return []
        }
    }

    private func leg(_ direction: Direction) -> ReloadPlan.Leg { direction == .forward ? forward : back }

    private mutating func enter(_ step: Step, _ direction: Direction) -> [Action] {
        state = .under(step, direction)
        let leg = leg(direction)
        switch step {
        case .stopping:
            waiting = Set(leg.stopping)
            return waiting.isEmpty ? enter(.ending, direction) : [.stop(leg.stopping)]
        case .ending: return leg.ending.isEmpty ? enter(.swapping, direction) : [.end(leg.ending)]
        case .swapping: return [.swap(direction)]
        case .starting:
            waiting = Set(leg.starting)
            return waiting.isEmpty ? settle(direction) : [.start(leg.starting)]
        }
    }

    private mutating func settle(_ direction: Direction) -> [Action] {
        waiting.isEmpty ? finish(direction == .forward ? .committed : .rolledBack) : []
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        state = .over(outcome)
        waiting = []
        return [.finish(outcome)]
    }
}
