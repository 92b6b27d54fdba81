import PluginKit

/// `mark`: a name for a place on the timeline.
struct MarkRequest: PluginRecord {
    let name: String?
    let at: Duration?
    let delay: Duration?

    static let fields = Fields(
        MarkRequest.init, Field("name", \.name, "Its number if left out"),
        Field("at", \.at, "Media time; now if left out"),
        Field("delay", \.delay, limits: .atLeast(.zero), "Instead of at: how far before now"))
}

/// `unmark`.
struct UnmarkRequest: PluginRecord {
    let marker: String

    static let fields = Fields(UnmarkRequest.init, Field("marker", \.marker, "Its name or number"))
}

/// `seek` and `play`: a place on the timeline.
struct PlaceRequest: PluginRecord {
    let at: Duration?
    let delay: Duration?
    let marker: String?

    static let fields = Fields(
        PlaceRequest.init, Field("at", \.at, "Media time"),
        Field("delay", \.delay, limits: .atLeast(.zero), "Instead of at: how far behind the live edge"),
        Field("marker", \.marker, "Instead of at: the name or number of a marker"))
}

struct PlayRequest: PluginRecord {
    let at: Duration?
    let delay: Duration?
    let marker: String?
    let rate: Double

    static let fields = Fields(
        PlayRequest.init, Field("at", \.at, "Media time; where it is if left out"),
        Field("delay", \.delay, limits: .atLeast(.zero), "Instead of at: how far behind the live edge"),
        Field("marker", \.marker, "Instead of at: the name or number of a marker"),
        Field("rate", \.rate, default: 1, limits: .range(-8...8), "0.1 to 8; backwards where negative"))
}

/// `step`.
struct StepRequest: PluginRecord {
    let count: Int

    static let fields = Fields(
        StepRequest.init,
        Field(
            "count", \.count, default: 1, limits: .range(-ReplayStore.stepLimit...ReplayStore.stepLimit),
            "How many pictures; backwards where negative"))
}
