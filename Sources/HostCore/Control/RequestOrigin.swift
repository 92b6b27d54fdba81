/// By which way a request came.
public enum RequestOrigin: Sendable, Equatable {
    /// The unix socket.
    case local
    /// TCP, with a token.
    case network
    /// The page's port.
    case web
}
