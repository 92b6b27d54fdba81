/// What a rule may tell the host of its surroundings.
enum RuleLifecycle: String, Sendable, CaseIterable {
    case pause, resume, lock, unlock
    case interruptBegin = "interrupt-begin"
    case interruptEnd = "interrupt-end"
    case lowPowerOn = "low-power-on"
    case lowPowerOff = "low-power-off"

    /// All rules are one source: what one begins another may end.
    var trigger: LifecycleTrigger {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .lock: .locked(true)
        case .unlock: .locked(false)
        case .interruptBegin: .interruptionBegan(source: "rules")
        case .interruptEnd: .interruptionEnded(source: "rules", shouldResume: true)
        case .lowPowerOn: .lowPower(true)
        case .lowPowerOff: .lowPower(false)
        }
    }
}
