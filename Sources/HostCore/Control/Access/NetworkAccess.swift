internal import GStreamerKit

/// Who may do what over the network: what a request's header says, and how often its address has asked.
///
/// - Thread: main. A value; holds the tokens.
struct NetworkAccess: Sendable {
    /// What is looked at of a request.
    struct Question: Sendable, Equatable {
        /// GET and HEAD.
        var isReading: Bool
        /// Without the port and without brackets.
        var host: String?
        /// As in the field, with its port.
        var hostField: String?
        var origin: String?
        var authorization: String?
    }

    /// The two ends of a connection, numeric.
    struct Ends: Sendable, Equatable {
        var peer: String
        var local: String
        /// Nobody else can reach it.
        var isLoopback: Bool
        /// What of the peer's address is limited: of IPv6 the first 64 bits, who has one has all of them.
        var network: String
    }

    /// Why it is not answered.
    struct Refusal: Sendable, Equatable {
        var error: ControlError
        var headers: [String: String] = [:]
        /// Worth a line in the log.
        var isNews = false
    }

    var tokens: AccessTokens
    private let names: Set<String>
    private var limits = PeerLimits()

    init(_ tokens: AccessTokens, allowedHosts: [String]) {
        self.tokens = tokens
        names = Set(allowedHosts.map { $0.lowercased() })
    }

    /// nil: it may.
    mutating func refusal(of question: Question, from ends: Ends, at now: ClockTime) -> Refusal? {
        if let seconds = limits.ask(ends.network, at: now) {
            return Refusal(
                error: ControlError(
                    .tooMany, "\(ends.peer) has asked too often, or with wrong tokens: wait \(seconds) s"),
                headers: ["Retry-After": "\(seconds)"])
        }
        // A page of somebody else's can have its own name lead here, but cannot make a browser hide that name.
        guard isOurs(question.host, ends) else {
            return Refusal(
                error: ControlError(
                    .denied,
                    "this is not `\(question.host ?? "")`: use the host's address, or list the name under `allowed-hosts:`"
                ))
        }
        if let origin = question.origin, origin != "http://\(question.hostField ?? "")" {
            return Refusal(error: ControlError(.denied, "pages of `\(origin)` may not use this API"))
        }
        guard let token = Self.token(in: question.authorization) else {
            return Refusal(
                error: ControlError(.unauthorized, "send the token: `Authorization: Bearer TOKEN`"),
                headers: ["WWW-Authenticate": "Bearer realm=\"mediahost\""])
        }
        switch tokens.level(of: token) {
        case .everything: return nil
        case .reading where question.isReading: return nil
        case .reading:
            return Refusal(
                error: ControlError(.denied, "this token is for looking only"),
                headers: ["WWW-Authenticate": "Bearer realm=\"mediahost\", error=\"insufficient_scope\""])
        case nil:
            return Refusal(
                error: ControlError(.unauthorized, "the token is wrong"),
                headers: ["WWW-Authenticate": "Bearer realm=\"mediahost\", error=\"invalid_token\""],
                isNews: limits.wasWrong(ends.network, at: now))
        }
    }

    private func isOurs(_ host: String?, _ ends: Ends) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return host == ends.local || (ends.isLoopback && host == "localhost") || names.contains(host)
    }

    private static func token(in field: String?) -> [UInt8]? {
        guard let field, field.utf8.count > 7, field.prefix(7).lowercased() == "bearer " else { return nil }
        return Array(field.utf8.dropFirst(7))
    }
}
