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
        var method = ""
        /// Path and query, as on the wire.
        var target = ""
        var cookie: String?
        /// What a browser says of who has it ask: `Sec-Fetch-Site` and so on.
        var fetchSite: String?
        var fetchMode: String?
        var fetchDestination: String?
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
    private var gate: NetworkGate

    init(_ tokens: AccessTokens, allowedHosts: [String]) {
        self.tokens = tokens
        gate = NetworkGate(
            names: allowedHosts, advice: "use the host's address, or list the name under `allowed-hosts:`")
    }

    /// nil: it may.
    mutating func refusal(of question: Question, from ends: Ends, at now: ClockTime) -> Refusal? {
        let token = Self.token(in: question.authorization)
        let level = token.flatMap { tokens.level(of: $0) }
        if let refusal = gate.refusal(of: question, from: ends, hasSecret: level != nil, at: now) { return refusal }
        guard token != nil else {
            return Refusal(
                error: ControlError(.unauthorized, "send the token: `Authorization: Bearer TOKEN`"),
                headers: ["WWW-Authenticate": "Bearer realm=\"mediahost\""])
        }
        switch level {
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
                isNews: gate.wasWrong(ends, at: now))
        }
    }

    private static func token(in field: String?) -> [UInt8]? {
        guard let field, field.utf8.count > 7, field.prefix(7).lowercased() == "bearer " else { return nil }
        return Array(field.utf8.dropFirst(7))
    }
}
