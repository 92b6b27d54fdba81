/// Which session is followed, and whether it is locked.
extension LoginStateMachine {
    /// Looks for the session from the beginning.
    mutating func search() -> [Action] {
        switch settings.session {
        case .auto: questions = (ownSession.map { [.id($0)] } ?? []) + [.ofProcess, .active]
        case .id(let id): questions = [.id(id)]
        }
        (isSearching, isChecking) = (true, false)
        return ask()
    }

    private mutating func ask() -> [Action] {
        guard !questions.isEmpty else { return [] }
        let next = questions.removeFirst()
        question = next
        return [.find(next)]
    }

    mutating func followSession(_ event: Event) -> [Action] {
        switch event {
        case .found(let session): return isSearching ? found(session) : []
        case .notFound(let why): return isSearching ? notFound(why) : []
        case .notAnswered(let why): return isSearching ? notAnswered(why) : []
        // One that is followed goes on being the one.
        case .sessionAdded: return session == nil && isLinked ? search() : []
        case .sessionRemoved(let id):
            locks[id] = nil
            guard session?.id == id, isLinked else { return [] }
            session = nil
            return search()
        case .activeChanged: return question == .active && isLinked ? search() : []
        // Of the session that is followed; one that has ended says nothing any more.
        case .lock, .unlock, .lockedHint: return session == nil ? [] : heard(event)
        default: return []
        }
    }

    private mutating func heard(_ event: Event) -> [Action] {
        switch event {
        case .lock, .unlock:
            let news = follow(locked: event == .lock)
            remember()
            // An order, also where it was so before: a user of the host's may have said otherwise meanwhile.
            guard news.isEmpty, !isEnding else { return news }
            return [event == .lock ? .add(.locked) : .remove(.locked)]
        case .lockedHint(let isLocked):
            let isNews = lockedHint != isLocked
            lockedHint = isLocked
            defer { remember() }
            let news = follow(locked: isLocked)
            // A screen that is locked is an order, too: where a restarted logind forgot the last lock, its end was never told, and
            // the host was unlocked by hand.
            return news.isEmpty && isLocked && isNews && !isEnding ? [.add(.locked)] : news
        default: return []
        }
    }

    private mutating func found(_ session: LoginSession) -> [Action] {
        isSearching = false
        if !isChecking { way = question }
        let isNew = self.session?.id != session.id
        self.session = session
        hasToldNoSession = false
        defer {
            isHintOld = false
            remember()
        }
        var actions: [Action] = isNew ? [.note(.session(session.id))] : []
        let known = locks[session.id]
        lockedHint = session.isLocked
        // The hint is no word against a signal, and what a new logind does not know is none against what the old one said.
        let isUnlocked = known?.hint == true && !session.isLocked && !isHintOld
        let isLocked = session.isLocked || (known?.isLocked == true && !isUnlocked)
        if isLocked, !session.isLocked, known?.hint != false { actions.append(.note(.lockForgotten(session.id))) }
        actions += follow(locked: isLocked)
        return actions + lookOn()
    }

    /// What is known of the session that is followed.
    private mutating func remember() {
        if let session { locks[session.id] = Lock(isLocked: isLocked, hint: lockedHint) }
    }

    private mutating func notFound(_ why: String) -> [Action] {
        guard questions.isEmpty else { return ask() }
        isSearching = false
        // Whoever is at the seat now has no session: the one that was there is what it was, if it is there still.
        if question == .active, let session {
            return isHintOld && !hasChecked ? checkSession(session) : []
        }
        session = nil
        lockedHint = nil
        let news: [Action] = hasToldNoSession ? [] : [.note(.noSession(why))]
        hasToldNoSession = true
        return news + follow(locked: false) + lookOn()
    }

    /// Nobody said that the session that is followed is gone: it is what it was.
    private mutating func notAnswered(_ why: String) -> [Action] {
        guard let session else { return notFound(why) }
        // A way that has never led to it may be closed for good (a host in a container asks for a process of another one). After
        // the way by which it was found, the next would find somebody else.
        if question != way, !questions.isEmpty { return ask() }
        // It is heard only where it was found since the bus is there.
        if isHintOld, !hasChecked, question != .id(session.id) { return checkSession(session) }
        // The seat is listened to once more.
        if isChecking { return search() }
        (isSearching, isChecking) = (false, false)
        questions = []
        return []
    }

    private mutating func checkSession(_ session: LoginSession) -> [Action] {
        (isSearching, isChecking, hasChecked, questions) = (true, true, true, [.id(session.id)])
        return ask()
    }

    /// It was only asked whether the session is there: who is at the seat is what is followed.
    private mutating func lookOn() -> [Action] {
        guard isChecking else { return [] }
        isHintOld = false
        return search()
    }
}
