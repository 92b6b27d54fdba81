/// Which session is followed, and whether it is locked.
extension LoginStateMachine {
    /// Looks for the session from the beginning.
    mutating func search() -> [Action] {
        switch settings.session {
        case .auto: questions = (ownSession.map { [.id($0)] } ?? []) + [.ofProcess, .active]
        case .id(let id): questions = [.id(id)]
        }
        isSearching = true
        isAnswerOld = false
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
        // One that is followed goes on being the one.
        case .sessionAdded: return session == nil && isLinked ? search() : []
        case .sessionRemoved(let id): return session?.id == id && isLinked ? search() : []
        case .activeChanged: return question == .active && isLinked ? search() : []
        case .lock, .unlock:
            isAnswerOld = isSearching
            let news = follow(locked: event == .lock)
            // An order, also where it was so before: a user of the host's may have said otherwise meanwhile.
            guard news.isEmpty, !isEnding else { return news }
            return [event == .lock ? .add(.locked) : .remove(.locked)]
        case .lockedHint(let isLocked):
            isAnswerOld = isSearching
            lockedHint = isLocked
            return follow(locked: isLocked)
        default: return []
        }
    }

    private mutating func found(_ session: LoginSession) -> [Action] {
        isSearching = false
        let isNew = self.session?.id != session.id
        self.session = session
        hasToldNoSession = false
        let news: [Action] = isNew ? [.note(.session(session.id))] : []
        guard !isAnswerOld else { return news }
        lockedHint = session.isLocked
        return news + follow(locked: session.isLocked)
    }

    private mutating func notFound(_ why: String) -> [Action] {
        guard questions.isEmpty else { return ask() }
        isSearching = false
        session = nil
        lockedHint = nil
        let news: [Action] = hasToldNoSession ? [] : [.note(.noSession(why))]
        hasToldNoSession = true
        return news + follow(locked: false)
    }
}
