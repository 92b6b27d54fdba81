/// When a loss is told: the first one at once, then once a minute as long as there are more.
struct LossReport: Sendable {
    /// Nanoseconds.
    static let period: Int64 = 60_000_000_000

    private var told: [ReplayStore.News: Int64] = [:]
    private var open: Set<ReplayStore.News> = []

    /// Something was lost; `due` says whether that is told now.
    mutating func lost(_ news: ReplayStore.News) { open.insert(news) }

    /// What is to be told now.
    mutating func due(at time: Int64) -> [ReplayStore.News] {
        let due = open.filter { news in told[news].map { time &- $0 >= Self.period } ?? true }
        for news in due { told[news] = time }
        open.subtract(due)
        return due.sorted { $0.rawValue < $1.rawValue }
    }
}
