/// How full the queues of a pipeline are: its emptiest counts.
struct BufferingLevel: Sendable {
    private var levels: [String: Int] = [:]

    /// - Returns: the emptiest queue now, in percent.
    mutating func update(_ element: String, _ percent: Int) -> Int {
        levels[element] = percent >= 100 ? nil : percent
        return levels.values.min() ?? 100
    }
}
