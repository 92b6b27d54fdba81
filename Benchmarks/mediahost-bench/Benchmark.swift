/// One question, answered in a few rows.
protocol Benchmark {
    static var name: String { get }
    static var summary: String { get }
    static var defaultRuns: Int { get }
    /// - Parameter runs: nil for `defaultRuns`.
    static func run(on stage: Stage, runs: Int?) throws -> [Row]
}
