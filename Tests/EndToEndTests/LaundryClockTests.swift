import Foundation
import Testing

/// What becomes of a timer of 45 minutes when its host is gone for a while: by boottime, wall clock and boot, which are made up.
@Suite(.timeLimit(.minutes(10)), .enabled(if: MadeUpMachine.isPossible, MadeUpMachine.missing))
struct LaundryClockTests {
    static let minute = Duration.seconds(60)
    static let year = Duration.seconds(365 * 86_400)

    struct Fate: Sendable, CustomTestStringConvertible {
        enum End: Sendable {
            /// It runs, and so much of it is over.
            case over(Duration)
            /// It was due so much before.
            case finished(late: Duration)
            /// It runs; nobody knows how long the board was off, so that does not count.
            case overByNothing
            /// Until the clock can be believed. Set right, it was due so much before.
            case waiting(late: Duration, on: MadeUpMachine)
        }

        let testDescription: String
        var basis = "elapsed"
        var before = MadeUpMachine()
        let after: MadeUpMachine
        let end: End

        init(
            _ description: String, basis: String = "elapsed", before: MadeUpMachine = MadeUpMachine(),
            _ after: MadeUpMachine, _ end: End
        ) {
            (testDescription, self.basis, self.before, self.after, self.end) = (description, basis, before, after, end)
        }
    }

    static let fates: [Fate] = {
        let now = MadeUpMachine()
        let soon = now.later(minute * 10)
        let late = now.later(minute * 46)
        var asleep = now
        asleep.boottime = minute * (40 * 24 * 60)
        let clockless = now.rebooted(after: minute * 46)
        return [
            Fate("10 minutes later", soon, .over(minute * 10)),
            Fate("46 minutes later", late, .finished(late: minute)),
            Fate("boottime far ahead", asleep, .finished(late: asleep.boottime - minute * 45)),
            Fate("10 minutes later, the clock a year ahead", soon.wallClockSet(by: year), .over(minute * 10)),
            Fate("10 minutes later, the clock a year back", soon.wallClockSet(by: .zero - year), .over(minute * 10)),
            Fate(
                "46 minutes later, the clock a year back", late.wallClockSet(by: .zero - year), .finished(late: minute)),
            Fate("another boot after 10 minutes", now.rebooted(after: minute * 10), .over(minute * 10)),
            Fate("another boot after 46 minutes", now.rebooted(after: minute * 46), .finished(late: minute)),
            Fate(
                "another boot, nobody has set the clock in either", before: now.unsynchronised,
                now.rebooted(after: minute * 10).unsynchronised, .over(minute * 10)),
            Fate(
                "another boot, the clock set right by a year at last", before: now.unsynchronised,
                now.rebooted(after: minute * 10).wallClockSet(by: year), .overByNothing),
            Fate(
                "another boot, the clock a year back until it is set",
                clockless.wallClockSet(by: .zero - year).unsynchronised,
                .waiting(late: minute * 2, on: clockless.later(minute))),
            Fate("wall clock, 10 minutes later", basis: "wall", soon, .over(minute * 10)),
            Fate(
                "wall clock, set a year ahead", basis: "wall", now.wallClockSet(by: year),
                .finished(late: year - minute * 45)),
            Fate("wall clock, set a year back", basis: "wall", now.wallClockSet(by: .zero - year), .over(.zero - year)),
            Fate(
                "wall clock, another boot after 46 minutes", basis: "wall", now.rebooted(after: minute * 46),
                .finished(late: minute)),
        ]
    }()

    private let place: Workplace

    init() async throws {
        place = try Workplace()
        try await MadeUpMachine.prepare(place)
    }

    /// With the machine's clock before and after each question, so that the answers have bounds, however slow the machine is.
    private final class Span {
        var began = ContinuousClock.now
        var answered = ContinuousClock.now
        var asked = ContinuousClock.now
        var ended = ContinuousClock.now

        /// What has passed between start and question: at least, and at most.
        var bounds: (least: Int, most: Int) {
            (Self.nanoseconds(asked - answered), Self.nanoseconds(ended - began))
        }

        static func nanoseconds(_ duration: Duration) -> Int { Int(duration / .nanoseconds(1)) }
    }

