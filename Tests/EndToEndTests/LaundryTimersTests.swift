import Foundation
import Testing

/// LaundryTimers in a real host, with a real store, kills, and a desktop that is mocked: there is none on the build machines.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
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

    private func config(_ pets: String = "[{ id: snowy, name: Snowy }, { id: fluffy, name: Fluffy, sound: false }]")
        -> String
    {
        """
        mediahost: 1
        plugins:
          laundry:
            module: LaundryTimers
            pets: \(pets)
        rules:
          - name: each
            when: org.mediahost.laundry-timers.finished
            exec: [sh, -c, 'echo "$@" >> \(place.path("finished.txt"))', sh, "$(payload.timer)", "$(payload.attempt)"]
          - name: crowds
            when: org.mediahost.laundry-timers.finished-many
            stdin: json
            exec: [sh, -c, '{ tr -d "\\n"; echo; } >> \(place.path("crowds.txt"))']
        """
    }

    private var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": place.path("state")]
    }

    private func withHost(_ pets: String? = nil, _ body: (MediahostProcess) async throws -> Void) async throws {
        try await EndToEndTests.withHost(
            pets.map { config($0) } ?? config(), in: place, environment: environment
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
        }
    }

    /// What rules were told: timer and attempt, one by one and in crowds.
    private func told() throws -> [String] {
        let crowds = try place.lines("crowds.txt").flatMap { try JSON($0)["payload"]["timers"].list }
        return place.lines("finished.txt") + crowds.map { "\($0["timer"].string ?? "?") \($0["attempt"].int ?? 0)" }
    }

    private func awaitTold(_ timers: [String]) async throws {
        do {
            try await Deadline.poll("rules that heard of \(timers)") { try told() == timers ? true : nil }
        } catch {
            throw LineLog.Missing(description: "\(error); they heard of \(try told())")
        }
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
                "call", "laundry.start", "pet=snowy", "kind=wash", "duration=20s")
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
            try await awaitTold(["snowy/2 1"])
            let pet = try await host.answer("call", "laundry.status", "pet=snowy")
            #expect(pet["state"].string == "neutral" && pet["next_title"].string == "Start Dryer")
            let list = try await host.answer("call", "laundry.list")
            #expect(list["due"].int == 1)
            // Two clocks are read one after the other, and a busy machine may do something else in between.
            let finishedAt = try #require(list["finished"].list.first?["finished_at"].int)
            #expect(abs(finishedAt - end) < 5_000_000_000)
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
            try await awaitTold(["snowy/2 1", "fluffy/4 1"])
            _ = try await host.answer("call", "laundry.acknowledge", "timer=fluffy")
            try await desktop.log.next(containing: "closed Laundry Time!")
        }
    }

    /// Killed again and again while timers end: each is in the store once, and each was told to a rule, where twice with another
    /// attempt.
    @Test func killsLoseNothingWithAMockedDesktop() async throws {
        let names = (0..<8).map { "pet\($0)" }
        let pets = "[\(names.map { "{ id: \($0) }" }.joined(separator: ", "))]"
        var answered: [String] = []
        for round in 0..<4 {
            try await withHost(pets) { host in
                for pet in names[2 * round..<2 * round + 2] {
                    let timer = try await host.answer(
                        "call", "laundry.start", "pet=\(pet)", "kind=wash", "duration=\(round * 7 + 1)ms")
                    answered.append(try #require(timer["timer"].string))
                }
            }
        }
        #expect(answered == (0..<8).map { "pet\($0)/\($0 + 1)" })
        try await withHost(pets) { host in
            try await Deadline.poll("the end of all timers") {
                try await host.answer("call", "laundry.list")["running"].int == 0 ? true : nil
            }
            let list = try await host.answer("call", "laundry.list")
            #expect(list["finished"].list.compactMap { $0["timer"].string } == answered)
            #expect(list["due"].int == answered.count)
            var heard: [String] = []
            try await Deadline.poll("rules that heard of all timers") {
                heard = try told()
                return Set(heard.compactMap { $0.split(separator: " ").first.map(String.init) }) == Set(answered)
                    ? true : nil
            }
            #expect(Set(heard).count == heard.count, "told twice as if it were the first time: \(heard)")
        }
    }

    /// More than a few at once come as lists, and their rule hears of the rest.
    @Test func aCrowdIsToldToItsRuleWithAMockedDesktop() async throws {
        let names = (0..<300).map { "pet\($0)" }
        try await withHost("[\(names.map { "{ id: \($0) }" }.joined(separator: ", "))]") { host in
            let events = try EventClient(host.socket, query: "?filter=org.mediahost.laundry-timers.finished")
            defer { events.close() }
            let timers = names.map { #"{"pet":"\#($0)","kind":"wash","duration":"1ms"}"# }.joined(separator: ",")
            let body = #"{"timers":[\#(timers)]}"#
            let answer = try await HTTPExchange.send(
                "POST /v1/plugins/laundry/commands/start-many HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", to: host.socket)
            #expect(answer.contains(#""started":300"#) || answer.contains(#""started" : 300"#), "\(answer)")
            var one: [String] = []
            var many: [String] = []
            try await Deadline.poll("all of the crowd") {
                one = try events.seen.compactMap { try JSON($0.data)["payload"]["timer"].string }
                many = try place.lines("crowds.txt").flatMap {
                    try JSON($0)["payload"]["timers"].list.compactMap { $0["timer"].string }
                }
                return one.count + many.count >= 300 ? true : nil
            }
            #expect(
                Set(one + many) == Set(names.enumerated().map { "\($1)/\($0 + 1)" }) && one.count + many.count == 300)
            #expect(!one.isEmpty && many.count >= 200)
            // None is more than a rule that runs a program can take.
            try await Deadline.poll("the rules to hear of all, each once") {
                let heard = try told().compactMap { $0.split(separator: " ").first.map(String.init) }
                return heard.count == 300 && Set(heard) == Set(one + many) ? true : nil
            }
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
                other.write(config(), to: "config.yaml"), in: other, environment: environment)
            defer { second.send(SIGKILL) }
            let line = try await second.log.next(containing: "another host has it open")
            #expect(line.contains("timers.db") && line.contains("state directory of its own"))
            #expect(try await host.answer("call", "laundry.summary")["pets"].int == 2)
            let refused = try await second.ask("call", "laundry.start", "pet=snowy", "kind=wash")
            #expect(refused.errors.contains("another host has it open"), "\(refused)")
            // It looks again and again: a host that starts while `timers deliver` has the store has timers when that has ended.
            host.send(SIGKILL)
            try await Deadline.poll("the second host with the store", within: .seconds(30)) {
                let started = try await second.ask("call", "laundry.start", "pet=snowy", "kind=wash", "--json")
                return started.ending == .exit(0) ? true : nil
            }
        }
    }
}
