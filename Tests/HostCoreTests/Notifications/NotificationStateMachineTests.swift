import GStreamerKit
import Testing

@testable import HostCore

/// What is decided about notifications, without a bus.
@Suite struct NotificationStateMachineTests {
    private typealias Machine = NotificationStateMachine
    private static let abilities = ["actions", "body"]

    /// A machine at a moment that the test moves, and what it wants in words.
    private struct Bench {
        var machine = Machine()
        var now = ClockTime.seconds(100)

        mutating func show(
            _ summary: String = "a", key: String? = nil, of instance: String = "it",
            _ change: (inout NotificationRequest) -> Void = { _ in }
        ) -> (NotificationAnswer, [String]) {
            var request = NotificationRequest(summary)
            request.key = key
            change(&request)
            let (answer, actions) = machine.show(request, for: instance, called: "It", at: now)
            return (answer, words(actions))
        }

        mutating func handle(_ event: Machine.Event) -> [String] { words(machine.handle(event, at: now)) }

        mutating func withdraw(_ token: UInt64) -> [String]? {
            let (found, actions) = machine.withdraw(token)
            return found ? words(actions) : nil
        }

        mutating func end(_ instance: String = "it") -> [String] { words(machine.instanceEnded(instance)) }

        mutating func serve() {
            _ = handle(.appeared)
            _ = handle(.abilities(abilities))
        }

        /// Connected, the service there and ready.
        static func ready() -> Bench {
            var bench = Bench()
            _ = bench.machine.prepare()
            bench.serve()
            return bench
        }

        /// Shown, with this number.
        mutating func shown(
            _ number: UInt32, key: String? = nil, of instance: String = "it",
            _ change: (inout NotificationRequest) -> Void = { _ in }
        ) -> UInt64 {
            let token = show(key: key, of: instance, change).0.token ?? 0
            _ = handle(.sent(token, .shown(number)))
            return token
        }

