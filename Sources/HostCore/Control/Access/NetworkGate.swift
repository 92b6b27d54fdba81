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
    /// - Parameter hasSecret: whether it has shown what lets it in: strangers at the same address cannot keep it out.
    mutating func refusal(
        of question: NetworkAccess.Question, from ends: NetworkAccess.Ends, hasSecret: Bool, at now: ClockTime
    ) -> NetworkAccess.Refusal? {
        let denial = denial(of: question, ends)
        // What a browser brings along for a page of somebody else's is not that page's secret.
        let isKnown = hasSecret && denial == nil
        if let seconds = limits.ask(ends.network, isKnown: isKnown, at: now) {
            let what = isKnown ? "has asked too often" : "has asked too often, or with wrong tokens"
            return .init(
                error: ControlError(.tooMany, "\(ends.peer) \(what): wait \(seconds) s"),
                headers: ["Retry-After": "\(seconds)"])
        }
        return denial.map { .init(error: $0) }
    }

    private func denial(of question: NetworkAccess.Question, _ ends: NetworkAccess.Ends) -> ControlError? {
        // A page of somebody else's can have its own name lead here, but cannot make a browser hide that name.
        guard isOurs(question.host, ends) else {
            return ControlError(.denied, "this is not `\(question.host ?? "")`: \(advice)")
        }
        if let origin = question.origin, origin != "http://\(question.hostField ?? "")" {
            return ControlError(.denied, "pages of `\(origin)` may not use this API")
        }
        return nil
    }

    /// A secret was wrong. - Returns: whether no stranger there is listened to from now on.
    mutating func wasWrong(_ ends: NetworkAccess.Ends, at now: ClockTime) -> Bool {
        limits.wasWrong(ends.network, at: now)
    }

    private func isOurs(_ host: String?, _ ends: NetworkAccess.Ends) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return host == ends.local || (ends.isLoopback && host == "localhost") || names.contains(host)
    }
}
