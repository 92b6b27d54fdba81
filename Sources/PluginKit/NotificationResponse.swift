import PluginABI

/// What came of a notification.
public enum NotificationResponse: Hashable, Sendable {
    /// Why it is closed.
    public enum End: Hashable, Sendable {
        /// Its time was over, on the screen or while it waited for a service.
        case expired
        /// By the user.
        case dismissed
        /// By another program.
        case closed
        /// The service does not say why, or is gone itself.
        case gone
        /// By another one with its key.
        case replaced
        /// It was the oldest when the instance had too many.
        case crowdedOut
        /// The service refused it or did not answer, or notifications were turned off.
        case failed

        init(abi: mh_notification_end) {
            switch Int(abi) {
            case MH_NOTIFICATION_EXPIRED: self = .expired
            case MH_NOTIFICATION_DISMISSED: self = .dismissed
            case MH_NOTIFICATION_CLOSED: self = .closed
            case MH_NOTIFICATION_REPLACED: self = .replaced
            case MH_NOTIFICATION_CROWDED_OUT: self = .crowdedOut
            case MH_NOTIFICATION_FAILED: self = .failed
            default: self = .gone
            }
        }
    }

    /// The user chose one of its actions. Most services close it then, unless it is resident.
    case action(String)
    /// The last response there is.
    case closed(End)
}
