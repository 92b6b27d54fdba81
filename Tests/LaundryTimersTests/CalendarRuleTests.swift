import HostTestKit
import Testing

@testable import LaundryTimers

@Suite struct CalendarRuleTests {
    /// Seconds since 1970 on the clock on the wall.
    private func wall(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64 = 0, _ minute: Int64 = 0, _ seconds: Int64 = 0
    ) -> Int64 { CivilTime.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + seconds }

    @Test func daysAndDates() {
        #expect(CivilTime.days(1970, 1, 1) == 0 && CivilTime.weekday(0) == 3)
        // 2000-02-29 was a Tuesday.
        #expect(CivilTime.days(2000, 2, 29) == 11_016 && CivilTime.weekday(11_016) == 1)
        for day in stride(from: Int64(-800_000), through: 800_000, by: 137) {
            let date = CivilTime.date(day)
            #expect(CivilTime.days(date.year, date.month, date.day) == day)
            #expect((1...12).contains(date.month) && (1...31).contains(date.day))
        }
    }

    @Test(arguments: [
        // From Thursday, 2026-01-01 00:00:00.
        ("Sat 09:00", [2026, 1, 3, 9, 0, 0], [2026, 1, 10, 9, 0, 0]),
        ("Mon..Fri 07:30,45", [2026, 1, 1, 7, 30, 0], [2026, 1, 1, 7, 45, 0]),
        ("sat..mon 12:00", [2026, 1, 3, 12, 0, 0], [2026, 1, 4, 12, 0, 0]),
        ("Sunday", [2026, 1, 4, 0, 0, 0], [2026, 1, 11, 0, 0, 0]),
        ("*-*-01 08:00", [2026, 1, 1, 8, 0, 0], [2026, 2, 1, 8, 0, 0]),
        ("05-01 08:00:10", [2026, 5, 1, 8, 0, 10], [2027, 5, 1, 8, 0, 10]),
        ("*:0/15", [2026, 1, 1, 0, 15, 0], [2026, 1, 1, 0, 30, 0]),
        ("8..18/5:00", [2026, 1, 1, 8, 0, 0], [2026, 1, 1, 13, 0, 0]),
        ("*:*:*/20", [2026, 1, 1, 0, 0, 20], [2026, 1, 1, 0, 0, 40]),
        ("daily", [2026, 1, 2, 0, 0, 0], [2026, 1, 3, 0, 0, 0]),
        ("hourly", [2026, 1, 1, 1, 0, 0], [2026, 1, 1, 2, 0, 0]),
        ("weekly", [2026, 1, 5, 0, 0, 0], [2026, 1, 12, 0, 0, 0]),
        ("yearly", [2027, 1, 1, 0, 0, 0], [2028, 1, 1, 0, 0, 0]),
        ("Sat *-02-29 00:00", [2048, 2, 29, 0, 0, 0], [2076, 2, 29, 0, 0, 0]),
        ("2026,2028-*-31 06:00", [2026, 1, 31, 6, 0, 0], [2026, 3, 31, 6, 0, 0]),
    ])
    func comesWhenItIsWritten(_ text: String, _ first: [Int64], _ second: [Int64]) throws {
        let rule = try CalendarRule(text)
        let expected = [first, second].map { wall($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) }
        let found = try #require(rule.next(after: wall(2026, 1, 1)))
        #expect(found == expected[0])
        #expect(rule.next(after: found - 1) == expected[0])
        #expect(rule.next(after: found) == expected[1])
    }

    @Test(arguments: [
        "", " ", "Sat 25:00", "Sat 09:60", "Funday 09:00", "Mon.Fri 09:00", "Mon.. 09:00", "09", "*-13-01", "*-02-30",
        "*-*-00", "09:00 Sat", "09:00 09:00", "*/0:00", "8..7:00", "x:00", "9:00:00:00", "1-1-1-1", "Mon,,Tue", "-5:00",
        "2026..2027-01-01", "0x7:00", "\u{0}", "Sat 09:00~1", String(repeating: "1,", count: 100) + ":00",
    ])
    func whatIsNoRuleIsRefused(_ text: String) {
        #expect(throws: CalendarRule.Invalid.self) { try CalendarRule(text) }
    }

    @Test func aRuleOfThePastNeverComes() throws {
        #expect(try CalendarRule("2020-01-01 00:00").next(after: wall(2026, 1, 1)) == nil)
    }

