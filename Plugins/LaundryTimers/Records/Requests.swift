import PluginKit

struct PetRequest: PluginRecord {
    let pet: String

    static let fields = Fields(PetRequest.init, Field("pet", \.pet, "Its id"))
}

/// `start`: which timer, for whom.
struct StartRequest: PluginRecord {
    let pet: String
    let kind: TimerKind
    let duration: Duration?
    let basis: Basis?

    static let fields = Fields(
        StartRequest.init,
        Field("pet", \.pet, "Its id"),
        Field("kind", \.kind, "What is timed"),
        Field("duration", \.duration, "How long; the pet's own time for this kind if left out"),
        Field(
            "basis", \.basis,
            "elapsed: time that passes, whoever sets the clock; wall: a moment of the clock. The config's if left out"))
}

struct StartManyRequest: PluginRecord {
    let timers: [StartRequest]

    static let fields = Fields(
        StartManyRequest.init, Field("timers", \.timers, "What is started, in one transaction; each as for start"))
}

struct ExtendRequest: PluginRecord {
    let pet: String
    let by: Duration

    static let fields = Fields(
        ExtendRequest.init, Field("pet", \.pet, "Its id"), Field("by", \.by, "How much longer it takes"))
}

struct SnoozeRequest: PluginRecord {
    let pet: String
    let duration: Duration?

    static let fields = Fields(
        SnoozeRequest.init,
        Field("pet", \.pet, "Its id"),
        Field("for", \.duration, "When it is told again; the config's `snooze` if left out"))
}

struct AcknowledgeRequest: PluginRecord {
    let timer: String

    static let fields = Fields(
        AcknowledgeRequest.init, Field("timer", \.timer, "A finished timer, PET/START; or a pet, for all of its"))
}

/// Part of something long.
struct PageRequest: PluginRecord {
    let limit: Int
    let after: Int64

    static let fields = Fields(
        PageRequest.init,
        Field("limit", \.limit, default: 100, limits: .range(1...1000), "The most that are shown, of each kind"),
        Field("after", \.after, default: 0, "Where the last answer ended"))
}

struct WatchRequest: PluginRecord {
    let duration: Duration

    static let fields = Fields(
        WatchRequest.init,
        Field(
            "for", \.duration, default: .seconds(60), limits: .range(.zero ... .seconds(3600)),
            "How long somebody looks; asked again before that, it goes on. 0: nobody any more"))
}
