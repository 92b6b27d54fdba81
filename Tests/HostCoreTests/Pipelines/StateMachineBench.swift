import GStreamerKit

@testable import HostCore

/// A state machine with its history: what it did, and what it told.
struct StateMachineBench {
    static let failure = PipelineFailure(code: "element-error", element: "a", message: "broken")
    static let policy: RestartPolicy = {
        var policy = RestartPolicy()
        policy.limit = 2
        policy.jitter = 0
        return policy
    }()

    var machine: PipelineStateMachine
    var now = ClockTime.seconds(100)
    /// Of the last event.
    var work: [PipelineStateMachine.Action] = []
    var told: [PipelineCondition] = []

    init(onEOS: EndOfStreamPolicy = .stop, restart: RestartPolicy? = nil) {
        machine = PipelineStateMachine(rules: .init(onEOS: onEOS, restart: restart))
    }

    @discardableResult
    mutating func feed(_ events: PipelineStateMachine.Event...) -> [PipelineStateMachine.Action] {
        for event in events {
            work = []
            for action in machine.handle(event, now: now) {
                if case .announce(let condition, _) = action { told.append(condition) } else { work.append(action) }
            }
        }
        return work
    }
}
