internal import GStreamerKit

/// What every request over a network has to pass before anybody asks who sends it: how often its address may ask, which name
/// it has for the host, and of whom the page is that sends it.
///
/// - Thread: main. A value.
struct NetworkGate: Sendable {
    private let names: Set<String>
    private let advice: String
    private var limits = PeerLimits()

    /// - Parameters:
    ///   - names: of the host, beside the address that was connected to, and `localhost` on the loopback.
    ///   - advice: what to do with another name.
    init(names: [String], advice: String) {
        self.names = Set(names.map { $0.lowercased() })
        self.advice = advice
    }

    /// nil: it may go on.
    mutating func refusal(
        of question: NetworkAccess.Question, from ends: NetworkAccess.Ends, at now: ClockTime
    ) -> NetworkAccess.Refusal? {
        if let seconds = limits.ask(ends.network, at: now) {
            return .init(
                error: ControlError(
                    .tooMany, "\(ends.peer) has asked too often, or with wrong tokens: wait \(seconds) s"),
                headers: ["Retry-After": "\(seconds)"])
        }
        // A page of somebody else's can have its own name lead here, but cannot make a browser hide that name.
        guard isOurs(question.host, ends) else {
            return .init(error: ControlError(.denied, "this is not `\(question.host ?? "")`: \(advice)"))
        }
        if let origin = question.origin, origin != "http://\(question.hostField ?? "")" {
            return .init(error: ControlError(.denied, "pages of `\(origin)` may not use this API"))
        }
        return nil
    }

    /// A secret was wrong. - Returns: whether nobody there is listened to from now on.
    mutating func wasWrong(_ ends: NetworkAccess.Ends, at now: ClockTime) -> Bool {
        limits.wasWrong(ends.network, at: now)
    }

    private func isOurs(_ host: String?, _ ends: NetworkAccess.Ends) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return host == ends.local || (ends.isLoopback && host == "localhost") || names.contains(host)
    }
}
