import PluginKit

struct StartManyResult: PluginRecord, Equatable {
    struct Refusal: PluginRecord, Equatable {
        let pet: String
        let reason: String

        static let fields = Fields(
            Refusal.init, Field("pet", \.pet, "Whose"), Field("reason", \.reason, "Why it was not started"))
    }

    let started: Int
    let refused: [Refusal]

    static let fields = Fields(
        StartManyResult.init,
        Field("started", \.started, "How many were started"),
        Field("refused", \.refused, "Those that were not"))
}

struct StopResult: PluginRecord, Equatable {
    let pet: String
    let stopped: String?
    let acknowledged: Int

    static let fields = Fields(
        StopResult.init,
        Field("pet", \.pet, "Whose"),
        Field("stopped", \.stopped, "The timer that ran, PET/START"),
        Field("acknowledged", \.acknowledged, "Finished ones that are done with now"))
}

struct CountResult: PluginRecord, Equatable {
    let count: Int

    static let fields = Fields(CountResult.init, Field("count", \.count, "How many"))
}

/// Answer of `pending`, for whoever looks after timers while no host runs.
struct PendingResult: PluginRecord, Equatable {
    var undelivered: Int
    let waiting: Int
    let next: Int64?

    static let fields = Fields(
        PendingResult.init,
        Field("undelivered", \.undelivered, "Finished timers that were not told and shown yet"),
        Field("waiting_for_clock", \.waiting, "Timers and schedules that wait until the wall clock can be believed"),
        Field(
            "next", \.next, shownAs: .time,
            "Wall clock when the next is over, in nanoseconds since 1970; none where nothing runs"))
}

/// Answer of `summary`, for whoever looks after the board.
struct Summary: PluginRecord, Equatable {
    let pets: Int
    let running: Int
    let paused: Int
    let waiting: Int
    let schedules: Int
    let due: Int
    let clock: String
    var waking: Waking
    let queueBytes: ByteSize
    let redeliveries: Int
    let setAside: String?

    static let fields = Fields(
        Summary.init,
        Field("pets", \.pets, "All pets there are"),
        Field("running", \.running, "Timers that count down"),
        Field("paused", \.paused, "Timers that are paused"),
        Field("waiting_for_clock", \.waiting, "Timers that wait until the wall clock can be believed"),
        Field("schedules", \.schedules, "What comes again"),
        Field("due", \.due, "Timers that are over and not acknowledged: the badge"),
        Field("clock", \.clock, "What the wall clock is worth: synchronised, plausible or implausible"),
        Field(
            "wake", \.waking,
            "Whether a timer wakes the machine from sleep: on, off, or cannot-wake; otherwise what is due in sleep is told after it"
        ),
        Field("queue_bytes", \.queueBytes, "What the timers take in memory"),
        Field("redeliveries", \.redeliveries, "Finished timers that may have been told twice, since the start"),
        Field("store_set_aside", \.setAside, "Where a damaged store was put, if the last start found one"))
}
