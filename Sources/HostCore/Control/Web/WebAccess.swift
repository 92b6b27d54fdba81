internal import GStreamerKit

/// Who may use the page's port: keys that work once, the sessions they open, and addresses with a ticket. The decisions
/// without a clock.
///
/// ```
/// key --opened within `keyLife`--> session --`sessionLife`--> over
/// ```
/// - Thread: main. A value; holds the secrets.
struct WebAccess: Sendable {
    static let keyLife = ClockTime.seconds(5 * 60)
    static let sessionLife = ClockTime.seconds(12 * 3600)
    /// The oldest go.
    static let mostKeys = 16
    static let mostSessions = 16
    static let place = "/open/"

    private struct Entry {
        var secret: WebSecret
        var end: ClockTime
    }

    let cookie: String
    let tickets: MediaTicket
    private var keys: [Entry] = []
    private var sessions: [Entry] = []
    private var gate = NetworkGate(names: [], advice: "use the address that `mediahost web` prints")

    /// - Parameters:
    ///   - port: cookies know no ports: each host needs a name of its own for them.
    ///   - key: of the tickets; random.
    init(port: UInt16, key: [UInt8]) {
        cookie = "mediahost-\(port)"
        tickets = MediaTicket(key: key)
    }

    mutating func add(key: WebSecret, at now: ClockTime) {
        keys.removeAll { $0.end <= now }
        keys.append(Entry(secret: key, end: now + Self.keyLife))
        if keys.count > Self.mostKeys { keys.removeFirst() }
    }

    /// Uses a key up. - Returns: whether it was one; `session` is let in then.
    mutating func redeem(_ key: String, for session: WebSecret, at now: ClockTime) -> Bool {
        guard Self.holds(keys, key, at: now) else { return false }
        keys.removeAll { $0.secret.matches(key) }
        sessions.removeAll { $0.end <= now }
        sessions.append(Entry(secret: session, end: now + Self.sessionLife))
        if sessions.count > Self.mostSessions { sessions.removeFirst() }
        return true
    }

    /// nil: it may.
    mutating func refusal(
        of question: NetworkAccess.Question, from ends: NetworkAccess.Ends, at now: ClockTime
    ) -> NetworkAccess.Refusal? {
        let own = refusal(of: question, at: now)
        return gate.refusal(of: question, from: ends, hasSecret: own == nil, at: now) ?? own
    }

    /// What it has to show; nil: it has.
    private func refusal(of question: NetworkAccess.Question, at now: ClockTime) -> NetworkAccess.Refusal? {
        if question.target.hasPrefix(Self.place) {
            guard question.method == "GET",
                Self.holds(keys, String(question.target.dropFirst(Self.place.count)), at: now)
            else { return stranger("this address was used already, or is too old: `mediahost web` makes another one") }
            return nil
        }
        if question.target.hasPrefix(MediaTicket.place) {
            guard question.isReading, tickets.allows(question.target, at: now) else {
                return .init(
                    error: ControlError(
                        .denied,
                        "this address does not hold, or not any more, or not for \(question.method): "
                            + "have `POST /v1/web/media-urls` make another one"))
            }
            return nil
        }
        guard isInSession(question.cookie, at: now) else {
            return stranger("open the page with the address that `mediahost web` prints")
        }
        guard Self.isOfOurPage(question) else {
            return .init(error: ControlError(.denied, "pages of others may not use this session"))
        }
        return nil
    }

    private func stranger(_ message: String) -> NetworkAccess.Refusal {
        .init(
            error: ControlError(.unauthorized, message),
            headers: ["WWW-Authenticate": "Cookie realm=\"mediahost\", cookie-name=\"\(cookie)\""])
    }

    /// A page on another port of this machine is of the same site: its requests bring the cookie, but say where they are from.
    private static func isOfOurPage(_ question: NetworkAccess.Question) -> Bool {
        guard question.isReading else { return question.origin != nil || question.fetchSite == "same-origin" }
        switch question.fetchSite {
        case nil, "none", "same-origin": return true
        // A link that somebody follows.
        default: return question.fetchMode == "navigate" && question.fetchDestination == "document"
        }
    }

    /// Another page of this machine can set a cookie of our name too, and for a longer path, which browsers send first: one
    /// that is right will do, wherever it stands.
    private func isInSession(_ field: String?, at now: ClockTime) -> Bool {
        let start = "\(cookie)="
        let given = (field ?? "").split(separator: ";").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(start) }
        return given.contains { Self.holds(sessions, String($0.dropFirst(start.count)), at: now) }
    }

    /// All are compared, whatever the first says.
    private static func holds(_ entries: [Entry], _ given: String, at now: ClockTime) -> Bool {
        var isKnown = false
        for entry in entries where entry.end > now { isKnown = entry.secret.matches(given) || isKnown }
        return isKnown
    }
}
