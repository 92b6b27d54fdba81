/// On which bus the service is that shows plugins' notifications.
public enum NotificationPlace: String, Sendable, CaseIterable {
    /// The desktop's, of the user that the host runs as.
    case session
    /// The machine's, where a board has a service there.
    case system
    /// They are not shown.
    case off
}
