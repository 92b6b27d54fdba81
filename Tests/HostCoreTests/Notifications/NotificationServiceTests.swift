import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// What is decided meets the clock, the log and the instances.
@Suite(.timeLimit(.minutes(10))) struct NotificationServiceTests {
    init() { MainLoopThread.start() }

    @HostActor
    private final class House {
        let bus = ScriptedBus()
        let clock = VirtualClock()
        let timers: TimerService
        let log = Recorder<String>()
        let service: NotificationService
        private(set) var heard: [String] = []

        init() {
            timers = TimerService(clock: clock)
            service = NotificationService(
                bus: bus, clock: clock, timers: timers,
                log: Log(upTo: .debug) { [log] level, _, text in log.record("\(level): \(text)") })
        }

        @discardableResult
        func show(
            _ summary: String = "a", of instance: String = "it",
            _ change: (inout NotificationRequest) -> Void = { _ in }
        ) -> NotificationAnswer {
            var request = NotificationRequest(summary)
            change(&request)
            return service.show(request, for: instance, called: "It") { [weak self] token, report in
                self?.heard.append("\(token) \(report)")
            }
        }

        func turn() async {
            await withCheckedContinuation { continuation in HostActor.enqueue { continuation.resume() } }
        }
    }

    @Test @HostActor func whatIsHeardComesInALaterTurn() async {
        let it = House()
        it.service.prepare()
        it.bus.serve()
        it.show { $0.key = "k" }
        it.bus.tell(.sent(1, .shown(7)))
        it.show { $0.key = "k" }
        #expect(it.heard.isEmpty)
        await it.turn()
        #expect(it.heard == ["1 closed(HostCore.NotificationEnd.replaced)"])
    }

    @Test @HostActor func aServiceThatNeverAnswersHasADeadline() async {
        let it = House()
        it.show()
        it.bus.serve()
        #expect(it.bus.takeCalls() == ["connect", "ask", "send 1"])
        it.clock.advance(by: NotificationService.patience)
        await it.turn()
        #expect(it.heard == ["1 closed(HostCore.NotificationEnd.failed)"])
        #expect(it.show() == .kept(2))
        #expect(it.log.elements == ["warning: notifications wait: the notification service did not answer within 10s"])
        // Its answer comes after all.
        it.bus.tell(.sent(1, .shown(7)))
        #expect(it.bus.takeCalls() == ["close 7", "send 2"])
        #expect(it.log.elements.last == "notice: the notification service answers; notifications that waited: 1")
        #expect(it.clock.pendingCount == 1)
        it.bus.tell(.sent(2, .shown(8)))
        #expect(it.clock.pendingCount == 0)
    }

    @Test @HostActor func aBusThatDoesNotAnswerIsTriedLessAndLess() async {
        let it = House()
        it.show()
        it.clock.advance(by: NotificationService.patience)
        #expect(it.bus.takeCalls() == ["connect", "disconnect"])
        var pauses: [Int64] = []
        for _ in 0..<8 {
            let began = it.clock.monotonic()
            while !it.bus.calls.contains("connect") { it.clock.advance(by: .seconds(1)) }
            pauses.append((it.clock.monotonic() - began).nanoseconds / 1_000_000_000)
            _ = it.bus.takeCalls()
            it.bus.tell(.unreachable("refused"))
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300])
        #expect(
            it.log.elements == ["warning: notifications wait: cannot reach the bus: the bus did not answer in time"])
    }

    @Test @HostActor func whatWaitsExpiresInSuspendToo() async {
        let it = House()
        it.service.prepare()
        it.bus.tell(.vanished)
        #expect(it.show { $0.expiry = .after(.seconds(60)) } == .kept(1))
        it.clock.suspend(for: .seconds(61))
        await it.turn()
        #expect(it.heard == ["1 closed(HostCore.NotificationEnd.expired)"])
        #expect(it.clock.pendingCount == 0)
        it.bus.serve()
        #expect(it.bus.messages.isEmpty)
    }

    @Test @HostActor func withoutABusItIsSaidOnceAndNothingWaits() {
        let it = House()
        it.bus.absence = "there is none"
        #expect(it.show() == .unavailable)
        #expect(it.show() == .unavailable)
        #expect(it.log.elements == ["notice: notifications of plugins are not shown: there is none; said once"])
        #expect(it.bus.calls.isEmpty && it.clock.pendingCount == 0)
        // A session begins after all.
        it.bus.absence = nil
        #expect(it.show() == .onItsWay(1))
    }

    @Test @HostActor func whoIsGoneHearsNothing() async {
        let it = House()
        it.service.prepare()
        it.bus.serve()
        it.show()
        it.bus.tell(.sent(1, .shown(7)))
        it.show(of: "other")
        it.bus.tell(.sent(2, .shown(8)))
        it.service.end("it")
        it.service.withdraw(2)
        it.bus.tell(.closed(7, code: 1))
        it.bus.tell(.closed(8, code: 1))
        await it.turn()
        #expect(it.heard.isEmpty)
        #expect(it.bus.takeCalls().last == "close 8")
    }

    @Test @HostActor func anotherBusTakesWhatWaits() async {
        let it = House()
        it.show()
        it.bus.tell(.vanished)
        let other = ScriptedBus()
        it.service.use(other)
        #expect(it.bus.takeCalls().last == "disconnect")
        #expect(other.takeCalls() == ["connect"])
        other.serve()
        #expect(other.takeCalls() == ["ask", "send 1"])
        // Nobody listens to the old one.
        it.bus.tell(.vanished)
        other.tell(.sent(1, .shown(7)))
        let none = ScriptedBus()
        none.absence = "the config says notifications: off"
        it.service.use(none)
        await it.turn()
        #expect(it.heard == ["1 closed(HostCore.NotificationEnd.gone)"])
        #expect(it.show() == .unavailable)
    }

    @Test @HostActor func theEndWaitsForWhatIsSentButNotLong() {
        let it = House()
        var ends = 0
        it.service.finish { ends += 1 }
        it.bus.flushed?()
        #expect(ends == 1 && it.clock.pendingCount == 0)
        it.service.finish { ends += 1 }
        it.clock.advance(by: NotificationService.lastWait)
        #expect(ends == 2)
        it.bus.flushed?()
        #expect(ends == 2)
    }
}
