package import GStreamerKit

/// What comes from the bus, from the clock and from the host.
extension LoginStateMachine {
    /// logind's own state, as its properties say; nil where it does not say.
    package struct Manager: Sendable, Equatable {
        package var isPreparingForSleep: Bool?
        package var isPreparingForShutdown: Bool?
        /// How long it lets inhibitors delay.
        package var limit: ClockTime?
    }

    package enum Event: Sendable, Equatable {
        /// No connection came about, or the one there was is gone.
        case unreachable(String)
        /// logind is there; also told when another one takes its place.
        case appeared
        case vanished
        case retry
        case manager(Manager)
        case found(LoginSession)
        case notFound(String)
        /// Whether there is one is not known.
        case notAnswered(String)
        /// A session began somewhere.
        case sessionAdded
        /// A session ended.
        case sessionRemoved(String)
        /// Another session of the seat is the active one, or none.
        case activeChanged
        case lock
        case unlock
        case lockedHint(Bool)
        case taken(LoginInhibitor)
        case refused(LoginInhibitor, String)
        case sleep(Bool)
        case shutdown(Bool)
        /// The host is where it was to be, with the number of `awaitQuiet`.
        case quiet(UInt64)
        case due(Timer)
    }

    /// - Parameter now: CLOCK_MONOTONIC.
    package mutating func handle(_ event: Event, at now: ClockTime) -> [Action] {
        switch event {
        case .unreachable(let why):
            link = .unreachable
            return lose() + complain(.unreachable(why)) + [.retryLater]
        case .appeared: return appeared()
        case .vanished:
            link = .away
            return lose() + complain(.away)
        case .retry:
            guard link == .unreachable else { return [] }
            link = .connecting
            return [.connect, .begin(.patience, Self.patience)]
        case .manager(let manager): return heard(manager, at: now)
        case .found, .notFound, .notAnswered, .sessionAdded, .sessionRemoved, .activeChanged, .lock, .unlock,
            .lockedHint:
            return followSession(event)
        case .taken(let inhibitor): return taken(inhibitor)
        case .refused(let inhibitor, let why): return refused(inhibitor, why)
        case .sleep(true): return fallAsleep(at: now)
        case .sleep(false): return wake()
        case .shutdown(true): return isEnding ? [] : [.note(.shutdownComes), .shutDown]
        case .shutdown(false): return isEnding ? [.note(.shutdownCancelled)] : []
        case .quiet(let number): return number == round ? letSleep(gaveUp: false, at: now) : []
        case .due(let timer): return due(timer, at: now)
        }
    }

    // MARK: - The link

    private mutating func appeared() -> [Action] {
        link = .asking
        forgetLink()
        refusals = []
        isHintOld = true
        // Of the others those that were locked are so still: no hint of this logind's is a word against it. (One that ended
        // meanwhile is not told of, and its ID does not come again before the next boot.)
        for (id, lock) in locks where id != session?.id {
            locks[id] = lock.isLocked ? Lock(isLocked: true, hint: nil) : nil
        }
        var actions: [Action] = [.askManager, .begin(.patience, Self.patience)]
        old = held
        actions += takeMissing()
        return actions + search()
    }

    private mutating func lose() -> [Action] {
        forgetLink()
        switch sleep {
        case .awake: return [.end(.patience)]
        case .waking: return [.end(.patience)] + wakeUp() + [.note(.awake)]
        // logind may come back and tell; a host that hears nothing must not be quiet for ever.
        case .falling, .asleep:
            defer { isAlone = true }
            return [.end(.patience)] + (isAlone ? [] : [.begin(.alone, Self.aloneLimit)])
        }
    }

    private mutating func heard(_ manager: Manager, at now: ClockTime) -> [Action] {
        guard link == .asking else { return [] }
        link = .ready
        var actions: [Action] = [.end(.patience)]
        if hasComplained { actions.append(.note(.works)) }
        hasComplained = false
        limit = manager.limit ?? Self.usualLimit
        // It allows less than was thought when the sleep was told.
        if case .falling(let since) = sleep {
            actions.append(.begin(.release, max(.zero, min(delay, since + delay - now))))
        }
        // One that does not say leaves the host as alone as it was.
        if manager.isPreparingForSleep != nil {
            isAlone = false
            actions.append(.end(.alone))
        }
        switch manager.isPreparingForSleep {
        case true?: actions += fallAsleep(at: now)
        case false?: actions += wake()
        case nil: if sleep == .awake { actions += wake() }
        }
        if manager.isPreparingForShutdown == true, !isEnding { actions += [.note(.shutdownComes), .shutDown] }
        return actions
    }