    /// Against the plainest way there is: every second of some days.
    @Test func nothingIsLeftOut() throws {
        var random = Campaign(rounds: 60)
        for _ in 0..<random.rounds {
            func part(_ least: Int, _ most: Int) -> String {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: "*"
                case 1: "*/\(Int.random(in: 1...most, using: &random))"
                case 2:
                    (0..<3).map { _ in "\(Int.random(in: least...most, using: &random))" }.joined(separator: ",")
                default: "\(Int.random(in: least...most, using: &random))"
                }
            }
            let text = "\(part(0, 23)):\(part(0, 59)):\(part(0, 59))"
            let rule = try CalendarRule(text)
            let start = wall(2027, 3, 1) + Int64.random(in: 0..<86_400, using: &random)
            let plain = (start + 1...start + 2 * 86_400).first { second in
                let time = second % 86_400
                func has(_ bits: UInt64, _ value: Int64) -> Bool { bits >> UInt64(value) & 1 == 1 }
                return has(rule.hours, time / 3600) && has(rule.minutes, time / 60 % 60) && has(rule.seconds, time % 60)
            }
            #expect(rule.next(after: start) == plain, "\(text) after \(start); \(random.note)")
        }
    }

    // MARK: Zones

    private let berlin = LocalZone("Europe/Berlin")

    private func moments(_ text: String, from start: Int64, _ count: Int, _ zone: LocalZone) throws -> [Int64] {
        let rule = try CalendarRule(text)
        var moments: [Int64] = []
        var last = start * second
        while moments.count < count, let next = rule.next(after: last, in: zone) {
            moments.append(next / second)
            last = next
        }
        return moments
    }

    /// Europe/Berlin, 2026-03-29: 02:00 CET is 03:00 CEST. What is left out comes at the end of it.
    @Test func anHourThatIsLeftOut() throws {
        let start = wall(2026, 3, 28, 12)
        #expect(
            try moments("02:30", from: start, 2, berlin) == [wall(2026, 3, 29, 1), wall(2026, 3, 30, 0, 30)])
        #expect(
            try moments("09:00", from: start, 2, berlin) == [wall(2026, 3, 29, 7), wall(2026, 3, 30, 7)])
        // 00:00, 01:00, then 03:00 once.
        #expect(
            try moments("hourly", from: wall(2026, 3, 28, 22, 30), 4, berlin)
                == [wall(2026, 3, 28, 23), wall(2026, 3, 29, 0), wall(2026, 3, 29, 1), wall(2026, 3, 29, 2)])
    }

    /// 2026-10-25: 03:00 CEST is 02:00 CET. What comes twice is the first.
    @Test func anHourThatComesTwice() throws {
        let start = wall(2026, 10, 24, 12)
        #expect(
            try moments("02:30", from: start, 2, berlin) == [wall(2026, 10, 25, 0, 30), wall(2026, 10, 26, 1, 30)])
        // Looked at in the second of the two hours: it has been.
        #expect(try moments("02:30", from: wall(2026, 10, 25, 1, 15), 1, berlin) == [wall(2026, 10, 26, 1, 30)])
        #expect(try moments("03:15", from: wall(2026, 10, 25, 1, 15), 1, berlin) == [wall(2026, 10, 25, 2, 15)])
    }

    /// In Dublin winter is what the zone's rules call summer time; 2026-10-25, 02:00 IST is 01:00 GMT.
    @Test func whatComesTwiceIsTheFirstInDublinToo() throws {
        let dublin = LocalZone("Europe/Dublin")
        let found = try moments("01:30", from: wall(2026, 10, 24, 12), 2, dublin)
        #expect(found == [wall(2026, 10, 25, 0, 30), wall(2026, 10, 26, 1, 30)])
        #expect(
            try moments("01:30", from: wall(2026, 3, 28, 12), 2, dublin) == [
                wall(2026, 3, 29, 1), wall(2026, 3, 30, 0, 30),
            ])
    }

    /// The last that has been, against all that have been; a month of seconds is no month of looking.
    @Test func theLatestIsTheLastOfAll() throws {
        var random = Campaign(rounds: 200)
        let note = random.note
        let zones = ["Europe/Berlin", "Europe/Dublin", "Australia/Lord_Howe", "UTC"].map { LocalZone($0) }
        let changes = [wall(2026, 3, 29), wall(2026, 10, 25), wall(2026, 4, 4, 15), wall(2026, 10, 3, 15)]
        for round in 0..<random.rounds {
            let rule = try CalendarRule(
                ["*:0/20", "02:30", "01..03:*/7", "*:59:59", "Sun 02:00", "Mon..Fri 03:00"][round % 6])
            let zone = zones[round % zones.count]
            let now =
                ((changes.randomElement(using: &random) ?? 0) + Int64.random(in: -90_000...90_000, using: &random))
                * second
            var last = rule.next(after: now - 8 * 86_400 * second, in: zone)
            while let found = last, let next = rule.next(after: found, in: zone), next <= now { last = next }
            #expect(rule.latest(by: now, in: zone) == last, "\(rule.text) in \(zone.name) by \(now); \(note)")
        }
        let long = try CalendarRule("*-05-* *:*:*")
        #expect(long.latest(by: wall(2026, 8, 1) * second, in: zones[3]) == wall(2026, 5, 31, 23, 59, 59) * second)
    }

    @Test func zonesAreFarApart() throws {
        let start = wall(2026, 6, 1)
        #expect(try moments("09:00", from: start, 1, LocalZone("Asia/Kathmandu")) == [wall(2026, 6, 1, 3, 15)])
        #expect(try moments("09:00", from: start, 1, LocalZone("America/Los_Angeles")) == [wall(2026, 6, 1, 16)])
        #expect(try moments("09:00", from: start, 1, LocalZone("no such zone")) == [wall(2026, 6, 1, 9)])
        #expect(!LocalZone.machineIdentifier().isEmpty)
    }
}
