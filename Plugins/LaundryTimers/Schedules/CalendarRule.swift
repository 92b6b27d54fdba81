/// Moments of the calendar that come again: the part of systemd.time(7)'s calendar events that people use.
///
///     Sat 09:00            Mon..Fri 07:30,19:30        *-*-01 08:00        *:0/15        daily
///
/// Weekdays, date and time are each optional: without a time it is midnight, without the others every day.
struct CalendarRule: Sendable, Equatable {
    /// As the user wrote it.
    let text: String
    /// Bits; 0 is Monday.
    var weekdays: UInt64 = 0x7f
    /// Empty: every year.
    var years: Set<Int64> = []
    var months: UInt64 = Self.all(1, 12)
    var days: UInt64 = Self.all(1, 31)
    var hours: UInt64 = 1
    var minutes: UInt64 = 1
    var seconds: UInt64 = 1

    static func all(_ first: Int, _ last: Int) -> UInt64 { (first...last).reduce(0) { $0 | 1 << UInt64($1) } }

    /// A date that is asked for comes within this many days, or never: the calendar repeats its weekdays after 28 years, or 40
    /// around a year that is no leap year.
    private static let horizon: Int64 = 41 * 366

    /// The first of its moments behind another, on the clock on the wall: seconds since 1970 there, without a zone.
    /// - Returns: nil where it never comes again.
    func next(after moment: Int64) -> Int64? {
        let first = CivilTime.floorDivide(moment + 1, CivilTime.day)
        for day in first...first + Self.horizon where matches(day) {
            let from = day == first ? moment + 1 - day * CivilTime.day : 0
            if let time = time(from: from) { return day * CivilTime.day + time }
        }
        return nil
    }

    /// The last of its moments that is not behind another, likewise.
    func last(by moment: Int64) -> Int64? {
        let end = CivilTime.floorDivide(moment, CivilTime.day)
        for day in stride(from: end, through: end - Self.horizon, by: -1) where matches(day) {
            let by = day == end ? moment - day * CivilTime.day : CivilTime.day - 1
            if let time = time(by: by) { return day * CivilTime.day + time }
        }
        return nil
    }

    private func matches(_ day: Int64) -> Bool {
        guard weekdays >> UInt64(CivilTime.weekday(day)) & 1 == 1 else { return false }
        let date = CivilTime.date(day)
        return months >> UInt64(date.month) & 1 == 1 && days >> UInt64(date.day) & 1 == 1
            && (years.isEmpty || years.contains(date.year))
    }

    /// The first time of a day that is not before a second of it.
    private func time(from second: Int64) -> Int64? {
        let (hour, minute) = (second / 3600, second / 60 % 60)
        for at in Self.values(hours, from: hour) {
            for minuteAt in Self.values(minutes, from: at == hour ? minute : 0) {
                let from = at == hour && minuteAt == minute ? second % 60 : 0
                if let secondAt = Self.values(seconds, from: from).first {
                    return at * 3600 + minuteAt * 60 + secondAt
                }
            }
        }
        return nil
    }

    /// The last time of a day that is not behind a second of it.
    private func time(by second: Int64) -> Int64? {
        let (hour, minute) = (second / 3600, second / 60 % 60)
        for at in Self.values(hours, from: 0).reversed() where at <= hour {
            for minuteAt in Self.values(minutes, from: 0).reversed() where at < hour || minuteAt <= minute {
                let by = at == hour && minuteAt == minute ? second % 60 : 59
                if let secondAt = Self.values(seconds, from: 0).last(where: { $0 <= by }) {
                    return at * 3600 + minuteAt * 60 + secondAt
                }
            }
        }
        return nil
    }

    private static func values(_ bits: UInt64, from first: Int64) -> [Int64] {
        (0..<60).filter { $0 >= first && bits >> UInt64($0) & 1 == 1 }
    }
}
