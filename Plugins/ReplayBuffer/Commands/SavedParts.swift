/// How far clips reach, for those that may not overlap: those that were saved, and those that are being written as long as
/// they do not fail.
struct SavedParts: Sendable {
    private var saved: Int64?
    private var writing: [Int: Int64] = [:]
    private var last = 0

    /// Media time; nil where there is no clip.
    var end: Int64? { writing.values.reduce(saved) { max($0 ?? $1, $1) } }

    /// A clip is being written; what `finish` takes.
    mutating func begin(until end: Int64) -> Int {
        last += 1
        writing[last] = end
        return last
    }

    mutating func finish(_ number: Int, isSaved: Bool) {
        guard let end = writing.removeValue(forKey: number), isSaved else { return }
        saved = max(saved ?? end, end)
    }
}
