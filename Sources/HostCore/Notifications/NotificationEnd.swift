/// Why a notification is no more. The numbers are those of the ABI, up to 4 also those of the notification service.
package enum NotificationEnd: Int32, Sendable {
    case expired = 1
    case dismissed = 2
    case closed = 3
    /// The service does not say why, or is gone itself.
    case gone = 4
    case replaced = 5
    case crowdedOut = 6
    case failed = 7

    /// - Parameter code: as the service tells it; there may be others than the specification has.
    package init(code: UInt32) {
        switch code {
        case 1: self = .expired
        case 2: self = .dismissed
        case 3: self = .closed
        default: self = .gone
        }
    }
}
