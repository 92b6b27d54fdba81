/// What elements have dropped to keep up, and how often they said that they are late, in all builds of a pipeline.
struct QualityTotals: Sendable {
    struct Count: Sendable, Equatable {
        /// Nil where the element does not count.
        var dropped: UInt64?
        var messages: UInt64 = 0

        init(dropped: UInt64? = nil) { self.dropped = dropped }

        static func + (left: Count, right: Count) -> Count {
            var sum = Count(dropped: (left.dropped ?? 0) &+ (right.dropped ?? 0))
            sum.messages = left.messages &+ right.messages
            return sum
        }
    }

    /// By element, as `LastingNames` has it.
    private(set) var counts: [String: Count] = [:]
    /// As each element of the present build said it last.
    private var last: [String: UInt64] = [:]

    /// - Parameter name: what the element is called over all builds.
    mutating func update(_ element: String, as name: String, dropped: UInt64?) {
        var count = counts[name] ?? Count()
        count.messages += 1
        if let dropped {
            // Elements begin anew with each build, and some with each flush.
            let before = last.updateValue(dropped, forKey: element) ?? 0
            let more = dropped >= before ? dropped - before : dropped
            count.dropped = (count.dropped ?? 0) &+ more
        }
        counts[name] = count
    }

    /// The elements of the next build count from zero.
    mutating func beginBuild() { last = [:] }
}
