/// What a trigger has changed, for those who follow events.
enum LifecycleNotice: Sendable, Equatable {
    case locked
    case unlocked
    case interrupted(source: String)
    /// - isOver: no other source interrupts.
    case interruptionEnded(source: String, shouldResume: Bool, isOver: Bool)
    case lowPower(Bool)

    var eventName: String {
        switch self {
        case .locked: "lifecycle.locked"
        case .unlocked: "lifecycle.unlocked"
        case .interrupted: "lifecycle.interrupted"
        case .interruptionEnded: "lifecycle.interruption-ended"
        case .lowPower: "lifecycle.low-power"
        }
    }

    var payload: Value {
        switch self {
        case .locked, .unlocked: [:]
        case .interrupted(let source): ["source": .string(source)]
        case .interruptionEnded(let source, let shouldResume, let isOver):
            ["source": .string(source), "should_resume": .bool(shouldResume), "over": .bool(isOver)]
        case .lowPower(let isOn): ["on": .bool(isOn)]
        }
    }
}
