import PluginKit

/// `save`: which part of the buffer goes where.
struct SaveRequest: PluginRecord {
    let last: Duration?
    let to: PathName
    let overwrite: Bool

    static let fields = Fields(
        SaveRequest.init,
        Field(
            "last", \.last,
            "How much; the clip begins at the key frame before, so it is a little longer. All if left out"),
        Field("to", \.to, "The file; .mkv, .mp4 or .ts"),
        Field("overwrite", \.overwrite, default: false, "Replace a file of that name"))
}
