import PluginKit

/// `trigger`: something happened now.
struct TriggerRequest: PluginRecord {
    let pre: Duration
    let post: Duration
    let to: PathName
    let overwrite: Bool
    let exact: Bool
    let gaps: ClipPlan.Gaps
    let noOverlap: Bool

    static let fields = Fields(
        TriggerRequest.init,
        Field("pre", \.pre, default: .seconds(10), limits: .atLeast(.zero), "How much from before now"),
        Field(
            "post", \.post, default: .seconds(5), limits: .atLeast(.zero),
            "How much from after now; the answer comes when it was recorded and saved"),
        Field("to", \.to, "The file; .mkv, .mp4 or .ts"),
        Field("overwrite", \.overwrite, default: false, "Replace a file of that name"),
        Field("exact", \.exact, default: false, "As of save"),
        Field("gaps", \.gaps, default: .keep, "As of save"),
        Field("no-overlap", \.noOverlap, default: false, "As of save"))
}
