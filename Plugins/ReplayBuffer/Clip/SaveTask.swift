/// What a save was asked for, but for the range.
struct SaveTask: Sendable {
    var path: String
    var container: Container
    var overwrite = false
    /// The first picture shown is the first one of the range, and the last one its last.
    var exact = false
    var gaps = ClipPlan.Gaps.keep
    /// False where the range goes on after the newest frame.
    var isAllThere = true
}

/// Who waits for a save.
protocol SaveWatch {
    var isCancelled: Bool { get }
    func progress(_ fraction: Double)
}
