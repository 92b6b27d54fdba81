/// From what happens around the host to what it is to be: the rules of every trigger in one place, without effects.
///
/// ```
///                 began                      ended, go on
///   (nothing) ─────────────▶ interrupted ───────────────────▶ (nothing)
///                                 │                                ▲
///                                 │ ended, no word      resume     │
///                                 └───────────────▶ waiting ───────┘
/// ```
///
/// Every trigger is a level: one that comes twice, or without its counterpart, changes nothing. Interruptions overlap by
/// the name of their source; the last one that ends ends it. A user who resumes during an interruption has answered what
/// its end would ask: it does not wait for the user again.
struct LifecycleTriggers: Sendable {
    private var bits: DesiredState = []
    /// Who has the output, in the order in which they came.
    private(set) var interrupters: [String] = []
    /// Those during whose interruption the user said to go on.
    private var answered: Set<String> = []

    /// What the host is to be.
    var state: DesiredState { interrupters.isEmpty ? bits : bits.union(.interrupted) }

    /// - Returns: what is different now, for events.
    mutating func handle(_ trigger: LifecycleTrigger) -> [LifecycleNotice] {
        let before = state
        var notices: [LifecycleNotice] = []
        switch trigger {
        case .pause:
            bits.insert(.paused)
            answered = []
        case .resume:
            bits.subtract([.paused, .waiting])
            answered = Set(interrupters)
        case .locked(let isOn): set(.locked, isOn)
        case .suspended(let isOn): set(.suspended, isOn)
        case .interruptionBegan(let source):
            guard !interrupters.contains(source) else { return [] }
            interrupters.append(source)
            notices = [.interrupted(source: source)]
        case .interruptionEnded(let source, let shouldResume):
            guard let index = interrupters.firstIndex(of: source) else { return [] }
            interrupters.remove(at: index)
            if answered.remove(source) == nil, !shouldResume { bits.insert(.waiting) }
            notices = [
                .interruptionEnded(source: source, shouldResume: shouldResume, isOver: interrupters.isEmpty)
            ]
        case .lowPower(let isOn): set(.lowPower, isOn)
        case .outputLost(let isOn): set(.outputLost, isOn)
        case .shuttingDown: bits.insert(.shuttingDown)
        case .bits(let adding, let removing):
            bits.subtract(removing.subtracting(.shuttingDown))
            bits.formUnion(adding.subtracting(.interrupted))
        }
        let changed = before.symmetricDifference(state)
        if changed.contains(.locked) { notices.append(state.contains(.locked) ? .locked : .unlocked) }
        if changed.contains(.lowPower) { notices.append(.lowPower(state.contains(.lowPower))) }
        return notices
    }

    private mutating func set(_ bit: DesiredState, _ isOn: Bool) {
        if isOn { bits.insert(bit) } else { bits.remove(bit) }
    }
}
