import PluginKit

/// `save`: which part of the buffer goes where.
struct SaveRequest: PluginRecord {
    let last: Duration?
    let from: Duration?
    let until: Duration?
    let marker: String?
    let to: PathName
    let overwrite: Bool
    let exact: Bool
    let gaps: ClipPlan.Gaps
    let noOverlap: Bool

    static let fields = Fields(
        SaveRequest.init,
        Field(
            "last", \.last,
            "How much; the clip begins at the key frame before, so it is a little longer. All if left out"),
        Field("from", \.from, "Instead of last: from which media time on, as position and markers show it"),
        Field("until", \.until, "With from or marker: up to which media time"),
        Field("marker", \.marker, "Instead of last: from this marker on"),
        Field("to", \.to, "The file; .mkv, .mp4 or .ts"),
        Field("overwrite", \.overwrite, default: false, "Replace a file of that name"),
        Field("exact", \.exact, default: false, "Show nothing from before the first picture of the range; .mp4 only"),
        Field(
            "gaps", \.gaps, default: .keep,
            "keep: a stall is as long as it was, a pause is not there; close: neither; restore: both, by the clock"),
        Field(
            "no-overlap", \.noOverlap, default: false,
            "Begin at the first key frame after the clip before, where that is later"))
}

extension ClipPlan.Gaps: FieldValue {}
