/// What becomes of each pipeline when the state of the host changes: the decisions of `PipelineSet`, without pipelines.
///
/// What the user wants of a pipeline is read before anything changes, kept while the lifecycle has it out of action, and is
/// what it comes back to. A pipeline that a reload has in hand is left alone; what the state asks of it is followed when
/// the reload lets go.
struct PipelinePlan: Sendable {
    /// A pipeline as it is now.
    struct Situation: Sendable, Equatable {
        var name: String
        /// As the pipeline itself shows it: what holds where the lifecycle has not got it.
        var intent: PipelineIntent
        var policy: BackgroundPolicy
        /// What its user wants to see and hear of it.
        var media = MediaMode.video
    }

    /// One step of one pipeline.
    struct Order: Sendable, Equatable {
        var name: String
        /// Nil: it is left as it is.
        var target: PipelineStateMachine.Target?
        /// Nil: it is stopped, and keeps what it has.
        var media: MediaMode?
        /// Whether less of it goes on than before.
        var isQuieter: Bool
    }

    /// How a pipeline comes out of the hand of a reload.
    struct Release: Sendable, Equatable {
        /// Nil: it stays at rest.
        var order: Order?
        /// What its user last wants of it.
        var intent: PipelineIntent
        /// Whether its user has started it since it was taken in hand.
        var isStarted: Bool
    }

    /// What the user of a pipeline in the hand of a reload wants of it.
    private struct Hand: Sendable {
        var intent: PipelineIntent
        var isStarted = false
    }

    /// What the pipelines follow now; empty: run.
    private(set) var state: DesiredState = []
    /// Of those that the lifecycle has out of action, what their users want.
    private var intents: [String: PipelineIntent] = [:]
    /// What each was brought to last.
    private var modes: [String: BackgroundMode] = [:]
    /// Those a reload has in hand.
    private var hands: [String: Hand] = [:]

    /// Brings all to their modes: what gets quieter backwards, what comes back forwards in the order of the config.
    mutating func follow(_ state: DesiredState, _ pipelines: [Situation]) -> [Order] {
        self.state = state
        let orders = pipelines.filter { hands[$0.name] == nil }.map { order(for: $0) }
        return orders.reversed().filter(\.isQuieter) + orders.filter { !$0.isQuieter }
    }

    /// The mode a pipeline is kept in by the state, where that does not let it play.
    func quietMode(of pipeline: Situation) -> BackgroundMode? {
        let mode = pipeline.policy.mode(for: state)
        return mode.isQuiet ? mode : nil
    }

    /// What of the state that mode is for.
    func reasons(_ mode: BackgroundMode, of pipeline: Situation) -> DesiredState {
        DesiredState.named.map(\.0).filter { state.contains($0) && pipeline.policy.mode(for: $0) == mode }
            .reduce([]) { $0.union($1) }
    }

    /// Whether a pipeline runs, or will when the lifecycle lets it.
    func isToRun(_ pipeline: Situation) -> Bool { intent(of: pipeline).isToRun }

    /// Whether a pipeline is its user's to play now.
    func mayPlay(_ pipeline: Situation) -> Bool { hands[pipeline.name] == nil && quietMode(of: pipeline) == nil }

    /// Whether the lifecycle keeps it from running now.
    func isQuieted(_ name: String) -> Bool { intents[name]?.isToRun == true }

    // MARK: - The user's word

    /// - Returns: whether it may play now; if not, it does when the lifecycle lets it.
    mutating func start(_ pipeline: Situation) -> Order? {
        if hands[pipeline.name] != nil {
            hands[pipeline.name] = Hand(intent: .playing, isStarted: true)
            return Order(name: pipeline.name, target: nil, media: nil, isQuieter: false)
        }
        guard let mode = quietMode(of: pipeline) else { return nil }
        intents[pipeline.name] = .playing
        return Order(name: pipeline.name, target: Self.target(mode, .playing), media: nil, isQuieter: false)
    }

