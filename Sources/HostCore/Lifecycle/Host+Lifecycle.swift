/// The desired state as the control API changes and shows it.
extension Host {
    /// More than anybody has at one time; the list is a client's to fill.
    static let mostInterrupters = 64

    public func pause() async throws(ControlError) -> Value { try await follow(.pause) }

    public func resume() async throws(ControlError) -> Value { try await follow(.resume) }

    public func follow(_ trigger: LifecycleTrigger) async throws(ControlError) -> Value {
        guard !lifecycle.desired.contains(.shuttingDown) else {
            throw ControlError(.state, "the host is shutting down")
        }
        if case .interruptionBegan(let source) = trigger, !lifecycle.interrupters.contains(source) {
            let count = lifecycle.interrupters.count
            guard count < Self.mostInterrupters else {
                throw ControlError(.busy, "\(count) sources interrupt the host already: end one of them first")
            }
        }
        lifecycle.follow(trigger)
        await withCheckedContinuation { continuation in lifecycle.whenSettled { continuation.resume() } }
        return lifecycleAnswer
    }

    /// The word of who waits for nothing: a signal. Once the host ends nobody is asked anything more because of it.
    func heed(_ trigger: LifecycleTrigger) {
        guard !isEnding else { return }
        lifecycle.follow(trigger)
    }

    /// Short where there is nothing more to say than the state.
    private var lifecycleAnswer: Value {
        var members: [Value.Member] = [.init("state", .string(lifecycle.stateName))]
        let desired = lifecycle.desired
        if !desired.subtracting(.paused).isEmpty { members.append(.init("desired", Self.list(desired.names))) }
        if !lifecycle.interrupters.isEmpty { members.append(.init("interrupters", Self.list(lifecycle.interrupters))) }
        return .map(members)
    }

    var lifecycleStatus: Value {
        let desired = lifecycle.desired
        return [
            "state": .string(lifecycle.stateName),
            "desired": Self.list(desired.names),
            "reasons": Self.list(desired.reasons.names),
            "interrupters": Self.list(lifecycle.interrupters),
            "clock_epoch": .int(clockEpoch),
            "stragglers": .map(
                lifecycle.stragglers.sorted { $0.key < $1.key }.map { .init($0.key, .int(Int64($0.value))) }),
            "late_pipelines": .map(
                pipelines.controllers.filter { $0.numbers.lateSteps > 0 }.sorted { $0.name < $1.name }
                    .map { .init($0.name, .int(Int64($0.numbers.lateSteps))) }),
            "ignored_answers": .int(Int64(lifecycle.ignoredAnswers)),
        ]
    }

    private static func list(_ names: [String]) -> Value { .list(names.map { .string($0) }) }
}
