import Foundation
import Testing

/// `mediahost timers`: what is over while no host runs. The desktop and systemd are mocked: neither is there on the build machines.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: MockLogind.isThere, "dbus-daemon and python3-dbusmock (Debian packages) are not installed"))
struct TimerDeliveryTests {
    private let place: Workplace
    private let bus: SystemBus
    private let desktop: MockNotifications

    init() async throws {
        place = try Workplace()
        bus = try await SystemBus(in: place)
        desktop = try await MockNotifications(on: bus, in: place)
        try place.write(config, to: "config.yaml")
    }

    /// With a pipeline that is not started for it, and a rule that needs that.
    private var config: String {
        """
        mediahost: 1
        pipelines:
          camera: { launch: "videotestsrc is-live=true ! filesink location=\(place.path("camera.raw"))" }
        plugins:
          laundry:
            module: LaundryTimers
            pets: [{ id: snowy }, { id: fluffy }]
        rules:
          - when: org.mediahost.laundry-timers.finished
            exec: [sh, -c, 'echo "$1" >> \(place.path("finished.txt"))', sh, "$(payload.timer)"]
          - when: org.mediahost.laundry-timers.finished
            pipeline: { restart: camera }
        """
    }

    private var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
            "XDG_STATE_HOME": place.path("state"), "MEDIAHOST_SOCKET": place.path("control.sock"),
        ]
    }

    private func withHost(_ body: (MediahostProcess) async throws -> Void) async throws {
        try await EndToEndTests.withHost(config, in: place, environment: environment) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
        }
    }

    private func deliver(_ words: String...) async throws -> Tool.Result {
        try await Tool.run(
            Workplace.mediahost, ["timers", "deliver"] + words + ["config.yaml"], environment: environment,
            in: place.directory)
    }

    /// Starts a timer, and kills the host at once.
    private func start(_ pet: String, _ duration: String) async throws -> Int {
        var end = 0
        try await withHost { host in
            let timer = try await host.answer(
                "call", "laundry.start", "pet=\(pet)", "kind=wash", "duration=\(duration)")
            end = try #require(timer["ends_at"].int)
        }
        return end
    }

    private func pass(_ moment: Int) async throws {
        try await Deadline.poll("the end", within: .seconds(90)) { isOver(moment) ? true : nil }
    }

    private func isOver(_ moment: Int) -> Bool { Date().timeIntervalSince1970 * 1e9 > Double(moment) }

    @Test func whatIsOverIsToldOnceWithAMockedDesktop() async throws {
        let timer = try await startedAndKilled()
        try? FileManager.default.removeItem(atPath: place.path("camera.raw"))
        let first = try await deliver("--arm", "none")
        #expect(first.ending == .exit(0) && first.output == "1 timer told; none is running\n", "\(first)")
        try await desktop.log.next(containing: "shown Wash Complete!")
        // All that its rule does is done when it ends.
        #expect(place.lines("finished.txt").filter { $0 == timer }.count == 1)
        #expect(!FileManager.default.fileExists(atPath: place.path("camera.raw")))
        let second = try await deliver("--arm", "none")
        #expect(second.output == "0 timers told; none is running\n", "\(second)")
        try await withHost { host in
            #expect(try await host.answer("call", "laundry.list")["due"].int == 1)
            try place.write("77", to: "next")
            let third = try await deliver("--next-file", "next")
            #expect(third.ending == .exit(0) && third.output == "A host runs and tells by itself.\n", "\(third)")
            // What an earlier one wrote is no moment to look again.
            #expect(try FileManager.default.attributesOfItem(atPath: place.path("next"))[.size] as? Int == 0)
            try await host.terminate()
        }
        #expect(place.lines("finished.txt").filter { $0 == timer }.count == 1)
    }

    /// A timer that is over now, and that no host has told: a slow machine may kill a host later than its timer ends.
    private func startedAndKilled() async throws -> String {
        for (number, duration) in ["1s", "10s", "60s"].enumerated() {
            let end = try await start("snowy", duration)
            // No host has seen its end; its rules may go on for a moment after a host was killed.
            let isInTime = !isOver(end)
            try await pass(end)
            if isInTime { return "snowy/\(number + 1)" }
            try await withHost { host in
                _ = try await host.answer("call", "laundry.stop", "pet=snowy")
                try await host.terminate()
            }
        }
        throw LineLog.Missing(description: "no host was killed before its timer ended")
    }

    @Test func theNextOneIsArmedAtAMockedSystemd() async throws {
        let systemd = try await MockSystemd(on: bus, in: place)
        let end = try await start("snowy", "1h")
        let armed = try await deliver("--arm", "system", "--next-file", "next")
        #expect(armed.ending == .exit(0) && armed.output.hasPrefix("0 timers told; the next is over at 20"), "\(armed)")
        let line = try await systemd.log.next(containing: "started ")
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == "started" && words.dropFirst().first == "mediahost-timers.timer")
        #expect(words.suffix(2) == ["clock", "once"])
        let second = try #require(words.dropFirst(2).first.flatMap { Int($0.dropFirst("OnCalendar=@".count)) })
        // Two clocks are read one after the other, and systemd's calendar has seconds; it must not be early.
        #expect((0...2).contains(second - end / 1_000_000_000), "\(line), \(end)")
        let next = try String(contentsOfFile: place.path("next"), encoding: .utf8)
        #expect(abs((Int(next.dropLast()) ?? 0) - end) < 1_000_000_000)
        // Another one takes its place.
        let arm = try await Tool.run(
            Workplace.mediahost, ["timers", "arm", "--arm", "system", "--next-file", "next"], environment: environment,
            in: place.directory)
        #expect(arm.ending == .exit(0), "\(arm)")
        try await systemd.log.next(containing: "stopped mediahost-timers.timer")
        #expect(try await systemd.log.next(containing: "started ") == line)
        try await withHost { host in
            _ = try await host.answer("call", "laundry.stop", "pet=snowy")
            try await host.terminate()
        }
        #expect(try await deliver("--arm", "system").output == "0 timers told; none is running\n")
        try await systemd.log.next(containing: "stopped mediahost-timers.timer")
    }

    /// A board that wakes in 1970 has nothing to look for but its clock.
    @Test(.enabled(if: MadeUpMachine.isPossible, MadeUpMachine.missing))
    func theClockIsWaitedForAtAMockedSystemd() async throws {
        let systemd = try await MockSystemd(on: bus, in: place)
        _ = try await start("snowy", "1h")
        try await MadeUpMachine.prepare(place)
        let machine = MadeUpMachine().rebooted(after: .seconds(600)).wallClockSet(by: .seconds(-50 * 365 * 86_400))
            .unsynchronised
        let words = try machine.words(in: place) + [Workplace.mediahost]
        let result = try await Tool.run(
            words[0],
            Array(words.dropFirst()) + ["timers", "deliver", "--arm", "system", "--next-file", "next", "config.yaml"],
            environment: environment, in: place.directory)
        #expect(
            result.ending == .exit(0) && result.output == "0 timers told; the next waits for the clock to be set\n",
            "\(result)")
        #expect(
            try await systemd.log.next(containing: "started ")
                == "started mediahost-timers.timer OnActiveSec=600000000 clock once")
        #expect(try String(contentsOfFile: place.path("next"), encoding: .utf8) == "clock\n")
        let arm = try await Tool.run(
            Workplace.mediahost, ["timers", "arm", "--arm", "system", "--next-file", "next"], environment: environment,
            in: place.directory)
        #expect(arm.ending == .exit(0), "\(arm)")
        try await systemd.log.next(containing: "started mediahost-timers.timer OnActiveSec=600000000 clock once")
    }

    /// Between the moment and its arming time passes: it is armed all the same.
    @Test func whatIsPastIsArmedForSoonAtAMockedSystemd() async throws {
        let systemd = try await MockSystemd(on: bus, in: place)
        for (ago, least, most) in [(1.0, 0, 60), (3600.0, 500, 700)] {
            let now = Date().timeIntervalSince1970
            try place.write("\(Int((now - ago) * 1e9))\n", to: "next")
            let arm = try await Tool.run(
                Workplace.mediahost, ["timers", "arm", "--arm", "system", "--next-file", "next"],
                environment: environment,
                in: place.directory)
            #expect(arm.ending == .exit(0), "\(arm)")
            let line = try await systemd.log.next(containing: "started ")
            let second = try #require(line.split(separator: "@").last?.split(separator: " ").first.flatMap { Int($0) })
            #expect((least...most).contains(second - Int(now)), "\(line), \(now)")
        }
    }

    /// What could not be told is tried again, and nothing that was armed is forgotten for it.
    @Test func whatFailsIsTriedAgainAtAMockedSystemd() async throws {
        let systemd = try await MockSystemd(on: bus, in: place)
        try FileManager.default.createDirectory(
            atPath: place.path("state/mediahost/plugins/laundry/timers.db"), withIntermediateDirectories: true)
        let result = try await deliver("--arm", "system", "--next-file", "next")
        #expect(result.ending == .exit(1) && result.errors.contains("cannot keep timers"), "\(result)")
        let line = try await systemd.log.next(containing: "started ")
        let second = try #require(line.split(separator: "@").last?.split(separator: " ").first.flatMap { Int($0) })
        #expect((200...301).contains(second - Int(Date().timeIntervalSince1970)), "\(line)")
        #expect(!(try String(contentsOfFile: place.path("next"), encoding: .utf8)).isEmpty)
    }

    @Test func whatCannotBeDoneIsSaid() async throws {
        let none = try await deliver("--arm", "system")
        #expect(none.ending == .exit(1) && none.errors.contains("cannot take away the timer"), "\(none)")
        let auto = try await deliver()
        #expect(auto.ending == .exit(0) && auto.output.contains("Not armed: "), "\(auto)")
        #expect(try await deliver("--arm", "nobody").ending == .exit(2))
        try place.write("mediahost: 1\npipelines: { a: { launch: fakesrc ! fakesink } }\n", to: "config.yaml")
        let without = try await deliver()
        #expect(without.ending == .exit(0) && without.output.contains("no plugin that keeps timers"), "\(without)")
        try place.write("tomorrow", to: "next")
        let wrong = try await Tool.run(
            Workplace.mediahost, ["timers", "arm", "--next-file", "next"], environment: environment, in: place.directory
        )
        #expect(wrong.ending == .exit(1) && wrong.errors.contains("no moment in nanoseconds"), "\(wrong)")
    }
}
