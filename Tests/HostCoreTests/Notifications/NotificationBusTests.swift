import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// GDBus, a real bus and a notification service of the test's own.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PrivateBus.program != nil, "dbus-daemon (Debian package dbus-daemon) is not installed"))
struct NotificationBusTests {
    private let directory: TemporaryDirectory
    private let bus: PrivateBus

    init() async throws {
        MainLoopThread.start()
        directory = try TemporaryDirectory()
        bus = try await PrivateBus(in: directory)
    }

    @HostActor
    private final class House {
        let clock = VirtualClock()
        let service: NotificationService
        let heard = Mailbox<String>()
        let lines = Mailbox<String>()

        init(_ address: String) {
            service = NotificationService(
                bus: DBusNotificationBus(BusAddress(of: .session, ["DBUS_SESSION_BUS_ADDRESS": address])),
                clock: clock, timers: TimerService(clock: clock),
                log: Log(upTo: .debug) { [lines] level, _, text in
                    HostActor.assumeIsolated { lines.put("\(level): \(text)") }
                })
        }

        func show(
            _ summary: String = "a", _ change: (inout NotificationRequest) -> Void = { _ in }
        ) -> NotificationAnswer {
            var request = NotificationRequest(summary)
            change(&request)
            return service.show(request, for: "washer", called: "Washer") { [heard] token, report in
                switch report {
                case .chosen(let action): heard.put("\(token) chose \(action)")
                case .closed(let why): heard.put("\(token) \(why)")
                }
            }
        }
    }