    private mutating func due(_ timer: Timer, at now: ClockTime) -> [Action] {
        switch timer {
        case .patience:
            switch link {
            case .connecting:
                link = .unreachable
                return [.disconnect] + lose() + complain(.unreachable("the bus did not answer in time")) + [.retryLater]
            case .asking: return complain(.silent)
            case .off, .unreachable, .away, .ready: return []
            }
        case .release: return letSleep(gaveUp: true, at: now)
        case .wake: return sleep == .waking ? wakeUp() + [.note(.awake)] : []
        case .alone:
            guard isAlone else { return [] }
            let actions = wakeUp() + [.note(.surelyAwake)]
            return isLinked && !isEnding ? actions + takeMissing() : actions
        case .refused: return isLinked && !isEnding ? takeMissing() : []
        }
    }

    // MARK: - Inhibitors

    private mutating func taken(_ inhibitor: LoginInhibitor) -> [Action] {
        asked.remove(inhibitor)
        held.insert(inhibitor)
        refusals.remove(inhibitor)
        old.remove(inhibitor)
        guard inhibitor == .sleep else { return [] }
        switch sleep {
        case .waking: return wakeUp() + [.note(.awake)]
        // It came after everybody was quiet.
        case .asleep: return letGo { $0 == .sleep }
        case .awake, .falling: return []
        }
    }

    private mutating func refused(_ inhibitor: LoginInhibitor, _ why: String) -> [Action] {
        asked.remove(inhibitor)
        var actions: [Action] = []
        if inhibitor == .sleep {
            switch sleep {
            // It is as it should be: nobody may delay what is under way. The wake asks again.
            case .falling, .asleep: return []
            case .waking: actions = wakeUp() + [.note(.awake)]
            case .awake: break
            }
        }
        if refusals.insert(inhibitor).inserted { actions.append(.note(.refused(inhibitor, why))) }
        return isEnding ? actions : actions + [.begin(.refused, Self.refusalPause)]
    }

    private func holdsForSure(_ inhibitor: LoginInhibitor) -> Bool {
        held.contains(inhibitor) && !old.contains(inhibitor)
    }

    /// What is wanted now and neither held nor asked for. logind refuses what would hold up a sleep that is under way: that is
    /// taken at the wake.
    private mutating func takeMissing() -> [Action] {
        let isUp = sleep == .awake || sleep == .waking
        return take(
            wanted.filter { !holdsForSure($0) && !asked.contains($0) && (isUp || $0 != .sleep) })
    }

    // MARK: - Sleep

    private mutating func fallAsleep(at now: ClockTime) -> [Action] {
        guard settings.sleep == .delay else { return [] }
        switch sleep {
        case .falling, .asleep: return []
        case .awake, .waking: break
        }
        sleep = .falling(since: now)
        round += 1
        sleeps.count += 1
        let actions: [Action] = [.end(.wake), .note(.sleepComes), .begin(.release, delay)]
        // A host that ends is asked for nothing else; its end, or the limit, lets the machine sleep.
        return isEnding ? actions : actions + [.add(.suspended), .awaitQuiet(round)]
    }

    private mutating func letSleep(gaveUp: Bool, at now: ClockTime) -> [Action] {
        guard case .falling(let since) = sleep else { return [] }
        sleep = .asleep
        let time = now - since
        sleeps.last = time
        if gaveUp { sleeps.givenUp += 1 }
        let isHeld = held.contains(.sleep)
        return [.end(.release)] + letGo { $0 == .sleep }
            + [.note(gaveUp ? .gaveUp(after: time) : .quiet(after: time, isHeld: isHeld))]
    }

    private mutating func wake() -> [Action] {
        switch sleep {
        // It may have been refused because of what is over now, or be of a logind that is gone.
        case .awake: return isLinked && !isEnding ? takeMissing() : []
        case .waking: return []
        case .falling, .asleep: break
        }
        guard isLinked, !holdsForSure(.sleep), !isEnding else { return wakeUp() + [.note(.awake)] }
        sleep = .waking
        return [.end(.release), .end(.alone)] + takeMissing() + [.begin(.wake, Self.wakeLimit)]
    }
}
