import Foundation
import Testing

/// LaundryTimers in a real host, with a real store, kills, and a desktop that is mocked: there is none on the build machines.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: MockLogind.isThere, "dbus-daemon and python3-dbusmock (Debian packages) are not installed"))
struct LaundryTimersTests {
    private let place: Workplace
    private let bus: SystemBus
    private let desktop: MockNotifications

    init() async throws {
        place = try Workplace()
        bus = try await SystemBus(in: place)
        desktop = try await MockNotifications(on: bus, in: place)
    }

    private var config: String {
        """
        mediahost: 1
        plugins:
          laundry:
            module: LaundryTimers
            pets: [{ id: snowy, name: Snowy }, { id: fluffy, name: Fluffy, sound: false }]
        rules:
          - when: org.mediahost.laundry-timers.finished
            exec: [sh, -c, 'echo "$1" >> \(place.path("finished.txt"))', sh, "$(payload.timer)"]
        """
    }

    private var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": place.path("state")]
    }

    private func withHost(_ body: (MediahostProcess) async throws -> Void) async throws {
        try await EndToEndTests.withHost(config, in: place, environment: environment) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
        }
    }

    private func finished() -> [String] {
        let bytes = FileManager.default.contents(atPath: place.path("finished.txt")) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func awaitFinished(_ timers: [String]) async throws {
        try await Deadline.poll("rules that heard of \(timers)") { finished() == timers ? true : nil }
    }

    /// Flow 1 to 6 by a mocked notification service: started, killed, over while nobody is there, told once, and the next step.
    @Test func theWholeFlowWithAMockedDesktop() async throws {
        var end = 0
        try await withHost { host in
            _ = try await host.answer("call", "laundry.start", "pet=fluffy", "kind=wash")
            let again = try await host.ask("call", "laundry.start", "pet=fluffy", "kind=dry")
            #expect(again.errors.contains("fluffy has a wash timer already"), "\(again.errors)")
            #expect(try await host.answer("call", "laundry.stop", "pet=fluffy")["stopped"].string == "fluffy/1")
            let timer = try await host.answer(
                "call", "laundry.start", "pet=snowy", "kind=wash", "duration=5s")
            #expect(timer["timer"].string == "snowy/2" && timer["status"].string == "running")
            end = try #require(timer["ends_at"].int)
            // Killed at once, long before the end, as power is cut.
        }
        try await Deadline.poll("the end of the wash") { Date().timeIntervalSince1970 * 1e9 > Double(end) ? true : nil }
        try await withHost { host in
            let line = try await desktop.log.next(containing: "shown ")
            let start =
                "shown Wash Complete!|Time to move your laundry to the dryer!|default,next,snooze,stop|alarm-clock-elapsed|"
            #expect(line.hasPrefix(start), "\(line)")
            try await awaitFinished(["snowy/2"])
            let pet = try await host.answer("call", "laundry.status", "pet=snowy")
            #expect(pet["state"].string == "neutral" && pet["next_title"].string == "Start Dryer")
            let list = try await host.answer("call", "laundry.list")
            #expect(list["due"].int == 1)
            // Two clocks are read one after the other, and a busy machine may do something else in between.
            let finishedAt = try #require(list["finished"].list.first?["finished_at"].int)
            #expect(abs(finishedAt - end) < 200_000_000)
            try await desktop.tell("choose Wash Complete!|next")
            try await Deadline.poll("the dryer") {
                let pet = try await host.answer("call", "laundry.status", "pet=snowy")
                return pet["state"].string == "drying" ? true : nil
            }
            try await host.terminate()
        }
        try await withHost { host in
            #expect(try await host.answer("call", "laundry.status", "pet=snowy")["state"].string == "drying")
            // Without sound; the first one is not told again.
            _ = try await host.answer("call", "laundry.start", "pet=fluffy", "kind=cycle", "duration=1ms")
            try await desktop.log.next(
                containing: "shown Laundry Time!|Your pet needs attention!|default,next,snooze,stop|-|")
            try await awaitFinished(["snowy/2", "fluffy/4"])
            _ = try await host.answer("call", "laundry.acknowledge", "timer=fluffy")
            try await desktop.log.next(containing: "closed Laundry Time!")
        }
    }

    /// Killed again and again while timers end: each is in the store once, and each rule heard of it.
    @Test func killsLoseNothing() async throws {
        var answered: Set<String> = []
        for round in 0..<4 {
            try await withHost { host in
                for pet in ["snowy", "fluffy"] {
                    _ = try await host.ask("call", "laundry.stop", "pet=\(pet)")
                    let timer = try await host.answer(
                        "call", "laundry.start", "pet=\(pet)", "kind=wash", "duration=\(round * 7 + 1)ms")
                    answered.insert(try #require(timer["timer"].string))
                }
            }
        }
        try await withHost { host in
            try await Deadline.poll("the end of all timers") {
                try await host.answer("call", "laundry.list")["running"].int == 0 ? true : nil
            }
            let due = try await host.answer("call", "laundry.list")["finished"].list.compactMap { $0["timer"].string }
            // The newest of each; those before were acknowledged by the stop.
            #expect(due == ["snowy/7", "fluffy/8"])
            #expect(answered.count == 8)
        }
    }

    @Test func theExampleIsSound() async throws {
        let result = try await Tool.run(
            Workplace.mediahost, ["check", "examples/laundry-timers.yaml"], in: Workplace.checkout)
        #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
    }

    @Test func aSecondHostOnTheStoreIsRefused() async throws {
        try await withHost { host in
            _ = try await host.answer("call", "laundry.summary")
            let other = try Workplace()
            let second = try MediahostProcess(
                other.write(config, to: "config.yaml"), in: other, environment: environment)
            defer { second.send(SIGKILL) }
            let line = try await second.log.next(containing: "another host has it open")
            #expect(line.contains("timers.db") && line.contains("state directory of its own"))
            #expect(try await host.answer("call", "laundry.summary")["pets"].int == 2)
        }
    }
}
