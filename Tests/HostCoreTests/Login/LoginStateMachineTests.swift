import GStreamerKit
import Testing

@testable import HostCore

/// What the host does for each word of logind, and in which order.
@Suite struct LoginStateMachineTests {
    typealias Machine = LoginStateMachine
    private static let delay = LoginInhibitor.sleep
    private static let start = ClockTime.seconds(100)

    /// Connected, with its inhibitor and a session.
    private func ready(_ change: (inout LoginSettings) -> Void = { _ in }) -> Machine {
        var settings = LoginSettings()
        settings.session = .id("2")
        change(&settings)
        var machine = Machine(settings, ownSession: nil)
        _ = machine.use(settings)
        feed(&machine, .appeared)
        feed(&machine, .manager(.init(isPreparingForSleep: false, limit: .seconds(5))))
        for inhibitor in machine.wanted { feed(&machine, .taken(inhibitor)) }
        feed(&machine, .found(LoginSession(id: "2", isLocked: false)))
        return machine
    }

    @discardableResult
    private func feed(_ machine: inout Machine, _ event: Machine.Event, after span: ClockTime = .zero) -> [Machine
        .Action]
    {
        machine.handle(event, at: Self.start + span)
    }

    // MARK: - The beginning

    @Test func aStartConnectsAndAsksForEverythingAtOnce() {
        var settings = LoginSettings()
        settings.powerKey = .take
        var machine = Machine(settings, ownSession: "7")
        #expect(machine.use(settings).suffix(2) == [.connect, .begin(.patience, .seconds(10))])
        #expect(
            feed(&machine, .appeared) == [
                .askManager, .begin(.patience, .seconds(10)), .take(.shutdown), .take(Self.delay), .take(.powerKey),
                .find(.id("7")),
            ])
        #expect(feed(&machine, .manager(.init())) == [.end(.patience)])
        #expect(feed(&machine, .manager(.init(isPreparingForSleep: true))).isEmpty)
    }

    @Test func aBusThatIsNotFollowedIsNothingToWaitFor() {
        var settings = LoginSettings()
        settings.bus = .off
        var machine = Machine(settings, ownSession: nil)
        let actions = machine.use(settings)
        #expect(!actions.contains(.connect) && !actions.contains { if case .begin = $0 { true } else { false } })
        #expect(machine.link == .off)
    }

    @Test func aBusWithoutLogindIsSaidOnce() {
        var machine = Machine(LoginSettings(), ownSession: nil)
        _ = machine.use(LoginSettings())
        #expect(feed(&machine, .vanished) == [.end(.patience), .note(.away)])
        #expect(feed(&machine, .unreachable("gone")) == [.end(.patience), .retryLater])
        #expect(feed(&machine, .retry) == [.connect, .begin(.patience, .seconds(10))])
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .manager(.init())).contains(.note(.works)))
    }

    @Test func aBusThatNeverAnswersIsTriedAgain() {
        var machine = Machine(LoginSettings(), ownSession: nil)
        _ = machine.use(LoginSettings())
        #expect(
            feed(&machine, .due(.patience)) == [
                .disconnect, .end(.patience), .note(.unreachable("the bus did not answer in time")), .retryLater,
            ])
        #expect(feed(&machine, .retry).contains(.connect))
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .due(.patience)).isEmpty)
    }

    // MARK: - Sleep

    @Test func aSleepIsHeldUpUntilEverybodyIsQuiet() {
        var machine = ready()
        #expect(
            feed(&machine, .sleep(true)) == [
                .end(.wake), .note(.sleepComes), .begin(.release, .seconds(4)), .add(.suspended), .awaitQuiet(1),
            ])
        #expect(machine.held == [Self.delay, .shutdown])
        // Shutdown waits on.
        #expect(
            feed(&machine, .quiet(1), after: .milliseconds(30)) == [
                .end(.release), .release(Self.delay), .note(.quiet(after: .milliseconds(30), isHeld: true)),
            ])
        #expect(machine.sleeps == .init(count: 1, givenUp: 0, last: .milliseconds(30)))
        // The next inhibitor first, then the work.
        #expect(
            feed(&machine, .sleep(false)) == [
                .end(.release), .end(.alone), .take(Self.delay), .begin(.wake, .seconds(1)),
            ])
        #expect(
            feed(&machine, .taken(Self.delay)) == [
                .end(.release), .end(.wake), .end(.alone), .remove(.suspended), .note(.awake),
            ])
        #expect(machine.sleep == .awake && machine.held == [Self.delay, .shutdown])
    }

    @Test func whatComesTwiceChangesNothing() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        #expect(feed(&machine, .sleep(true)).isEmpty)
        _ = feed(&machine, .quiet(1))
        #expect(feed(&machine, .quiet(1)).isEmpty && feed(&machine, .sleep(true)).isEmpty)
        _ = feed(&machine, .sleep(false))
        #expect(feed(&machine, .sleep(false)).isEmpty)
        _ = feed(&machine, .taken(Self.delay))
        #expect(feed(&machine, .sleep(false)).isEmpty && machine.sleeps.count == 1)
    }

    @Test func aSleepIsNotHeldUpLongerThanLogindAllows() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        #expect(
            feed(&machine, .due(.release), after: .seconds(4)) == [
                .end(.release), .release(Self.delay), .note(.gaveUp(after: .seconds(4))),
            ])
        // Who is quiet later has nothing to release.
        #expect(feed(&machine, .quiet(1), after: .seconds(5)).isEmpty)
        #expect(machine.sleeps.givenUp == 1)
        for (limit, delay) in [(5, 4), (2, 1_600), (60, 4), (0, 0)] as [(Int64, Int64)] {
            machine.limit = .seconds(limit)
            #expect(machine.delay == (delay > 100 ? .milliseconds(delay) : .seconds(delay)), "\(limit) s")
        }
    }

    @Test func aSleepThatIsCalledOffLeavesTheInhibitorHeld() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        #expect(
            feed(&machine, .sleep(false)) == [
                .end(.release), .end(.wake), .end(.alone), .remove(.suspended), .note(.awake),
            ])
        #expect(machine.held == [Self.delay, .shutdown])
        // Quiet for a sleep that is over.
        _ = feed(&machine, .sleep(true))
        #expect(feed(&machine, .quiet(1)).isEmpty && machine.held == [Self.delay, .shutdown])
        #expect(feed(&machine, .quiet(2)).contains(.release(Self.delay)))
    }

    @Test func aWakeWaitsForTheInhibitorButNotForEver() {
        for event in [Machine.Event.refused(Self.delay, "no"), .due(.wake), .vanished, .unreachable("x")] {
            var machine = ready()
            _ = feed(&machine, .sleep(true))
            _ = feed(&machine, .quiet(1))
            _ = feed(&machine, .sleep(false))
            #expect(feed(&machine, event).contains(.remove(.suspended)), "\(event)")
        }
    }

    @Test func anInhibitorThatComesTooLateIsReleasedAtOnce() {
        var machine = ready()
        machine.held = [.shutdown]
        machine.asked = [Self.delay]
        _ = feed(&machine, .sleep(true))
        #expect(feed(&machine, .quiet(1)).contains(.note(.quiet(after: .zero, isHeld: false))))
        #expect(feed(&machine, .taken(Self.delay)) == [.release(Self.delay)])
    }

    @Test func aRefusalIsSaidOnceAndSleepIsFollowedAllTheSame() {
        var machine = ready()
        machine.held = [.shutdown]
        let again = Machine.Action.begin(.refused, .seconds(300))
        #expect(feed(&machine, .refused(Self.delay, "polkit")) == [.note(.refused(Self.delay, "polkit")), again])
        #expect(feed(&machine, .refused(Self.delay, "polkit")) == [again])
        #expect(feed(&machine, .sleep(true)).contains(.add(.suspended)))
        // logind lets nobody hold up what is under way.
        machine.refusals = []
        #expect(feed(&machine, .refused(Self.delay, "in progress")).isEmpty)
    }

    /// It was as if it had been taken, for good: nobody delays what is under way, but this delays nothing.
    @Test func aPowerKeyThatIsRefusedWhileTheMachineSleepsIsSaidAndAskedForAgain() {
        var machine = ready { $0.powerKey = .take }
        _ = feed(&machine, .sleep(true))
        _ = feed(&machine, .quiet(1))
        machine.held = []
        #expect(feed(&machine, .appeared).contains(.take(.powerKey)))
        #expect(feed(&machine, .refused(.powerKey, "polkit")).first == .note(.refused(.powerKey, "polkit")))
        let actions = feed(&machine, .sleep(false))
        #expect(actions.contains(.take(Self.delay)) && actions.contains(.take(.powerKey)))
    }

    /// It was not asked for before the next wake: a board that never sleeps had none for good.
    @Test func whatIsRefusedWhileTheMachineIsAwakeIsAskedForAgain() {
        var machine = Machine(LoginSettings(), ownSession: nil)
        _ = machine.use(LoginSettings())
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .refused(.shutdown, "polkit")).last == .begin(.refused, .seconds(300)))
        #expect(feed(&machine, .refused(.sleep, "polkit")).last == .begin(.refused, .seconds(300)))
        #expect(feed(&machine, .due(.refused)) == [.take(.shutdown), .take(.sleep)])
        // They are not answered yet.
        #expect(feed(&machine, .due(.refused)).isEmpty)
        _ = feed(&machine, .taken(.shutdown))
        _ = feed(&machine, .refused(.sleep, "polkit"))
        // Nobody holds up what is under way; the wake asks.
        _ = feed(&machine, .sleep(true))
        #expect(feed(&machine, .due(.refused)).isEmpty)
        #expect(feed(&machine, .sleep(false)).contains(.take(.sleep)))
        _ = feed(&machine, .refused(.sleep, "polkit"))
        _ = feed(&machine, .vanished)
        #expect(feed(&machine, .due(.refused)).isEmpty)
        machine.hostEnds()
        #expect(feed(&machine, .refused(.sleep, "polkit")).isEmpty)
    }

    @Test func aHostThatIgnoresSleepHoldsUpShutdownOnly() {
        var machine = ready { $0.sleep = .ignore }
        #expect(machine.held == [.shutdown])
        #expect(feed(&machine, .sleep(true)).isEmpty && machine.sleep == .awake)
    }

    // MARK: - logind goes and comes

    @Test func aWakeThatNobodyToldOfIsReadFromLogind() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        _ = feed(&machine, .quiet(1))
        #expect(feed(&machine, .vanished) == [.end(.patience), .begin(.alone, .seconds(30)), .note(.away)])
        // It would refuse what holds up a sleep that may be under way.
        #expect(
            feed(&machine, .appeared) == [
                .askManager, .begin(.patience, .seconds(10)), .take(.shutdown), .find(.id("2")),
            ])
        let actions = feed(&machine, .manager(.init(isPreparingForSleep: false)))
        #expect(actions.contains(.take(Self.delay)) && !actions.contains(.remove(.suspended)))
        #expect(feed(&machine, .taken(Self.delay)).contains(.remove(.suspended)))
    }

    @Test func aSleepThatNobodyToldOfIsReadFromLogind() {
        var machine = ready()
        _ = feed(&machine, .vanished)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .manager(.init(isPreparingForSleep: true))).contains(.add(.suspended)))
        #expect(feed(&machine, .refused(Self.delay, "in progress")).isEmpty)
    }

    @Test func aNewLogindIsAskedAnewForWhatIsStillHeld() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        _ = feed(&machine, .vanished)
        _ = feed(&machine, .appeared)
        #expect(machine.held == [Self.delay, .shutdown])
        #expect(feed(&machine, .manager(.init(isPreparingForSleep: false))).contains(.take(Self.delay)))
    }

    @Test func whatWasRefusedWhileTheMachineSleptIsAskedForAgain() {
        var machine = Machine(LoginSettings(), ownSession: nil)
        _ = machine.use(LoginSettings())
        _ = feed(&machine, .appeared)
        _ = feed(&machine, .taken(.shutdown))
        _ = feed(&machine, .refused(Self.delay, "in progress"))
        #expect(feed(&machine, .sleep(false)) == [.take(Self.delay)])
        #expect(feed(&machine, .sleep(false)).isEmpty)
        // A new logind refuses because it prepares, and the machine wakes: what an earlier one gave is worth nothing.
        _ = feed(&machine, .taken(Self.delay))
        _ = feed(&machine, .appeared)
        _ = feed(&machine, .manager(.init(isPreparingForSleep: true)))
        _ = feed(&machine, .refused(Self.delay, "in progress"))
        #expect(feed(&machine, .sleep(false)).contains(.take(Self.delay)))
    }

    @Test func aHostThatHearsNothingAnyMoreIsNotQuietForEver() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        _ = feed(&machine, .quiet(1))
        _ = feed(&machine, .unreachable("x"))
        // Further attempts do not begin the wait anew.
        _ = feed(&machine, .retry)
        #expect(feed(&machine, .unreachable("x")) == [.end(.patience), .retryLater])
        #expect(feed(&machine, .due(.alone)).suffix(2) == [.remove(.suspended), .note(.surelyAwake)])
    }

    @Test func aLogindThatDoesNotSayWhetherTheMachineSleepsIsNoReasonToStayQuiet() {
        var machine = ready()
        _ = feed(&machine, .sleep(true))
        _ = feed(&machine, .quiet(1))
        _ = feed(&machine, .vanished)
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .manager(.init())) == [.end(.patience), .note(.works)])
        // The next sleep is to wait again.
        let actions = feed(&machine, .due(.alone))
        #expect(actions.contains(.remove(.suspended)) && actions.contains(.take(Self.delay)))
        #expect(feed(&machine, .due(.alone)).isEmpty)
    }

    @Test func aShorterLimitThatIsToldLateHoldsFromTheBeginningOfTheSleep() {
        var machine = Machine(LoginSettings(), ownSession: nil)
        _ = machine.use(LoginSettings())
        _ = feed(&machine, .appeared)
        #expect(feed(&machine, .sleep(true)).contains(.begin(.release, .seconds(4))))
        let actions = feed(&machine, .manager(.init(isPreparingForSleep: true, limit: .seconds(2))), after: .seconds(1))
        #expect(actions.contains(.begin(.release, .milliseconds(600))))
    }

    // MARK: - Shutdown

    @Test func aShutdownEndsTheHostWhichHoldsItUpToItsEnd() {
        var machine = ready()
        #expect(feed(&machine, .shutdown(true)) == [.note(.shutdownComes), .shutDown])
        machine.hostEnds()
        #expect(feed(&machine, .shutdown(true)).isEmpty)
        // There is no way back from an end.
        #expect(feed(&machine, .shutdown(false)) == [.note(.shutdownCancelled)])
        #expect(feed(&machine, .lock).isEmpty)
        #expect(machine.held == [Self.delay, .shutdown])
        let actions = machine.stop()
        #expect(actions.contains(.release(Self.delay)) && actions.contains(.release(.shutdown)))
    }

    @Test func aShutdownThatWasCalledOffBeforeChangesNothing() {
        var machine = ready()
        #expect(feed(&machine, .shutdown(false)).isEmpty)
    }

    @Test func aSleepDuringTheEndWaitsForItAndNoLongerThanForOthers() {
        var machine = ready()
        machine.hostEnds()
        let actions = feed(&machine, .sleep(true))
        #expect(actions.contains(.begin(.release, .seconds(4))) && !actions.contains(.add(.suspended)))
        #expect(feed(&machine, .due(.release), after: .seconds(4)).contains(.release(Self.delay)))
    }

    // MARK: - A reload

    @Test func otherSettingsTakeEffect() {
        var machine = ready { $0.powerKey = .take }
        _ = feed(&machine, .lock)
        _ = feed(&machine, .sleep(true))
        var settings = LoginSettings()
        settings.sleep = .ignore
        let actions = machine.use(settings)
        // Who waits for the word of the wake hears it.
        #expect(actions.contains(.note(.awake)) && !actions.contains(.release(.shutdown)))
        #expect(actions.contains(.release(Self.delay)) && actions.contains(.release(.powerKey)))
        #expect(actions.contains(.remove(.suspended)) && actions.contains(.connect))
        // Whether it is locked is asked again.
        #expect(!actions.contains(.remove(.locked)))
        settings.bus = .off
        let off = machine.use(settings)
        #expect(off.contains(.remove(.locked)) && !off.contains(.connect) && !off.contains(.note(.awake)))
        #expect(off.contains(.release(.shutdown)) && machine.held.isEmpty)
    }
}
