package import GStreamerKit

/// What the log is told of logind.
package enum LoginNote: Sendable, Equatable {
    /// The bus cannot be reached. This one and the next two are said once until it was good again.
    case unreachable(String)
    /// Nobody on the bus is logind.
    case away
    /// It does not answer.
    case silent
    case works
    case session(String)
    /// Said once until there is one.
    case noSession(String)
    case locked(Bool)
    /// logind, asked anew, does not say any more that this session is locked: one that was started anew does not know.
    case lockForgotten(String)
    /// Said once for each way it is refused.
    case refused(LoginInhibitor, String)
    case sleepComes
    /// - Parameter isHeld: whether the sleep waited for it.
    case quiet(after: ClockTime, isHeld: Bool)
    case gaveUp(after: ClockTime)
    case awake
    /// logind has said nothing for so long that the machine cannot be asleep.
    case surelyAwake
    case shutdownComes
    case shutdownCancelled
}
