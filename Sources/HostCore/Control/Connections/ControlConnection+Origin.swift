internal import CGLib
internal import CSoup

extension ControlConnection {
    /// Who is on the other side.
    enum Origin: Sendable, Equatable {
        /// By a unix socket: the file's mode was its access control.
        case local
        /// A network's: each request shows a token.
        case network(NetworkAccess.Ends)
        /// The page's port: each request shows a cookie or a ticket.
        case web(NetworkAccess.Ends)

        var ends: NetworkAccess.Ends? {
            switch self {
            case .local: nil
            case .network(let ends), .web(let ends): ends
            }
        }

        var ofRequest: RequestOrigin {
            switch self {
            case .local: .local
            case .network: .network
            case .web: .web
            }
        }
    }

    /// With the header fields that all answers have which go this way. Twice is harmless.
    func dressed(_ response: ControlResponse, for message: OpaquePointer) -> ControlResponse {
        guard case .web = origin else { return response }
        let path = g_uri_get_path(soup_server_message_get_uri(message)).map { String(cString: $0) }
        var response = response
        response.headers.merge(WebPage.headers(of: path ?? "")) { own, _ in own }
        return response
    }
}