    @Test(arguments: fates, [SIGKILL, SIGTERM])
    func aTimerEndsAtItsTimeOnMadeUpClocks(_ fate: Fate, _ signal: Int32) async throws {
        let span = Span()
        let length = Self.minute * 45
        var started = 0
        try await withHost(on: fate.before) { host in
            span.began = .now
            let timer = try await host.answer(
                "call", "laundry.start", "pet=snowy", "kind=wash", "basis=\(fate.basis)")
            span.answered = .now
            started = try #require(timer["started_at"].int)
            host.send(signal)
            _ = try await host.child.end()
        }
        // Another boot's boottimes are known by the wall clock, which a time service may slew a little.
        let slack = fate.after.boot == fate.before.boot ? 0 : 5_000_000_000
        try await withHost(on: fate.after) { host in
            span.asked = .now
            let list = try await host.answer("call", "laundry.list")
            span.ended = .now
            let (least, most) = span.bounds
            let timer = list["timers"].list.first
            switch fate.end {
            case .over(let passed):
                let left = try #require(timer?["remaining"].int)
                let whole = Span.nanoseconds(length - passed)
                #expect((whole - most - slack...whole - least + slack).contains(left), "\(left) of \(whole)")
                #expect(list["due"].int == 0)
            case .overByNothing:
                let left = try #require(timer?["remaining"].int)
                #expect((Span.nanoseconds(length) - most...Span.nanoseconds(length)).contains(left), "\(left)")
            case .waiting:
                #expect(timer?["status"].string == "waiting-for-clock" && timer?["remaining"].int == nil)
                #expect(list["waiting_for_clock"].int == 1 && list["due"].int == 0)
            case .finished(let late):
                try expect(list, late: late, most: most, slack: slack)
                // On the clock that was set, it was due when that showed this.
                let isSameBoot = fate.after.boot == fate.before.boot
                let jump =
                    isSameBoot
                    ? fate.after.wall - fate.before.wall - (fate.after.boottime - fate.before.boottime) : .zero
                let due = started + Span.nanoseconds(fate.basis == "wall" ? length : length + jump)
                let finished = try #require(list["finished"].list.first?["finished_at"].int)
                // The clocks are read one after the other, on a machine that may do something else in between.
                #expect(abs(finished - due) < 5_000_000_000, "\(finished - due) ns")
                try await awaitHeard(["snowy/1 1"])
            }
            // In order: what was told is noted, and not told again.
            try await host.terminate()
        }
        switch fate.end {
        case .waiting(let late, let machine):
            try await withHost(on: machine) { host in
                span.asked = .now
                let list = try await host.answer("call", "laundry.list")
                span.ended = .now
                try expect(list, late: late, most: span.bounds.most, slack: slack)
                try await awaitHeard(["snowy/1 1"])
            }
        case .finished:
            // Once more on the same machine: it is there, and not told again.
            try await withHost(on: fate.after) { host in
                #expect(try await host.answer("call", "laundry.list")["due"].int == 1)
                _ = try await host.answer("call", "laundry.start", "pet=fluffy", "kind=wash", "duration=1ms")
                try await awaitHeard(["snowy/1 1", "fluffy/2 1"])
                #expect(try await host.answer("status")["rules"]["told"]["fired"].int == 1)
                #expect(try await host.answer("call", "laundry.summary")["redeliveries"].int == 0)
            }
        case .over, .overByNothing: #expect(place.lines("told.txt").isEmpty)
        }
    }

    /// It is noticed when the host starts, which is before somebody asks.
    private func expect(_ list: JSON, late: Duration, most: Int, slack: Int) throws {
        let late = Span.nanoseconds(late)
        let told = try #require(list["finished"].list.first?["late"].int)
        #expect((late - slack...late + most + slack).contains(told), "\(told), not \(late)")
        #expect(list["due"].int == 1 && list["running"].int == 0)
    }

    private func awaitHeard(_ lines: [String]) async throws {
        do {
            try await Deadline.poll("a rule that heard \(lines)") { place.lines("told.txt") == lines ? true : nil }
        } catch {
            throw LineLog.Missing(description: "\(error); it heard \(place.lines("told.txt"))")
        }
    }

    private func withHost(on machine: MadeUpMachine, _ body: (MediahostProcess) async throws -> Void) async throws {
        let config = """
            mediahost: 1
            notifications: off
            plugins:
              laundry:
                module: LaundryTimers
                pets: [{ id: snowy }, { id: fluffy }]
            rules:
              - name: told
                when: org.mediahost.laundry-timers.finished
                exec: [sh, -c, 'echo "$@" >> \(place.path("told.txt"))', sh, "$(payload.timer)", "$(payload.attempt)"]
            """
        try await EndToEndTests.withHost(
            config, in: place, environment: ["XDG_STATE_HOME": place.path("state")], machine: machine
        ) { host in
            try await host.log.next(containing: "mediahost 0.")
            try await body(host)
        }
    }
}
