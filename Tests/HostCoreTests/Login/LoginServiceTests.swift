import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// logind over a lifecycle of its own, on a clock that moves when told.
@Suite struct LoginServiceTests {
    private static let delay = LoginInhibitor.sleep

    init() { MainLoopThread.start() }

    /// A plugin that answers when the test says so, and would be waited for longer than any sleep.
    @HostActor
    private final class Participant: LifecycleParticipant {
        let name = "slow"
        let acknowledgeWithin = ClockTime.seconds(60)
        private(set) var token: UInt64?

        func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
            self.token = token
        }
    }

    @HostActor
    private final class House {
        let clock = VirtualClock()
        let bus = ScriptedLoginBus()
        let plugin = Participant()
        let log = Recorder<String>()
        let lifecycle: LifecycleController
        let events: EventHub
        let service: LoginService
        private(set) var ends = 0
        private(set) var told: [Event] = []

        init(_ change: (inout LoginSettings) -> Void = { _ in }) {
            var settings = LoginSettings()
            settings.session = .id("2")
            change(&settings)
            let log = Log(upTo: .debug) { [log] level, _, text in log.record("\(level): \(text)") }
            events = EventHub(clock: clock)
            lifecycle = LifecycleController(clock: clock, events: events, log: log)
            lifecycle.add(plugin)
            var end: (@HostActor () -> Void)?
            let reach = LoginService.Reach(
                lifecycle: lifecycle, events: events, shutDown: { end?() }, busy: { "recording (stopping)" })
            service = LoginService(settings, bus: bus, ownSession: nil, reach: reach, clock: clock, log: log)
            end = { [weak self] in
                self?.ends += 1
                self?.service.hostEnds()
            }
            _ = events.subscribe { [weak self] in self?.told.append($0) }
        }

        /// logind is there, and has given what it was asked for.
        func serve() {
            service.start()
            bus.tell(.appeared)
            bus.tell(.manager(.init(isPreparingForSleep: false, limit: .seconds(5))))
            for inhibitor in service.machine.wanted { bus.tell(.taken(inhibitor)) }
            bus.tell(.found(LoginSession(id: "2", isLocked: false)))
            _ = bus.takeCalls()
        }

        func answer() { plugin.token.map { lifecycle.acknowledge($0, accepted: true) } }
    }

    @Test @HostActor func theInhibitorGoesWhenTheLastOneIsQuiet() async {
        let house = House()
        house.serve()
        house.bus.tell(.sleep(true))
        #expect(house.lifecycle.desired.contains(.suspended))
        house.clock.advance(by: .milliseconds(300))
        #expect(house.bus.takeCalls().isEmpty)
        house.answer()
        #expect(house.bus.takeCalls() == ["release sleep"])
        #expect(house.service.status["sleep"]?["last_ns"]?.int == 300_000_000)
        #expect(house.log.elements.last == "notice: quiet 300 ms after the word of sleep; the machine may sleep")
        house.bus.tell(.sleep(false))
        // Not before the next sleep will wait again.
        #expect(house.bus.takeCalls() == ["take sleep"] && house.lifecycle.desired.contains(.suspended))
        house.bus.tell(.taken(Self.delay))
        #expect(house.lifecycle.desired == [])
    }

    @Test @HostActor func whoIsLateIsNamedAndTheMachineSleeps() async {
        let house = House()
        house.serve()
        house.bus.tell(.sleep(true))
        house.clock.advance(by: .milliseconds(3999))
        #expect(house.bus.takeCalls().isEmpty)
        house.clock.advance(by: .milliseconds(1))
        #expect(house.bus.takeCalls() == ["release sleep"])
        #expect(
            house.log.elements.last
                == "warning: not quiet after 4000 ms: the machine's sleep is not held up longer; still busy: "
                + "recording (stopping)")
        #expect(house.service.status["sleep"]?["given_up"]?.int == 1)
        let released = house.told.last { $0.name == "login.sleep-released" }
        #expect(released?.payload["given_up"]?.bool == true && released?.payload["after_ns"]?.int == 4_000_000_000)
        // Who answers in the end changes nothing.
        house.answer()
        #expect(house.bus.takeCalls().isEmpty)
    }

    /// It was never looked for again: a host that started before the bus did not follow sleep until somebody reloaded it.
    @Test @HostActor func aBusThatIsNotThereYetIsLookedForAgainAndSaidOnce() async {
        let house = House()
        house.bus.absence = "there is no system bus (x)"
        house.service.start()
        for pause in [5, 10, 20, 40, 80, 160, 300, 300] as [Int64] {
            house.bus.tell(.unreachable("there is no system bus (x)"))
            _ = house.bus.takeCalls()
            house.clock.advance(by: .seconds(pause))
            #expect(house.bus.takeCalls() == ["connect"], "\(pause) s")
        }
        #expect(
            house.log.elements == [
                "notice: sleep, shutdown and locks of the machine are not followed: there is no system bus (x): looking again, "
                    + "at last every 5min; `login: { bus: off }` does without"
            ])
        house.bus.tell(.appeared)
        #expect(house.bus.takeCalls().contains("take shutdown"))
        let off = House { $0.bus = .off }
        off.bus.absence = "the config says so"
        off.service.start()
        #expect(off.bus.takeCalls() == ["disconnect"] && off.log.elements.isEmpty && off.clock.pendingCount == 0)
    }

    @Test @HostActor func whatIsRefusedOrNotThereNamesItsKey() async {
        let house = House { $0.powerKey = .take }
        house.service.start()
        house.bus.tell(.appeared)
        for inhibitor in [LoginInhibitor.sleep, .shutdown, .powerKey] {
            house.bus.tell(.refused(inhibitor, "Permission denied"))
            let text = house.log.elements.last ?? ""
            #expect(text.contains("inhibitor for \(inhibitor.what) (\(inhibitor.mode)): Permission denied"), "\(text)")
            #expect(text.contains(inhibitor.action) && text.contains("`login: { \(inhibitor.way) }`"), "\(text)")
        }
        house.bus.tell(.notFound("no session 2"))
        #expect(
            house.log.elements.last
                == "notice: there is no session whose lock could be followed: no session 2: `login: { session: 2 }` asks for "
                + "this one alone, `session: auto` for the active one, too")
        // Slowly, and without a word.
        _ = house.bus.takeCalls()
        house.clock.advance(by: .seconds(300))
        #expect(house.bus.takeCalls() == ["take shutdown", "take sleep", "take handle-power-key"])
    }

    @Test @HostActor func aBusThatCannotBeReachedIsTriedLessAndLessOften() async {
        let house = House()
        house.service.start()
        _ = house.bus.takeCalls()
        for pause in [5, 10, 20, 40, 80, 160, 300, 300] as [Int64] {
            house.bus.tell(.unreachable("refused"))
            house.clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(house.bus.takeCalls().isEmpty, "\(pause) s")
            house.clock.advance(by: .milliseconds(1))
            #expect(house.bus.takeCalls() == ["connect"], "\(pause) s")
        }
        #expect(house.log.elements.filter { $0.hasPrefix("warning:") }.count == 1)
        // It is there again: from now on soon.
        house.bus.tell(.appeared)
        house.bus.tell(.unreachable("closed"))
        _ = house.bus.takeCalls()
        house.clock.advance(by: .seconds(5))
        #expect(house.bus.takeCalls() == ["connect"])
    }

    @Test @HostActor func theEndLetsEverythingGo() async {
        let house = House { $0.powerKey = .take }
        house.serve()
        house.bus.tell(.shutdown(true))
        house.bus.tell(.shutdown(true))
        #expect(house.ends == 1 && house.bus.takeCalls().isEmpty)
        house.bus.tell(.sleep(true))
        #expect(!house.lifecycle.desired.contains(.suspended))
        house.service.stop()
        #expect(
            house.bus.takeCalls() == ["disconnect", "release handle-power-key", "release shutdown", "release sleep"])
        #expect(house.bus.onEvent == nil && house.clock.pendingCount == 0)
        house.service.stop()
        #expect(house.bus.takeCalls().isEmpty)
    }

    @Test @HostActor func otherSettingsAreFollowedOnTheirOwnBus() async {
        let house = House()
        house.serve()
        house.bus.files = [Self.delay: -1]
        let other = ScriptedLoginBus()
        var settings = LoginSettings()
        settings.sleep = .ignore
        house.service.use(settings, other)
        #expect(house.bus.onEvent == nil && house.bus.files.isEmpty && house.bus.takeCalls() == ["disconnect"])
        #expect(other.takeCalls() == ["disconnect", "release sleep", "connect"])
        other.tell(.appeared)
        #expect(other.takeCalls() == ["ask", "take shutdown", "find ofProcess"])
        let none = ScriptedLoginBus()
        settings.bus = .off
        other.tell(.taken(.shutdown))
        house.service.use(settings, none)
        #expect(none.takeCalls() == ["disconnect", "release shutdown"])
        #expect(house.service.status["bus"]?.string == "off")
    }
}

/// Where the bus is.
@Suite struct LoginBusAddressTests {
    @Test func theMachinesBusIsOneThatIsThere() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("bus")
        let address = LoginBusAddress(.auto, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)"])
        #expect(address.text == nil && address.absence == "there is no system bus (unix:path=\(path))")
        try "".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(address.text == "unix:path=\(path)" && address.absence == nil)
        // Not in the file system: tried.
        #expect(LoginBusAddress(.auto, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:abstract=x"]).text == "unix:abstract=x")
        #expect(LoginBusAddress(.address("unix:path=/nowhere"), [:]).text == "unix:path=/nowhere")
        #expect(LoginBusAddress(.off, [:]).absence != nil)
    }
}
