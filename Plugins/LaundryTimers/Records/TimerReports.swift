import PluginKit

/// A timer that runs, as users see it.
struct TimerReport: PluginRecord, Equatable {
    /// Why it does or does not go on.
    enum Status: String, CaseIterable, FieldValue {
        case running, paused
        case waitingForClock = "waiting-for-clock"
    }

    let pet: String
    let timer: String
    let kind: TimerKind
    let title: String
    let status: Status
    let basis: Basis
    let startedAt: Int64
    let duration: Duration
    let remaining: Duration?
    let endsAt: Int64?
    let progress: Double?

    static let fields = Fields(
        TimerReport.init,
        Field("pet", \.pet, "Whose"),
        Field("timer", \.timer, "Its name, PET/START: never used again"),
        Field("kind", \.kind, "What is timed"),
        Field("title", \.title, "The same for people"),
        Field("status", \.status, "Whether it runs, is paused, or waits until the wall clock can be believed"),
        Field("basis", \.basis, "What it counts by"),
        Field("started_at", \.startedAt, shownAs: .time, "Wall clock at its start, in nanoseconds since 1970"),
        Field("duration", \.duration, "All of it, with extensions and without pauses"),
        Field("remaining", \.remaining, "What is left; not known while it waits for the clock"),
        Field(
            "ends_at", \.endsAt, shownAs: .endTime,
            "Wall clock at its end, in nanoseconds since 1970; none while it is paused"),
        Field("progress", \.progress, shownAs: .progress, "Of what is done, 0 to 1"))
}

/// One that is over and not acknowledged. Also the payload of event `finished`.
struct FinishedReport: PluginRecord, Equatable {
    let pet: String
    let name: String
    let timer: String
    let kind: TimerKind
    let title: String
    let body: String
    let startedAt: Int64
    let duration: Duration
    let finishedAt: Int64
    let late: Duration
    let attempt: Int64
    let isStale: Bool
    let next: NextStep?
    let schedule: String?
    let missed: Int64

    static let fields = Fields(
        FinishedReport.init,
        Field("pet", \.pet, "Whose"),
        Field("name", \.name, "The same for people"),
        Field("timer", \.timer, "Its name, PET/START: the same where it is told a second time"),
        Field("kind", \.kind, "What was timed"),
        Field("title", \.title, "The notification's first line"),
        Field("body", \.body, "The notification's text"),
        Field("started_at", \.startedAt, shownAs: .time, "Wall clock at its start, in nanoseconds since 1970"),
        Field("duration", \.duration, "All of it, with extensions and without pauses"),
        Field("finished_at", \.finishedAt, shownAs: .time, "Wall clock when it was due, in nanoseconds since 1970"),
        Field("late", \.late, "How much later it was noticed"),
        Field("attempt", \.attempt, "1, or more where it may have been told before the host was killed"),
        Field("stale", \.isStale, "Whether it was noticed too late for a notification"),
        Field("next", \.next, "What a user would do now"),
        Field("schedule", \.schedule, "The name of what it came from, where nobody started it"),
        Field("missed", \.missed, "Moments of that before this one which nobody heard of"))
}

/// Answer of `list`.
struct TimerList: PluginRecord, Equatable {
    let running: Int
    let paused: Int
    let waiting: Int
    let due: Int
    let timers: [TimerReport]
    let finished: [FinishedReport]
    let after: Int64?

    static let fields = Fields(
        TimerList.init,
        Field("running", \.running, "All timers that count down"),
        Field("paused", \.paused, "All that are paused"),
        Field("waiting_for_clock", \.waiting, "All that wait until the wall clock can be believed"),
        Field("due", \.due, "All that are over and not acknowledged"),
        Field(
            "timers", \.timers, columns: ["pet", "title", "status", "progress", "remaining", "ends_at"],
            "Those that end soonest, then those that are held; as many as were asked for"),
        Field(
            "finished", \.finished, columns: ["pet", "title", "finished_at", "late", "next"],
            "Those that are over, the oldest first; as many as were asked for"),
        Field("after", \.after, "What to ask for to get the finished ones that follow, and those alone"))
}

/// A pet as users see it.
struct PetReport: PluginRecord, Equatable {
    let pet: String
    let name: String
    let state: PetState
    let stage: Stage
    let health: Int
    let next: NextStep?
    let nextTitle: String?
    let cycle: Duration
    let wash: Duration
    let dry: Duration
    let hasSound: Bool
    let timer: TimerReport?

    static let fields = Fields(
        PetReport.init,
        Field("pet", \.pet, "Its id"),
        Field("name", \.name, "The same for people"),
        Field("state", \.state, "How it is"),
        Field("stage", \.stage, "Where its laundry is"),
        Field("health", \.health, "0 to 100, by the tick of 30 s"),
        Field("next", \.next, "What a user would do now"),
        Field("next_title", \.nextTitle, "The same for people"),
        Field("cycle", \.cycle, "How long a cycle is by default"),
        Field("wash", \.wash, "How long a wash is by default"),
        Field("dry", \.dry, "How long drying is by default"),
        Field("sound", \.hasSound, "Whether its notifications have a sound"),
        Field("timer", \.timer, "Its timer, where one runs"))
}

struct PetList: PluginRecord, Equatable {
    let count: Int
    let pets: [PetReport]
    let after: Int64?

    static let fields = Fields(
        PetList.init,
        Field("count", \.count, "All pets there are"),
        Field("pets", \.pets, "As many as were asked for"),
        Field("after", \.after, "What to ask for to get those that follow"))
}
