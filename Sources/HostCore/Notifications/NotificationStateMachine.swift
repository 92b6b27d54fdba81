package import GStreamerKit

/// All notifications of the host: which wait, which is on its way and which are on the screen. The decisions, without a bus or
/// a clock.
///
/// ```
///   unused ──something to show──▶ connecting ──▶ away ◀──▶ asking ──abilities──▶ ready ◀──▶ silent
///     ▲                               │            (vanished: from each of the three)
///     └──────── unreachable ◀─────────┘ (and from everywhere, when the bus goes)
/// ```
/// One notification is sent at a time: what replaces it must know its number first, and a service that does not answer holds
/// up no more than one.
package struct NotificationStateMachine: Sendable {
    /// How the service can be reached.
    enum Link: Sendable, Equatable {
        /// Nobody had anything to show.
        case unused
        case connecting
        /// Tried again after a while.
        case unreachable
        /// The bus is there, the service is not.
        case away
        /// It was asked what it can do.
        case asking
        case ready(NotificationMessage.Abilities)
        /// It did not answer in time; what it can do is known, unless it did not even say that.
        case silent(NotificationMessage.Abilities?)
    }

    enum Phase: Sendable, Equatable {
        /// - Parameter replacing: the service's number of what it takes the place of.
        case waiting(replacing: UInt32?)
        case sending
        case shown(UInt32)
    }

    struct Entry: Sendable {
        var instance: String
        var application: String
        var request: NotificationRequest
        var phase: Phase
        /// When it need not be shown any more.
        var due: ClockTime?
        /// How often it was sent without an answer.
        var attempts = 0
        /// Whether the instance that showed it is still there.
        var isHeard = true

        var isWaiting: Bool { if case .waiting = phase { true } else { false } }

        var isShown: Bool { if case .shown = phase { true } else { false } }
    }

    /// The one that was sent and not answered yet. Its entry may be gone.
    struct InFlight: Sendable {
        var token: UInt64
        /// What it was to take the place of.
        var replacing: UInt32?
        /// What shall take its place as soon as its number is known.
        var heir: UInt64?
    }

    /// What the caller is to do, in this order.
    package enum Action: Sendable, Equatable {
        case connect
        case disconnect
        /// Call `.retry` after a while; a little longer each time.
        case retryLater
        case startService
        case askAbilities
        case send(UInt64, NotificationMessage)
        case close(UInt32)
        case tell(UInt64, NotificationReport)
        /// Call `.deadline` unless it ends before; there is never more than one.
        case beginDeadline
        case endDeadline
        case note(NotificationNote)
    }

    var link = Link.unused
    var entries: [UInt64: Entry] = [:]
    /// Those that wait, in the order they are shown.
    var waiting: [UInt64] = []
    var inFlight: InFlight?
    private var limits: [String: NotificationLimit] = [:]
    private var last: UInt64 = 0
    /// What was said of the service since it was good.
    var hasComplained = false
    var hasToldRefusal = false

    package init() {}

    /// Whether nobody has looked for the service, or looks for it.
    package var isUnused: Bool { link == .unused }

    /// Those that wait for their turn or for a service, in order.
    package var queue: [UInt64] { waiting }

    /// When to call `expire` at the latest.
    package var nextExpiry: ClockTime? { waiting.compactMap { entries[$0]?.due }.min() }

    // MARK: - What plugins want

    package mutating func show(
        _ request: NotificationRequest, for instance: String, called application: String, at now: ClockTime
    ) -> (answer: NotificationAnswer, actions: [Action]) {
        guard limits[instance, default: NotificationLimit()].take(at: now) else { return (.tooMany, []) }
        let earlier = request.key.flatMap { key in
            entries.first { $0.value.instance == instance && $0.value.request.key == key }?.key
        }
        var actions: [Action] = []
        if earlier == nil {
            guard let room = makeRoom(for: instance) else { return (.tooMany, []) }
            actions = room
        }
        last += 1
        let token = last
        var entry = Entry(
            instance: instance, application: application, request: request, phase: .waiting(replacing: nil))
        if case .after(let time) = request.expiry { entry.due = now + time }
        if let earlier, let old = entries.removeValue(forKey: earlier) {
            switch old.phase {
            case .waiting(let replacing):
                waiting.removeAll { $0 == earlier }
                entry.phase = .waiting(replacing: replacing)
                if inFlight?.heir == earlier { inFlight?.heir = token }
            case .sending: inFlight?.heir = token
            case .shown(let number): entry.phase = .waiting(replacing: number)
            }
            actions += tell(earlier, of: old, .closed(.replaced))
        }
        entries[token] = entry
        waiting.append(token)
        actions += reach() + pump()
        return (isServed ? .onItsWay(token) : .kept(token), actions)
    }

    /// - Returns: whether there was such a one.
    package mutating func withdraw(_ token: UInt64) -> (found: Bool, actions: [Action]) {
        guard let entry = entries[token] else { return (false, []) }
        return (true, remove(token, entry))
    }

    /// Nobody listens any more. What a later life of the instance may replace is remembered.
    package mutating func instanceEnded(_ instance: String) -> [Action] {
        limits[instance] = nil
        var actions: [Action] = []
        for (token, entry) in entries.filter({ $0.value.instance == instance }).sorted(by: { $0.key < $1.key }) {
            if entry.request.endsWithInstance {
                actions += remove(token, entry)
            } else if entry.isShown, entry.request.key == nil {
                entries[token] = nil
            } else {
                entries[token]?.isHeard = false
            }
        }
        return actions
    }

    /// Somebody will want the service soon.
    package mutating func prepare() -> [Action] {
        guard link == .unused else { return [] }
        link = .connecting
        return [.connect, .beginDeadline]
    }

    /// From now on another bus is the one, or none; the caller has left the old one.
    package mutating func busChanged(isThere: Bool) -> [Action] {
        var actions = [.endDeadline] + forgetService()
        link = .unused
        hasComplained = false
        if isThere { return actions + (waiting.isEmpty ? [] : prepare()) }
        for token in waiting {
            guard let entry = entries.removeValue(forKey: token) else { continue }
            actions += tell(token, of: entry, .closed(.failed))
        }
        waiting = []
        return actions
    }

    // MARK: - Parts

    /// Whether a notification gets to the screen soon, as far as can be known.
    private var isServed: Bool {
        switch link {
        case .connecting, .asking, .ready: true
        case .unused, .unreachable, .away, .silent: false
        }
    }

    /// Does what may bring the service, where something waits for it.
    private mutating func reach() -> [Action] {
        switch link {
        case .unused: return prepare()
        case .away: return [.startService]
        // It went away under the last one, or never answers: no question is open.
        case .silent(let abilities?) where inFlight == nil:
            link = .ready(abilities)
            return []
        case .connecting, .unreachable, .asking, .ready, .silent: return []
        }
    }

    /// - Returns: nil where too many wait.
    private mutating func makeRoom(for instance: String) -> [Action]? {
        let own = entries.filter { $0.value.instance == instance }
        guard own.count >= NotificationLimit.most else { return [] }
        guard let oldest = own.filter({ $0.value.isShown }).min(by: { $0.key < $1.key }) else { return nil }
        return remove(oldest.key, oldest.value) + tell(oldest.key, of: oldest.value, .closed(.crowdedOut))
    }

    /// Takes it away, wherever it is.
    mutating func remove(_ token: UInt64, _ entry: Entry) -> [Action] {
        entries[token] = nil
        switch entry.phase {
        case .waiting(let replacing):
            waiting.removeAll { $0 == token }
            return replacing.map { [.close($0)] } ?? []
        // Closed as soon as its number is known.
        case .sending: return []
        case .shown(let number): return [.close(number)]
        }
    }

    func tell(_ token: UInt64, of entry: Entry, _ report: NotificationReport) -> [Action] {
        entry.isHeard ? [.tell(token, report)] : []
    }

    /// Sends the next one.
    mutating func pump() -> [Action] {
        guard case .ready(let abilities) = link, inFlight == nil, let token = waiting.first, let entry = entries[token],
            case .waiting(let replacing) = entry.phase
        else { return [] }
        waiting.removeFirst()
        entries[token]?.phase = .sending
        entries[token]?.attempts += 1
        inFlight = InFlight(token: token, replacing: replacing)
        let message = NotificationMessage(
            entry.request, from: entry.application, replacing: replacing, for: abilities, isHeard: entry.isHeard)
        return [.send(token, message), .beginDeadline]
    }
}
