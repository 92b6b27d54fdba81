/// What an instance hears of a notification of its own.
package enum NotificationReport: Sendable, Equatable {
    /// The user chose one of its actions.
    case chosen(action: String)
    /// It has ended.
    case closed(NotificationEnd)
}
