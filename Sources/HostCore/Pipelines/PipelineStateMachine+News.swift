/// What users are told of a pipeline, and what can be said of where it stands.
extension PipelineStateMachine {
    struct News: Sendable, Equatable {
        var condition: PipelineCondition
        var reason: PipelineReason
        /// Each attempt that fails is told, also where it fails as the one before.
        var isToldAgain = false

        init(_ condition: PipelineCondition, _ reason: PipelineReason, isToldAgain: Bool = false) {
            self.condition = condition
            self.reason = reason
            self.isToldAgain = isToldAgain
        }

        init(_ condition: PipelineCondition, _ code: String, _ text: String) {
            self.init(condition, PipelineReason(code, text))
        }

        static func places(_ names: [String]) -> String {
            names.isEmpty ? "any sink" : names.joined(separator: ", ")
        }
    }

    /// What is told on entering a state; nil where it keeps the condition it had.
    func news(of next: State) -> News? {
        switch next {
        case .stopped: News(.stopped, "asked", "it was told to stop")
        case .building where isRecovering:
            News(.recovering, lastFailure?.reason ?? PipelineReason("asked", "it starts over"))
        case .building: News(.starting, "building", "it is built")
        case .changing(.playing):
            isRecovering ? nil : News(.starting, "prerolling", "it is on its way to play")
        case .paused where aim == .paused:
            isHeld ? News(.paused, "held", "an element asked for it") : News(.paused, "asked", "told to")
        case .buffering: News(.buffering, "buffering", "its queues fill")
        case .closing(.failed(let failure)), .failed(let failure): News(.failed, failure.reason)
        case .closing(.rebuild(let retry)):
            if let failure = retry.failure {
                News(.recovering, failure.reason, isToldAgain: true)
            } else {
                News(.starting, "end-of-stream", "it plays again from the beginning")
            }
        case .finished: News(.finished, "end-of-stream", "it played to its end")
        case .changing, .playing, .paused, .draining, .closing, .waiting: nil
        }
    }

    /// Nothing is under way and nothing more will happen by itself.
    var isAtRest: Bool {
        switch state {
        case .stopped, .finished, .failed: true
        case .playing: aim == .playing
        case .paused: aim == .paused
        case .buffering: target == .playing
        case .waiting: target != .playing
        case .building, .changing, .draining, .closing: false
        }
    }

    /// It will not run again by itself.
    var hasEnded: Bool {
        switch state {
        case .finished: true
        // One that was refused a start begins when a build that hangs has ended.
        case .failed: !isCoolingDown && !retryIsDue
        default: false
        }
    }

    /// It is on its way to its end, or to a failure, that it would stay in.
    var isEnding: Bool {
        switch state {
        case .closing(.finished), .closing(.failed): true
        default: false
        }
    }

    /// There is no third build before one of those that hang has ended.
    var mayBuild: Bool { abandoned < Self.mostAbandoned }

    /// It does not run, and one more build would not only hang beside those that do.
    var mayStartAnew: Bool {
        switch state {
        case .finished: true
        case .failed: mayBuild
        default: false
        }
    }
}
