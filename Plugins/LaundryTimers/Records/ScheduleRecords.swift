import PluginKit

/// `schedule`: what comes again, for whom.
struct ScheduleRequest: PluginRecord, Equatable {
    /// No finished timer comes more often from one.
    static let shortest = Duration.seconds(1)

    let pet: String
    let kind: TimerKind
    let name: String?
    let calendar: String?
    let every: Duration?
    let basis: Basis?

    var usualName: String { name ?? kind.rawValue }

    /// What no schema can say.
    func check() throws(PluginError) {
        guard !usualName.isEmpty, usualName.utf8.count <= 64 else {
            throw PluginError("a schedule's name has 1 to 64 bytes", code: .invalid, key: "name")
        }
        guard (calendar == nil) != (every == nil) else {
            throw PluginError(
                "give either `calendar` (\"Sat 09:00\") or `every` (24h)", code: .invalid, key: "calendar")
        }
        guard let calendar else { return }
        guard basis != .elapsed else {
            throw PluginError("a calendar goes by the wall clock; leave `basis` out", code: .invalid, key: "basis")
        }
        do throws(CalendarRule.Invalid) {
            _ = try CalendarRule(calendar)
        } catch {
            throw PluginError(error.message, code: .invalid, key: "calendar")
        }
    }

    static let fields = Fields(
        ScheduleRequest.init,
        Field("pet", \.pet, "Its id"),
        Field("kind", \.kind, default: .cycle, "What its moments are the end of"),
        Field("name", \.name, "Of the schedule; the kind's if left out. Another one of this name is replaced"),
        Field(
            "calendar", \.calendar,
            "When, as systemd.time(7) writes it: `Sat 09:00`, `Mon..Fri 07:30,19:30`, `*-*-01 08:00`, `daily`"),
        Field(
            "every", \.every, limits: .range(shortest ... .nanoseconds(Pet.longest)),
            "Or how long it is from one to the next"),
        Field("basis", \.basis, "What `every` counts by; the config's if left out"))
}

struct UnscheduleRequest: PluginRecord {
    let pet: String
    let name: String

    static let fields = Fields(
        UnscheduleRequest.init, Field("pet", \.pet, "Its id"), Field("name", \.name, "Of the schedule"))
}

/// A schedule, as users see it.
struct ScheduleReport: PluginRecord, Equatable {
    let pet: String
    let name: String
    let kind: TimerKind
    let calendar: String?
    let every: Duration?
    let basis: Basis
    let next: Int64?
    let remaining: Duration?
    let zone: String?

    static let fields = Fields(
        ScheduleReport.init,
        Field("pet", \.pet, "Whose"),
        Field("name", \.name, "Unique for the pet"),
        Field("kind", \.kind, "What its moments are the end of"),
        Field("calendar", \.calendar, "When, where it goes by a calendar"),
        Field("every", \.every, "From one to the next, where it does not"),
        Field("basis", \.basis, "What it counts by"),
        Field(
            "next", \.next, shownAs: .time,
            "Wall clock at the next, in nanoseconds since 1970; none while it waits for the clock, or where there is no other"
        ),
        Field("remaining", \.remaining, "How long that is from now"),
        Field("zone", \.zone, "Where the calendar's clock hangs"))
}

struct ScheduleList: PluginRecord, Equatable {
    let count: Int
    let schedules: [ScheduleReport]
    let after: Int64?

    static let fields = Fields(
        ScheduleList.init,
        Field("count", \.count, "All schedules there are"),
        Field(
            "schedules", \.schedules, columns: ["pet", "name", "kind", "calendar", "every", "next", "remaining"],
            "As many as were asked for"),
        Field("after", \.after, "What to ask for to get those that follow"))
}
