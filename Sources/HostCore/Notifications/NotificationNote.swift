/// What the log is told of the notification service. Each is said once until it was good again.
package enum NotificationNote: Sendable, Equatable {
    /// The bus cannot be reached.
    case unreachable(String)
    /// Nobody on the bus shows notifications.
    case noService(String)
    /// It does not answer.
    case silent
    /// It does not want one of them.
    case refused(String)
    /// After one of the first three: it works, and so many are shown now.
    case works(waiting: Int)
}