    @Test @HostActor func everyPartOfANotificationArrives() async throws {
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        try server.appear()
        let house = House(bus.address)
        let answer = house.show("Wash <complete>") {
            $0.body = "5 > 4 & so on: ä"
            $0.icon = "dialog-information"
            $0.category = "transfer.complete"
            $0.sound = "complete"
            $0.urgency = .critical
            $0.expiry = .after(.milliseconds(2500))
            $0.isResident = true
            $0.isTransient = true
            $0.actions = [.init(id: "dry", label: "Dry it"), .init(id: "default", label: "Show")]
        }
        #expect(answer == .onItsWay(1))
        let call = await server.notified.next()
        #expect(
            call
                == .init(
                    number: 41, application: "Washer", replaces: 0, icon: "dialog-information",
                    summary: "Wash <complete>", body: "5 &gt; 4 &amp; so on: ä",
                    actions: ["dry", "Dry it", "default", "Show"],
                    hints: "{'urgency': <byte 0x02>, 'category': <'transfer.complete'>, 'sound-name': <'complete'>, "
                        + "'resident': <true>, 'transient': <true>}",
                    expire: 2500))
        try server.choose("dry", of: 41)
        #expect(await house.heard.next() == "1 chose dry")
        try server.close(41, 2)
        #expect(await house.heard.next() == "1 dismissed")
        #expect(house.lines.waiting.isEmpty)
    }

    @Test @HostActor func aKeyReplacesAndAWithdrawalCloses() async throws {
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        server.abilities = ["body"]
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1") {
            $0.key = "k"
            $0.body = "a & b"
            $0.actions = [.init(id: "x", label: "X")]
        }
        // Neither markup nor actions for a service that has none.
        let first = await server.notified.next()
        #expect(first.body == "a & b" && first.actions == [] && first.expire == -1)
        _ = house.show("2") { $0.key = "k" }
        #expect(await house.heard.next() == "1 replaced")
        let second = await server.notified.next()
        #expect(second.replaces == first.number && second.summary == "2")
        house.service.withdraw(2)
        #expect(await server.closed.next() == first.number)
    }

    @Test @HostActor func aServiceComesGoesAndComesBack() async throws {
        let house = House(bus.address)
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        // Nobody is there, which turns out later.
        #expect(house.show("early") == .onItsWay(1))
        #expect(await house.lines.next().hasPrefix("notice: notifications wait: nobody on the bus shows them: "))
        #expect(house.show("kept") == .kept(2))
        #expect(house.show("withdrawn") == .kept(3))
        house.service.withdraw(3)
        #expect(house.show("lasting") { $0.expiry = .never } == .kept(4))
        try server.appear()
        #expect(await server.notified.next().summary == "early")
        #expect(await server.notified.next().summary == "kept")
        #expect(await server.notified.next().summary == "lasting")
        #expect(await house.lines.next() == "notice: the notification service answers; notifications that waited: 3")
        // It goes.
        try server.vanish()
        #expect(await house.heard.next() == "1 gone")
        #expect(await house.heard.next() == "2 gone")
        #expect(house.show("while away") == .kept(5))
        // Another one comes.
        let other = try MockNotificationServer(bus.address)
        defer { other.leave() }
        try other.appear()
        let again = await other.notified.next()
        #expect(again.summary == "lasting" && again.replaces == 0)
        #expect(await other.notified.next().summary == "while away")
        #expect(server.notified.waiting.isEmpty)
    }

    @Test @HostActor func aServiceThatNeverAnswersHasADeadline() async throws {
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        server.isSilent = true
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1")
        let call = await server.notified.next()
        house.clock.advance(by: NotificationService.patience)
        #expect(await house.heard.next() == "1 failed")
        #expect(house.show("2") == .kept(2))
        // It wakes up: what nobody waits for any more does not stay on the screen.
        server.isSilent = false
        server.answer()
        #expect(await server.closed.next() == call.number)
        #expect(await server.notified.next().summary == "2")
    }

    @Test @HostActor func aServiceThatCrashesIsNoRefusal() async throws {
        let server = try MockNotificationServer(bus.address)
        server.isSilent = true
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1")
        _ = await server.notified.next()
        server.leave()
        let other = try MockNotificationServer(bus.address)
        defer { other.leave() }
        try other.appear()
        #expect(await other.notified.next().summary == "1")
        #expect(house.heard.waiting.isEmpty)
    }

    @Test @HostActor func aRefusalIsToldWithTheServicesOwnWords() async throws {
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        server.refuses = true
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1")
        #expect(await house.heard.next() == "1 failed")
        #expect(
            await house.lines.next()
                == "warning: the notification service refused a notification: not that one")
    }

    @Test @HostActor func nobodyElseMaySpeakForTheService() async throws {
        let server = try MockNotificationServer(bus.address)
        let stranger = try MockNotificationServer(bus.address)
        defer {
            server.leave()
            stranger.leave()
        }
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1") { $0.actions = [.init(id: "x", label: "X")] }
        let call = await server.notified.next()
        try stranger.choose("x", of: call.number)
        try stranger.close(call.number, 1)
        // The bus has passed it on before what follows.
        try stranger.ask("GetId")
        try server.close(call.number, 3)
        #expect(await house.heard.next() == "1 closed")
        #expect(house.heard.waiting.isEmpty)
    }

    @Test @HostActor func aBusThatEndsIsFoundAgain() async throws {
        let house = House(bus.address)
        let server = try MockNotificationServer(bus.address)
        try server.appear()
        _ = house.show("1") {
            $0.actions = [.init(id: "x", label: "X")]
            $0.isResident = true
        }
        // A signal after the answer to `Notify`: it is on the screen as far as the host knows.
        try server.choose("x", of: await server.notified.next().number)
        #expect(await house.heard.next() == "1 chose x")
        bus.stop()
        #expect(await house.heard.next() == "1 gone")
        server.leave()
        _ = house.show("2")
        #expect(await house.lines.next().hasPrefix("warning: notifications wait: cannot reach the bus: "))
        #expect(house.show("3") == .kept(3))
        let next = try await PrivateBus(in: directory)
        let other = try MockNotificationServer(next.address)
        defer { other.leave() }
        try other.appear()
        house.clock.advance(by: NotificationService.firstPause)
        #expect(await other.notified.next().summary == "2")
        #expect(await other.notified.next().summary == "3")
        next.stop()
    }

    @Test @HostActor func whatIsWithdrawnAtTheEndIsSentBeforeIt() async throws {
        let server = try MockNotificationServer(bus.address)
        defer { server.leave() }
        try server.appear()
        let house = House(bus.address)
        _ = house.show("1") { $0.endsWithInstance = true }
        let call = await server.notified.next()
        // A signal after the answer to `Notify`: the host has its number then.
        try server.choose("none", of: call.number)
        _ = house.show("2")
        _ = await server.notified.next()
        house.service.end("washer")
        await withCheckedContinuation { continuation in house.service.finish { continuation.resume() } }
        #expect(await server.closed.next() == call.number)
    }
}

/// Where the bus is.
@Suite struct BusAddressTests {
    @Test func theSessionsBusIsTheOneOfTheEnvironment() throws {
        let directory = try TemporaryDirectory()
        let runtime = ["XDG_RUNTIME_DIR": directory.path]
        #expect(BusAddress(of: .session, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]).text == "unix:path=/x")
        #expect(BusAddress(of: .session, ["DBUS_SESSION_BUS_ADDRESS": ""]).text == nil)
        let address = BusAddress(of: .session, runtime)
        #expect(address.text == nil && address.absence?.hasPrefix("there is no session bus") == true)
        // A session begins.
        try "".write(toFile: directory.path("bus"), atomically: true, encoding: .utf8)
        #expect(address.text == "unix:path=\(directory.path("bus"))" && address.absence == nil)
    }

    @Test func theMachinesBusHasItsPlace() {
        #expect(BusAddress(of: .system, [:]).text == "unix:path=/var/run/dbus/system_bus_socket")
        #expect(BusAddress(of: .system, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]).text == "unix:path=/x")
        let off = BusAddress(of: .off, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"])
        #expect(off.text == nil && off.absence == "the config says notifications: off")
    }
}