        private func words(_ actions: [Machine.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .send(let token, let message) where message.replaces != 0: "send \(token) for \(message.replaces)"
                case .send(let token, _): "send \(token)"
                case .close(let number): "close \(number)"
                case .tell(let token, .closed(let why)): "\(token) \(why)"
                case .tell(let token, .chosen(let action)): "\(token) chose \(action)"
                case .note(let note): "note \(note)"
                default: "\(action)"
                }
            }
        }
    }

    @Test func theFirstOneLooksForTheService() {
        var it = Bench()
        #expect(it.show() == (.onItsWay(1), ["connect", "beginDeadline"]))
        #expect(it.show() == (.onItsWay(2), []))
        #expect(it.handle(.appeared) == ["endDeadline", "askAbilities", "beginDeadline"])
        #expect(it.handle(.abilities(Self.abilities)) == ["endDeadline", "send 1", "beginDeadline"])
        // One at a time.
        #expect(it.handle(.sent(1, .shown(70))) == ["endDeadline", "send 2", "beginDeadline"])
        #expect(it.handle(.sent(2, .shown(71))) == ["endDeadline"])
        #expect(it.handle(.closed(70, code: 2)) == ["1 dismissed"])
        #expect(it.handle(.closed(70, code: 2)) == [])
        #expect(it.handle(.closed(71, code: 99)) == ["2 gone"])
    }

    @Test func anActionIsToldWhereItWasOffered() {
        var it = Bench.ready()
        let token = it.shown(7) { $0.actions = [.init(id: "yes", label: "Yes")] }
        #expect(it.handle(.chosen(7, action: "yes")) == ["\(token) chose yes"])
        #expect(it.handle(.chosen(7, action: "default")) == [])
        #expect(it.handle(.chosen(8, action: "yes")) == [])
    }

    @Test func aKeyReplacesWhatIsOnTheScreen() {
        var it = Bench.ready()
        let first = it.shown(7, key: "k")
        #expect(it.shown(8, key: "k", of: "other") != 0)
        #expect(it.show(key: "k") == (.onItsWay(3), ["\(first) replaced", "send 3 for 7", "beginDeadline"]))
        // A press on the old one is nobody's any more.
        #expect(it.handle(.chosen(7, action: "yes")) == [])
        #expect(it.handle(.sent(3, .shown(7))) == ["endDeadline"])
        #expect(it.withdraw(first) == nil)
        #expect(it.withdraw(3) == ["close 7"])
    }

    @Test func aKeyReplacesWhatWaits() {
        var it = Bench()
        _ = it.machine.prepare()
        _ = it.handle(.vanished)
        #expect(it.show("old", key: "k") == (.kept(1), ["startService"]))
        #expect(it.show("new", key: "k") == (.kept(2), ["1 replaced", "startService"]))
        _ = it.handle(.appeared)
        #expect(it.handle(.abilities([])) == ["endDeadline", "send 2", "beginDeadline"])
        #expect(it.handle(.sent(2, .shown(1))) == ["endDeadline"])
    }

    @Test func aKeyReplacesWhatIsOnItsWay() {
        var it = Bench.ready()
        #expect(it.show(key: "k") == (.onItsWay(1), ["send 1", "beginDeadline"]))
        #expect(it.show(key: "k") == (.onItsWay(2), ["1 replaced"]))
        #expect(it.show(key: "k") == (.onItsWay(3), ["2 replaced"]))
        // Only the last one is shown, in the place of the first.
        #expect(it.handle(.sent(1, .shown(7))) == ["endDeadline", "send 3 for 7", "beginDeadline"])
        #expect(it.handle(.sent(3, .shown(7))) == ["endDeadline"])
    }

    @Test func whatIsWithdrawnBeforeItIsShownIsNotLeftThere() {
        var it = Bench.ready()
        _ = it.show()
        #expect(it.show() == (.onItsWay(2), []))
        // Waiting: never sent. Sent: closed as soon as its number is known.
        #expect(it.withdraw(2) == [])
        #expect(it.withdraw(1) == [])
        #expect(it.withdraw(1) == nil)
        #expect(it.handle(.sent(1, .shown(7))) == ["endDeadline", "close 7"])
        // One that was to replace another is withdrawn with it.
        _ = it.shown(8, key: "k")
        _ = it.show("busy")
        _ = it.show(key: "k")
        #expect(it.withdraw(5) == ["close 8"])
        #expect(it.handle(.sent(4, .shown(9))) == ["endDeadline"])
    }

    @Test func whatIsReplacedOnItsWayAndThenWithdrawnIsClosed() {
        var it = Bench.ready()
        _ = it.show(key: "k")
        _ = it.show(key: "k")
        #expect(it.withdraw(2) == [])
        #expect(it.handle(.sent(1, .shown(7))) == ["endDeadline", "close 7"])
    }

    @Test func withoutAServiceItWaitsUntilOneComes() {
        var it = Bench()
        #expect(it.show().0 == .onItsWay(1))
        #expect(it.handle(.vanished) == ["endDeadline", "startService"])
        #expect(it.handle(.notStarted("none")) == ["note noService(\"none\")"])
        #expect(it.show() == (.kept(2), ["startService"]))
        // Said once.
        #expect(it.handle(.notStarted("none")) == [])
        _ = it.handle(.appeared)
        #expect(
            it.handle(.abilities([])) == ["endDeadline", "note works(waiting: 2)", "send 1", "beginDeadline"])
    }

    @Test func whatBecameTooOldMeanwhileIsNotShown() {
        var it = Bench()
        _ = it.machine.prepare()
        _ = it.handle(.vanished)
        #expect(it.machine.nextExpiry == nil)
        _ = it.show { $0.expiry = .after(.seconds(20)) }
        _ = it.show { $0.expiry = .after(.seconds(10)) }
        _ = it.show()
        #expect(it.machine.nextExpiry == .seconds(110))
        it.now = .seconds(110)
        #expect(it.handle(.appeared).first == "2 expired")
        #expect(it.machine.nextExpiry == .seconds(120))
        it.now = .seconds(120)
        #expect(it.machine.expire(at: it.now) == [.tell(1, .closed(.expired))])
        #expect(it.handle(.abilities([])) == ["endDeadline", "send 3", "beginDeadline"])
    }

    @Test func aServiceThatGoesTakesWithItWhatWasShown() {
        var it = Bench.ready()
        let ordinary = it.shown(1)
        let lasting = it.shown(2) { $0.expiry = .never }
        _ = it.show()
        #expect(it.handle(.vanished) == ["endDeadline", "\(ordinary) gone"])
        // What was to stay until somebody closes it and what was not answered come again, in their order.
        _ = it.handle(.appeared)
        #expect(it.handle(.abilities([])).last { $0.hasPrefix("send") } == "send \(lasting)")
        #expect(it.handle(.sent(lasting, .shown(1))) == ["endDeadline", "send 3", "beginDeadline"])
        // Another takes its place without a gap.
        #expect(it.handle(.appeared) == ["endDeadline", "askAbilities", "beginDeadline"])
        #expect(it.handle(.abilities([])) == ["endDeadline", "send \(lasting)", "beginDeadline"])
    }

    @Test func whatNoServiceSurvivesIsGivenUp() {
        var it = Bench.ready()
        _ = it.show("killer")
        for _ in 1...2 {
            // No service is started for it: the one that ended may have died of it.
            #expect(it.handle(.vanished) == ["endDeadline"])
            _ = it.handle(.appeared)
            #expect(it.handle(.abilities([])).contains("send 1"))
        }
        #expect(it.handle(.vanished) == ["endDeadline", "1 failed"])
        _ = it.handle(.appeared)
        #expect(it.handle(.abilities([])) == ["endDeadline"])
    }

    @Test func anAnswerThatIsLostIsNoRefusal() {
        var it = Bench.ready()
        _ = it.show()
        #expect(it.handle(.sent(1, .lost)) == ["endDeadline"])
        #expect(it.handle(.vanished) == ["endDeadline"])
        _ = it.handle(.appeared)
        #expect(it.handle(.abilities([])) == ["endDeadline", "send 1", "beginDeadline"])
    }

    @Test func aServiceThatDoesNotAnswerHoldsUpOne() {
        var it = Bench.ready()
        _ = it.show()
        _ = it.show(key: "k")
        #expect(it.handle(.deadline) == ["note silent", "1 failed"])
        #expect(it.show() == (.kept(3), []))
        #expect(it.withdraw(1) == nil)
        // It wakes up: nobody waits for the first one any more.
        #expect(
            it.handle(.sent(1, .shown(7))) == [
                "endDeadline", "close 7", "note works(waiting: 2)", "send 2", "beginDeadline",
            ])
    }

    @Test func aServiceThatDoesNotEvenSayWhatItCanDoIsWaitedFor() {
        var it = Bench()
        _ = it.show()
        _ = it.handle(.appeared)
        #expect(it.handle(.deadline) == ["note silent"])
        #expect(it.show() == (.kept(2), []))
        #expect(it.handle(.deadline) == [])
        #expect(it.handle(.abilities([])).contains("send 1"))
    }

    @Test func aRefusalEndsThatOneOnly() {
        var it = Bench.ready()
        _ = it.show()
        _ = it.show()
        #expect(
            it.handle(.sent(1, .refused("no"))) == [
                "endDeadline", "note refused(\"no\")", "1 failed", "send 2", "beginDeadline",
            ])
        #expect(it.handle(.sent(2, .refused("no"))) == ["endDeadline", "2 failed"])
    }

    @Test func whatARefusedOneWasToReplaceIsNotLeftThere() {
        var it = Bench.ready()
        _ = it.shown(7, key: "k")
        _ = it.show(key: "k")
        #expect(
            it.handle(.sent(2, .refused("no"))) == ["endDeadline", "note refused(\"no\")", "2 failed", "close 7"])
    }

    @Test func aBusThatCannotBeReachedIsTriedAgain() {
        var it = Bench()
        _ = it.show()
        #expect(it.handle(.deadline).first == "disconnect")
        #expect(it.show() == (.kept(2), []))
        #expect(it.handle(.retry) == ["connect", "beginDeadline"])
        #expect(it.handle(.unreachable("x")) == ["endDeadline", "retryLater"])
        #expect(it.withdraw(1) == [])
        #expect(it.withdraw(2) == [])
        // Nobody wants it any more.
        #expect(it.handle(.retry) == [])
        #expect(it.show() == (.onItsWay(3), ["connect", "beginDeadline"]))
    }

    @Test func theBusMayGoWhileEverythingWorks() {
        var it = Bench.ready()
        let token = it.shown(7)
        #expect(it.handle(.unreachable("closed")) == ["endDeadline", "\(token) gone"])
        #expect(it.show() == (.onItsWay(2), ["connect", "beginDeadline"]))
    }

    @Test func theConfigMayTurnThemOff() {
        var it = Bench.ready()
        _ = it.shown(7)
        _ = it.show()
        #expect(it.machine.busChanged(isThere: false).contains(.tell(2, .closed(.failed))))
        #expect(it.machine.isUnused && it.machine.entries.isEmpty)
    }

    @Test func theOldestOnTheScreenMakesRoom() {
        var it = Bench.ready()
        for number in 1...NotificationLimit.most {
            it.now = it.now + .seconds(1)
            _ = it.shown(UInt32(number))
        }
        it.now = it.now + .seconds(1)
        #expect(it.show() == (.onItsWay(65), ["close 1", "1 crowdedOut", "send 65", "beginDeadline"]))
        #expect(it.show(of: "other").0 == .onItsWay(66))
    }

    @Test func tooManyThatWaitAreRefused() {
        var it = Bench()
        _ = it.machine.prepare()
        _ = it.handle(.vanished)
        for _ in 1...NotificationLimit.most {
            it.now = it.now + .seconds(1)
            #expect(it.show(key: nil).0.token != nil)
        }
        it.now = it.now + .seconds(1)
        #expect(it.show() == (.tooMany, []))
    }

    @Test func aFloodIsRefused() {
        var it = Bench.ready()
        for _ in 1...NotificationLimit.burst { #expect(it.show(key: "k").0.token != nil) }
        #expect(it.show(key: "k").0 == .tooMany)
        it.now = it.now + .milliseconds(200)
        #expect(it.show(key: "k").0.token != nil)
        #expect(it.show(key: "k").0 == .tooMany)
        #expect(it.show(of: "other").0.token != nil)
    }

    @Test func whatAnInstanceShowedStaysUnlessItAskedOtherwise() {
        var it = Bench.ready()
        _ = it.shown(1)
        _ = it.shown(2) { $0.endsWithInstance = true }
        let kept = it.shown(3, key: "k") { $0.actions = [.init(id: "yes", label: "Yes")] }
        _ = it.show { $0.endsWithInstance = true }
        _ = it.show("late")
        #expect(it.end() == ["close 2"])
        #expect(it.handle(.sent(4, .shown(4))) == ["endDeadline", "close 4", "send 5", "beginDeadline"])
        #expect(it.handle(.sent(5, .shown(5))) == ["endDeadline"])
        // Nobody hears of it, but the next life of the instance can replace it.
        #expect(it.handle(.chosen(3, action: "yes")) == [])
        #expect(it.machine.entries.keys.sorted() == [kept])
        #expect(it.show(key: "k") == (.onItsWay(6), ["send 6 for 3", "beginDeadline"]))
    }
}
