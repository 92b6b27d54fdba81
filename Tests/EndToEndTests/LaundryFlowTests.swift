import Foundation
import Testing

/// Flow 1 to 6: start, watch, leave, finish while away, notification, restore. The clocks are made up, and the desktop and logind
/// are mocked: the build machines have neither, and 45 minutes are long.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: MadeUpMachine.isPossible, MadeUpMachine.missing))
struct LaundryFlowTests {
    private let place: Workplace
    private let bus: SystemBus
    private let desktop: MockNotifications
    private let logind: MockLogind

    init() async throws {
        place = try Workplace()
        bus = try await SystemBus(in: place)
        desktop = try await MockNotifications(on: bus, in: place)
        logind = try await MockLogind(on: bus, in: place)
        try await MadeUpMachine.prepare(place)
    }

    private var config: String {
        """
        mediahost: 1
        plugins:
          laundry:
            module: LaundryTimers
            pets: [{ id: snowy, name: Snowy }]
        rules:
          - name: told
            when: [org.mediahost.laundry-timers.finished, org.mediahost.laundry-timers.opened]
            exec: [sh, -c, 'echo "$@" >> \(place.path("told.txt"))', sh, "$(name)", "$(payload.timer)"]
        """
    }

    private func withHost(on machine: MadeUpMachine, _ body: (MediahostProcess) async throws -> Void) async throws {
        let buses = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        try await EndToEndTests.withHost(
            config, in: place, environment: buses.merging(["XDG_STATE_HOME": place.path("state")]) { $1 },
            machine: machine
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
        }
    }

    private func told() -> [String] {
        let bytes = FileManager.default.contents(atPath: place.path("told.txt")) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { $0.replacingOccurrences(of: "org.mediahost.laundry-timers.", with: "") }
    }

    private func awaitTold(_ lines: [String]) async throws {
        do {
            try await Deadline.poll("rules that heard \(lines)") { told() == lines ? true : nil }
        } catch {
            throw LineLog.Missing(description: "\(error); they heard \(told())")
        }
    }

    private func awaitState(_ state: String, _ host: MediahostProcess) async throws {
        try await Deadline.poll("a pet that is \(state)") {
            try await host.answer("call", "laundry.status", "pet=snowy")["state"].string == state ? true : nil
        }
    }

    @Test func theWholeFlowOnMadeUpClocksWithAMockedDesktopAndAMockedLogind() async throws {
        let minute = 60_000_000_000
        var machine = MadeUpMachine()
        try await withHost(on: machine) { host in
            // 1: started, and on the disk.
            let timer = try await host.answer("call", "laundry.start", "pet=snowy", "kind=wash")
            let (start, end) = (timer["started_at"].int ?? 0, timer["ends_at"].int ?? 0)
            #expect(end - start == 45 * minute && timer["duration"].int == 45 * minute)
            try await awaitState("washing", host)

            // 2: watched, second by second.
            let events = try EventClient(host.socket, query: "?filter=org.mediahost.laundry-timers.update")
            defer { events.close() }
            _ = try await host.answer("call", "laundry.watch", "for=10min")
            var left = Int.max
            for _ in 0..<2 {
                let update = try JSON(try await events.next { $0.name.hasSuffix(".update") }.data)["payload"]
                let shown = try #require(update["timers"].list.first)
                let remaining = try #require(shown["remaining"].int)
                #expect(remaining < left && shown["progress"].double ?? 0 > 0 && shown["status"].string == "running")
                left = remaining
            }

            // 3: left. The machine goes to sleep, and its power is cut there.
            try await logind.log.next(containing: "taken sleep")
            try await logind.tell("sleep true")
            try await logind.log.next(containing: "dropped sleep")
            #expect(try await host.answer("status")["lifecycle"]["desired"].list.first?.string == "suspended")
        }

        // 4: it finishes while nobody is there.
        machine = machine.later(.seconds(46 * 60 + 30))
        try await logind.tell("sleep false")
        #expect(desktop.log.lines.filter { $0.hasPrefix("shown") }.isEmpty)
        try await withHost(on: machine) { host in
            // 5: told by the desktop and by events.
            let line = try await desktop.log.next(containing: "shown ")
            let expected =
                "shown Wash Complete!|Time to move your laundry to the dryer!|default,next,snooze,stop|alarm-clock-elapsed|"
            #expect(line.hasPrefix(expected), "\(line)")
            try await awaitTold(["finished snowy/1"])

            // 6: everything is as it must be, and the next step is one press away.
            let pet = try await host.answer("call", "laundry.status", "pet=snowy")
            #expect(pet["state"].string == "neutral" && pet["stage"].string == "drying" && pet["timer"].keys.isEmpty)
            #expect(pet["next_title"].string == "Start Dryer")
            let list = try await host.answer("call", "laundry.list")
            #expect(list["due"].int == 1)
            let late = try #require(list["finished"].list.first?["late"].int)
            #expect((90_000_000_000..<690_000_000_000).contains(late))
            try await desktop.tell("choose Wash Complete!|next")
            try await awaitState("drying", host)
            try await host.terminate()
        }
        // Nobody is told twice, and the dryer has gone on.
        machine = machine.later(.seconds(30 * 60))
        try await withHost(on: machine) { host in
            let timer = try await host.answer("call", "laundry.status", "pet=snowy")["timer"]
            #expect(timer["timer"].string == "snowy/2" && (1...30 * minute).contains(timer["remaining"].int ?? 0))
            #expect(told() == ["finished snowy/1"])
        }
        // The board was off, and has booted anew: a click on what is shown says which pet it is about.
        machine = machine.rebooted(after: .seconds(31 * 60))
        try await withHost(on: machine) { host in
            let line = try await desktop.log.next(containing: "shown ")
            #expect(line.hasPrefix("shown Dry Complete!|Time to fold your laundry!|"), "\(line)")
            try await awaitTold(["finished snowy/1", "finished snowy/2"])
            try await desktop.tell("choose Dry Complete!|default")
            try await awaitTold(["finished snowy/1", "finished snowy/2", "opened snowy/2"])
            #expect(try await host.answer("call", "laundry.list")["due"].int == 0)
            let pet = try await host.answer("call", "laundry.next", "pet=snowy")
            #expect(pet["state"].string == "idle")
        }
        #expect(desktop.log.lines.filter { $0.hasPrefix("shown") }.count == 2)
    }

    /// A sleep in which the wall clock goes on: a timer of the wall clock is over, and told, when logind says that it has ended.
    @Test func whatBecomesDueInSleepIsToldAfterItWithAMockedDesktopAndAMockedLogind() async throws {
        let machine = MadeUpMachine()
        try await withHost(on: machine) { host in
            _ = try await host.answer("call", "laundry.start", "pet=snowy", "kind=cycle", "basis=wall")
            try await logind.log.next(containing: "taken sleep")
            try await logind.tell("sleep true")
            try await logind.log.next(containing: "dropped sleep")
            try machine.wallClockSet(by: .seconds(31 * 60)).setWallClock(in: place)
            try await logind.tell("sleep false")
            try await desktop.log.next(containing: "shown Laundry Time!|Your pet needs attention!")
            try await awaitTold(["finished snowy/1"])
            try await awaitState("needs-attention", host)
        }
    }
}
