import PluginKit

struct Job: PluginRecord {
    let name: String
    let progress: Double
    /// Nanoseconds since 1970; nil: it stands.
    let endsAt: Int64?

    static let fields = Fields(
        Job.init,
        Field("name", \.name, "What is done"),
        Field("progress", \.progress, shownAs: .progress, "How much of it, 0 to 1"),
        Field("ends_at", \.endsAt, shownAs: .endTime, "When it is over: a ring goes on to it by itself"))
}

struct JobList: PluginRecord {
    let jobs: [Job]

    static let fields = Fields(
        JobList.init, Field("jobs", \.jobs, columns: ["name", "progress", "ends_at"], "What is under way"))
}