    /// - Returns: whether it is to be paused now; if not, it is quiet already, and stays so when the lifecycle lets it come back.
    mutating func pause(_ pipeline: Situation) -> Bool {
        if let hand = hands[pipeline.name] {
            if hand.intent.isToRun { hands[pipeline.name]?.intent = .paused }
            return false
        }
        guard let intent = intents[pipeline.name] else { return true }
        if intent.isToRun { intents[pipeline.name] = .paused }
        return false
    }

    /// What it presents where its user wishes so; nil while the state lets it present nothing.
    func media(of pipeline: Situation) -> MediaMode? { media(pipeline.policy.mode(for: state), pipeline) }

    mutating func stop(_ name: String) {
        if intents[name] != nil { intents[name] = .stopped }
        if hands[name] != nil { hands[name] = Hand(intent: .stopped) }
    }

    // MARK: - A reload

    mutating func hold(_ pipeline: Situation) {
        // Taken in hand twice, it was stopped in between.
        if hands[pipeline.name] == nil { hands[pipeline.name] = Hand(intent: intent(of: pipeline)) }
        intents[pipeline.name] = nil
        modes[pipeline.name] = nil
    }

    /// - Parameter toRun: whether it is to come up; with the pause of its user where he had paused it.
    mutating func release(_ pipeline: Situation, toRun: Bool) -> Release {
        let hand = hands.removeValue(forKey: pipeline.name) ?? Hand(intent: toRun ? .playing : intent(of: pipeline))
        var release = Release(order: nil, intent: hand.intent, isStarted: hand.isStarted)
        intents[pipeline.name] = nil
        modes[pipeline.name] = nil
        // What was to come up had not been stopped: its user has done that since.
        guard toRun || hand.isStarted, hand.intent != .stopped, !state.contains(.shuttingDown) else { return release }
        var comingUp = pipeline
        comingUp.intent = hand.intent == .paused ? .paused : .playing
        // It has no mode to come from: it is at rest.
        let mode = comingUp.policy.mode(for: state)
        modes[pipeline.name] = mode
        if mode.isQuiet { intents[pipeline.name] = comingUp.intent }
        release.order = Order(
            name: pipeline.name, target: Self.target(mode, comingUp.intent), media: media(mode, comingUp),
            isQuieter: false)
        return release
    }

    /// The pipelines that there are from now on.
    mutating func keep(only names: Set<String>) {
        intents = intents.filter { names.contains($0.key) }
        modes = modes.filter { names.contains($0.key) }
        hands = hands.filter { names.contains($0.key) }
    }

    // MARK: -

    private func intent(of pipeline: Situation) -> PipelineIntent {
        hands[pipeline.name]?.intent ?? intents[pipeline.name] ?? pipeline.intent
    }

    private mutating func order(for pipeline: Situation) -> Order {
        let name = pipeline.name
        let previous = modes[name] ?? .keep
        let mode = pipeline.policy.mode(for: state)
        let intent = intent(of: pipeline)
        modes[name] = mode
        intents[name] = mode.isQuiet ? intent : nil
        let isMoved = mode != previous && (mode.isQuiet || previous.isQuiet)
        return Order(
            name: name, target: isMoved ? Self.target(mode, intent) : nil, media: media(mode, pipeline),
            isQuieter: mode > previous)
    }

    private static func target(_ mode: BackgroundMode, _ intent: PipelineIntent) -> PipelineStateMachine.Target? {
        switch (intent, mode) {
        case (.ended, _), (.stopped, _): nil
        case (_, .stop): .stopped
        case (_, .pause), (.paused, _): .paused
        case (.playing, .keep), (.playing, .audioOnly): .playing
        }
    }

    private func media(_ mode: BackgroundMode, _ pipeline: Situation) -> MediaMode? {
        switch mode {
        case .keep: pipeline.media
        case .audioOnly: .audio
        // What is built meanwhile prerolls: no picture of it is for a locked screen. Who unlocks sees what stands still.
        case .pause: pipeline.policy.hidesPictures(in: state) ? .audio : pipeline.media
        case .stop: pipeline.policy.hidesPictures(in: state) ? .audio : nil
        }
    }
}
