import GStreamerKit
import Testing

@testable import HostCore

/// Whose lock counts, and what it is.
@Suite struct LoginSessionTests {
    typealias Machine = LoginStateMachine

    private func machine(_ session: LoginSettings.Session = .auto, own: String? = nil) -> Machine {
        var settings = LoginSettings()
        settings.session = session
        var machine = Machine(settings, ownSession: own)
        _ = machine.use(settings)
        feed(&machine, .appeared)
        return machine
    }

    @discardableResult
    private func feed(_ machine: inout Machine, _ event: Machine.Event) -> [Machine.Action] {
        machine.handle(event, at: .seconds(1))
    }

    private func session(_ id: String, locked: Bool = false) -> Machine.Event {
        .found(LoginSession(id: id, isLocked: locked))
    }

    @Test func eachWayIsTriedAfterTheOther() {
        var machine = machine(own: "7")
        #expect(machine.question == .id("7"))
        #expect(feed(&machine, .notFound("none")) == [.find(.ofProcess)])
        #expect(feed(&machine, .notFound("none")) == [.find(.active)])
        #expect(
            feed(&machine, session("3", locked: true)) == [.note(.session("3")), .note(.locked(true)), .add(.locked)])
        #expect(machine.lockedHint == true)
    }

    /// A bus that was too busy to answer unlocked the screen.
    @Test func noAnswerIsNoWordAgainstTheSessionThatIsFollowed() {
        var machine = machine(own: "7")
        // Without one, the next way is tried.
        #expect(feed(&machine, .notAnswered("denied")) == [.find(.ofProcess)])
        _ = feed(&machine, .notAnswered("denied"))
        #expect(feed(&machine, .notAnswered("denied")) == [.note(.noSession("denied"))])
        _ = feed(&machine, .sessionAdded)
        _ = feed(&machine, session("7"))
        _ = feed(&machine, .lock)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .notAnswered("busy")).isEmpty)
        #expect(machine.isLocked && machine.session?.id == "7" && !machine.isSearching)
    }

    /// In a container the host's number is another process's outside: that question is never answered, and was the last one asked.
    @Test func aWayThatIsClosedLeavesTheOthers() {
        var machine = machine()
        #expect(feed(&machine, .notAnswered("no unit")) == [.find(.active)])
        _ = feed(&machine, session("1"))
        #expect(feed(&machine, .activeChanged) == [.find(.ofProcess)])
        #expect(feed(&machine, .notAnswered("no unit")) == [.find(.active)])
        #expect(feed(&machine, session("2")) == [.note(.session("2"))])
        // A new logind: who is followed is found again, and heard.
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .notAnswered("no unit")) == [.find(.active)])
        #expect(feed(&machine, .notAnswered("busy")) == [.find(.id("2"))])
        #expect(feed(&machine, session("2")) == [.find(.ofProcess)])
        #expect(feed(&machine, .notAnswered("no unit")) == [.find(.active)])
        #expect(feed(&machine, .notAnswered("busy")).isEmpty)
        #expect(machine.session?.id == "2" && !machine.isSearching)
        // It is not over yet.
        #expect(feed(&machine, .activeChanged) == [.find(.ofProcess)])
    }

    /// Nothing was heard any more, of the session nor of the seat.
    @Test(arguments: [Machine.Event.notAnswered("busy"), .notFound("none")])
    func whereTheCheckIsNotAnsweredTheSeatIsListenedTo(_ word: Machine.Event) {
        var machine = machine()
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, session("1"))
        _ = feed(&machine, .appeared)
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, word) == [.find(.id("1"))])
        #expect(feed(&machine, .notAnswered("busy")) == [.find(.ofProcess)])
        #expect(feed(&machine, .notFound("none")) == [.find(.active)])
        #expect(feed(&machine, word).isEmpty && machine.session?.id == "1")
        #expect(feed(&machine, .activeChanged) == [.find(.ofProcess)])
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, session("2")) == [.note(.session("2"))])
    }

    /// The host's own session is not left for whoever is at the seat because the bus was busy.
    @Test func theWayThatLedToTheSessionIsNotPassedBy() {
        var machine = machine()
        _ = feed(&machine, session("1"))
        _ = feed(&machine, .lock)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .notAnswered("busy")) == [.find(.id("1"))])
        #expect(feed(&machine, .notAnswered("busy")) == [.find(.ofProcess)])
        #expect(feed(&machine, .notAnswered("busy")).isEmpty)
        #expect(machine.isLocked && machine.session?.id == "1" && !machine.isSearching)
    }

    @Test func noSessionIsSaidOnceAndTheNextOneIsFollowed() {
        var machine = machine(.id("9"))
        #expect(feed(&machine, .notFound("no session \"9\"")) == [.note(.noSession("no session \"9\""))])
        #expect(feed(&machine, .sessionAdded) == [.find(.id("9"))])
        #expect(feed(&machine, .notFound("no session \"9\"")).isEmpty)
        #expect(feed(&machine, .sessionAdded) == [.find(.id("9"))])
        #expect(feed(&machine, session("9")) == [.note(.session("9"))])
        // It is the one from now on.
        #expect(feed(&machine, .sessionAdded).isEmpty && feed(&machine, .activeChanged).isEmpty)
        #expect(feed(&machine, .sessionRemoved("8")).isEmpty)
        _ = feed(&machine, .lock)
        #expect(feed(&machine, .sessionRemoved("9")) == [.find(.id("9"))])
        // Nobody is there whose screen could be locked.
        #expect(
            feed(&machine, .notFound("gone")) == [.note(.noSession("gone")), .note(.locked(false)), .remove(.locked)])
    }

    @Test func theActiveSessionOfTheSeatIsFollowed() {
        var machine = machine()
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, .notFound("no session of seat0 is active"))
        #expect(feed(&machine, .activeChanged) == [.find(.ofProcess)])
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, session("1", locked: true))
        _ = feed(&machine, .activeChanged)
        _ = feed(&machine, .notFound("none"))
        #expect(
            feed(&machine, session("2")) == [.note(.session("2")), .note(.locked(false)), .remove(.locked)])
    }

    @Test func signalsAndTheHintSayTheSame() {
        var machine = machine(.id("2"))
        _ = feed(&machine, session("2"))
        #expect(feed(&machine, .lock) == [.note(.locked(true)), .add(.locked)])
        #expect(feed(&machine, .lockedHint(true)) == [.add(.locked)])
        #expect(feed(&machine, .lockedHint(true)).isEmpty)
        // An order once more, which nobody is told of: the host may have been unlocked by hand.
        #expect(feed(&machine, .lock) == [.add(.locked)])
        #expect(feed(&machine, .unlock) == [.note(.locked(false)), .remove(.locked)])
        #expect(feed(&machine, .lockedHint(false)).isEmpty)
        // A desktop that locks by itself sends no signal.
        #expect(feed(&machine, .lockedHint(true)) == [.note(.locked(true)), .add(.locked)])
    }

    /// The one that is left may lock itself just then.
    @Test func aLockIsOfTheSessionThatIsFollowed() {
        var machine = machine()
        #expect(feed(&machine, .lock).isEmpty)
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, session("1"))
        _ = feed(&machine, .activeChanged)
        #expect(feed(&machine, .lock) == [.note(.locked(true)), .add(.locked)])
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, session("2")) == [.note(.session("2")), .note(.locked(false)), .remove(.locked)])
        // The same session, asked for again: its word holds.
        _ = feed(&machine, .activeChanged)
        _ = feed(&machine, .lock)
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, session("2")).isEmpty && machine.isLocked)
    }

    /// It was locked, and ended while nobody listened: nothing ever said so.
    @Test(arguments: [false, true]) func whetherALockedSessionIsThereStillIsAsked(isThere: Bool) {
        var machine = machine()
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, session("1"))
        _ = feed(&machine, .lock)
        _ = feed(&machine, .vanished)
        _ = feed(&machine, .appeared)
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, .notFound("the greeter")) == [.find(.id("1"))])
        // Who is at the seat is followed either way.
        if isThere {
            #expect(feed(&machine, session("1")) == [.find(.ofProcess)])
        } else {
            #expect(
                feed(&machine, .notFound("gone")) == [
                    .note(.noSession("gone")), .note(.locked(false)), .remove(.locked), .find(.ofProcess),
                ])
        }
        _ = feed(&machine, .notFound("none"))
        #expect(feed(&machine, .notFound("the greeter")).isEmpty)
        #expect(machine.isLocked == isThere && machine.session?.id == (isThere ? "1" : nil))
    }

    /// A logind that came anew, or a reload of `login:`, showed pictures again behind a lock: the desktop only sends signals.
    @Test func aHintThatWasNeverTrueIsNoWordAgainstALock() {
        var machine = machine(.id("2"))
        _ = feed(&machine, session("2"))
        _ = feed(&machine, .lock)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, session("2")).isEmpty && machine.isLocked)
        var settings = machine.settings
        settings.sleep = .ignore
        _ = machine.use(settings)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, session("2")).isEmpty && machine.isLocked)
        #expect(feed(&machine, .unlock) == [.note(.locked(false)), .remove(.locked)])
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, session("2")).isEmpty)
    }

    /// logind keeps no hint over its own end.
    @Test func whatANewLogindDoesNotKnowTakesNoLockBack() {
        var machine = machine(.id("2"))
        _ = feed(&machine, session("2"))
        _ = feed(&machine, .lockedHint(true))
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, session("2")) == [.note(.lockForgotten("2"))])
        #expect(machine.isLocked)
        // Its unlock is no news to this logind, and not told. The host was unlocked by hand; the next lock counts.
        #expect(feed(&machine, .lockedHint(true)) == [.add(.locked)])
        // The same logind, asked again: the hint is news.
        machine.isSearching = true
        #expect(feed(&machine, session("2")) == [.note(.locked(false)), .remove(.locked)])
        // Another session than before is what its hint says.
        _ = feed(&machine, .lock)
        _ = feed(&machine, .sessionRemoved("2"))
        #expect(feed(&machine, session("3")) == [.note(.session("3")), .note(.locked(false)), .remove(.locked)])
    }

    /// logind came anew while somebody else was at the seat.
    @Test func whatIsLockedBehindAnotherSessionStaysSo() {
        var machine = machine()
        func switches(to id: String) -> [Machine.Action] {
            _ = feed(&machine, .notFound("none"))
            return feed(&machine, session(id))
        }
        _ = switches(to: "1")
        _ = feed(&machine, .lockedHint(true))
        _ = feed(&machine, .activeChanged)
        _ = switches(to: "2")
        _ = feed(&machine, .appeared)
        #expect(switches(to: "2").isEmpty && !machine.isLocked)
        _ = feed(&machine, .activeChanged)
        #expect(
            switches(to: "1") == [
                .note(.session("1")), .note(.lockForgotten("1")), .note(.locked(true)), .add(.locked),
            ])
        #expect(feed(&machine, .unlock) == [.note(.locked(false)), .remove(.locked)])
        // Of who was not locked nothing is kept.
        _ = feed(&machine, .appeared)
        #expect(machine.locks.keys.sorted() == ["1"])
    }

    /// One key combination brought the pictures back: a screen without a session, or the greeter of "switch user".
    @Test func whoSwitchesAwayFromALockedSessionDoesNotUnlockIt() {
        var machine = machine()
        func switches(_ found: Machine.Event) -> [Machine.Action] {
            _ = feed(&machine, .activeChanged)
            _ = feed(&machine, .notFound("none"))
            return feed(&machine, found)
        }
        _ = feed(&machine, .notFound("none"))
        _ = feed(&machine, session("1"))
        _ = feed(&machine, .lock)
        #expect(switches(.notFound("the greeter")).isEmpty && machine.isLocked)
        // Somebody else, who has logged in, and back.
        #expect(switches(session("2")) == [.note(.session("2")), .note(.locked(false)), .remove(.locked)])
        #expect(switches(session("1")) == [.note(.session("1")), .note(.locked(true)), .add(.locked)])
        // The greeter has it unlocked.
        _ = switches(.notFound("the greeter"))
        #expect(feed(&machine, .unlock) == [.note(.locked(false)), .remove(.locked)])
        #expect(switches(session("1")).isEmpty)
        // It ends while the greeter is shown.
        _ = feed(&machine, .lock)
        _ = switches(.notFound("the greeter"))
        _ = feed(&machine, .sessionRemoved("1"))
        _ = feed(&machine, .notFound("none"))
        #expect(
            feed(&machine, .notFound("the greeter")) == [
                .note(.noSession("the greeter")), .note(.locked(false)), .remove(.locked),
            ])
    }

    @Test func aLockThatNobodyToldOfIsReadFromLogind() {
        var machine = machine(.id("2"))
        _ = feed(&machine, session("2"))
        _ = feed(&machine, .vanished)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, session("2", locked: true)) == [.note(.locked(true)), .add(.locked)])
        // An answer that nobody waits for.
        #expect(feed(&machine, .notFound("late")).isEmpty)
    }
}
