/// What became of a request to show something.
package enum NotificationAnswer: Sendable, Equatable {
    /// On its way to the screen, as far as anybody knows.
    case onItsWay(UInt64)
    /// No service is there: it waits for one.
    case kept(UInt64)
    /// There is no bus that a service could come to.
    case unavailable
    case tooMany

    package var token: UInt64? {
        switch self {
        case .onItsWay(let token), .kept(let token): token
        case .unavailable, .tooMany: nil
        }
    }
}
