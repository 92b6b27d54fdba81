package import GStreamerKit

/// What comes from the bus and from the clock.
extension NotificationStateMachine {
    package enum SendResult: Sendable, Equatable {
        /// With the service's number.
        case shown(UInt32)
        case refused(String)
        /// The service was gone before it could answer.
        case lost
    }

    package enum Event: Sendable, Equatable {
        /// No connection came about, or the one there was is gone.
        case unreachable(String)
        /// Whoever shows notifications is there; also told when another one takes its place.
        case appeared
        case vanished
        /// The bus could not start one.
        case notStarted(String)
        case abilities([String])
        case sent(UInt64, SendResult)
        case closed(UInt32, code: UInt32)
        case chosen(UInt32, action: String)
        case deadline
        case retry
    }

    /// - Parameter now: on the clock of `show`.
    package mutating func handle(_ event: Event, at now: ClockTime) -> [Action] {
        expire(at: now) + handle(event)
    }

    /// What waits and has become too old ends.
    package mutating func expire(at now: ClockTime) -> [Action] {
        var actions: [Action] = []
        for token in waiting {
            guard let entry = entries[token], let due = entry.due, due <= now else { continue }
            actions += remove(token, entry) + tell(token, of: entry, .closed(.expired))
        }
        return actions
    }

    private mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .unreachable(let why): return unreachable(why)
        case .appeared:
            let actions = [.endDeadline] + forgetService()
            link = .asking
            hasToldRefusal = false
            return actions + [.askAbilities, .beginDeadline]
        case .vanished:
            // One that ended by itself is not started by us, or one of ours that it dies of would come again and again.
            let mayStart = link == .connecting
            let actions = [.endDeadline] + forgetService()
            link = .away
            return mayStart && !waiting.isEmpty ? actions + [.startService] : actions
        case .notStarted(let why): return link == .away && !waiting.isEmpty ? complain(.noService(why)) : []
        case .abilities(let names):
            guard link == .asking || link == .silent(nil) else { return [] }
            return [.endDeadline] + work(with: .init(names))
        case .sent(let token, let result): return sent(token, result)
        case .closed(let number, let code): return closed(number, NotificationEnd(code: code))
        case .chosen(let number, let action):
            guard let (token, entry) = entries.first(where: { $0.value.phase == .shown(number) }),
                entry.request.actions.contains(where: { $0.id == action })
            else { return [] }
            return tell(token, of: entry, .chosen(action: action))
        case .deadline: return deadline()
        case .retry:
            guard link == .unreachable else { return [] }
            link = .unused
            return waiting.isEmpty ? [] : prepare()
        }
    }

    private mutating func unreachable(_ why: String) -> [Action] {
        let actions = [.endDeadline] + forgetService()
        guard !waiting.isEmpty else {
            link = .unused
            return actions
        }
        link = .unreachable
        return actions + complain(.unreachable(why)) + [.retryLater]
    }

    private mutating func deadline() -> [Action] {
        switch link {
        case .connecting: return [.disconnect] + unreachable("the bus did not answer in time")
        case .asking:
            link = .silent(nil)
            return complain(.silent)
        case .ready(let abilities):
            guard let token = inFlight?.token else { return [] }
            link = .silent(abilities)
            let complaint = complain(.silent)
            // Nobody knows whether it is on the screen: if a number comes after all it is closed.
            guard let entry = entries.removeValue(forKey: token) else { return complaint }
            return complaint + tell(token, of: entry, .closed(.failed))
        case .unused, .unreachable, .away, .silent: return []
        }
    }

    private mutating func sent(_ token: UInt64, _ result: SendResult) -> [Action] {
        guard let answered = inFlight, answered.token == token else { return [] }
        inFlight = nil
        var actions: [Action] = [.endDeadline]
        switch result {
        case .shown(let number): actions += isShown(answered, number)
        case .refused(let why):
            if let entry = entries.removeValue(forKey: token) {
                if !hasToldRefusal { actions.append(.note(.refused(why))) }
                hasToldRefusal = true
                actions += tell(token, of: entry, .closed(.failed))
            }
            // What it was to replace is still there, and out of date.
            if let old = answered.replacing { actions += passOn(old, to: answered.heir) }
        case .lost:
            actions += takeBack(token)
            // That it is gone is told next; until then nothing is sent.
            if case .ready(let abilities) = link { link = .silent(abilities) }
            return actions
        }
        if case .silent(let abilities?) = link { return actions + work(with: abilities) }
        return actions + pump()
    }

    private mutating func isShown(_ answered: InFlight, _ number: UInt32) -> [Action] {
        if let entry = entries[answered.token] {
            entries[answered.token]?.phase = .shown(number)
            entries[answered.token]?.attempts = 0
            // Nobody will ask for it again.
            if !entry.isHeard, entry.request.key == nil { entries[answered.token] = nil }
            return []
        }
        return passOn(number, to: answered.heir)
    }

    /// What is on the screen is replaced by what waits for that, or closed.
    private mutating func passOn(_ number: UInt32, to heir: UInt64?) -> [Action] {
        guard let heir, entries[heir]?.isWaiting == true else { return [.close(number)] }
        entries[heir]?.phase = .waiting(replacing: number)
        return []
    }

    private mutating func closed(_ number: UInt32, _ why: NotificationEnd) -> [Action] {
        if inFlight?.replacing == number { inFlight?.replacing = nil }
        for (token, entry) in entries {
            if entry.phase == .shown(number) {
                entries[token] = nil
                return tell(token, of: entry, .closed(why))
            }
            if entry.phase == .waiting(replacing: number) {
                entries[token]?.phase = .waiting(replacing: nil)
                return []
            }
        }
        return []
    }

    /// The service answers, and what waits may be sent.
    private mutating func work(with abilities: NotificationMessage.Abilities) -> [Action] {
        link = .ready(abilities)
        let relief: [Action] = hasComplained ? [.note(.works(waiting: waiting.count))] : []
        hasComplained = false
        return relief + pump()
    }

    /// Its numbers mean nothing any more. What was to stay until somebody closes it waits for the next service, and so does
    /// what was not answered.
    mutating func forgetService() -> [Action] {
        var actions: [Action] = []
        if let token = inFlight?.token { actions = takeBack(token) }
        inFlight = nil
        for (token, entry) in entries.sorted(by: { $0.key < $1.key }) {
            switch entry.phase {
            case .shown where entry.request.expiry == .never: putBack(token)
            case .shown:
                entries[token] = nil
                actions += tell(token, of: entry, .closed(.gone))
            case .waiting: entries[token]?.phase = .waiting(replacing: nil)
            case .sending: break
            }
        }
        return actions
    }

    /// It was sent, and the service is gone. What no service survives is given up.
    private mutating func takeBack(_ token: UInt64) -> [Action] {
        guard let entry = entries[token] else { return [] }
        if entry.attempts < Self.mostAttempts {
            putBack(token)
            return []
        }
        entries[token] = nil
        return tell(token, of: entry, .closed(.failed))
    }

    private static let mostAttempts = 3

    private mutating func putBack(_ token: UInt64) {
        entries[token]?.phase = .waiting(replacing: nil)
        waiting.append(token)
        waiting.sort()
    }

    private mutating func complain(_ note: NotificationNote) -> [Action] {
        defer { hasComplained = true }
        return hasComplained ? [] : [.note(note)]
    }
}
