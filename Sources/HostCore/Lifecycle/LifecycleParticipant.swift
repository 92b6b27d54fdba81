public import GStreamerKit

/// Somebody who is told of the lifecycle and answers: a plugin instance.
@HostActor
public protocol LifecycleParticipant: AnyObject {
    var name: String { get }
    /// The longest an answer may take.
    var acknowledgeWithin: ClockTime { get }
    /// Tells a change. `token` is nil where no answer is expected; else the answer comes by
    /// `LifecycleController.acknowledge`.
    func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?)
    /// Whether it has answered the question it was asked last, and the answer is on its way.
    func hasAnswered(_ token: UInt64) -> Bool
}

extension LifecycleParticipant {
    /// One whose answers are there when they are given.
    public func hasAnswered(_ token: UInt64) -> Bool { false }
}
