/// What elements have dropped to keep up, and how often they said that they are late, in all builds of a pipeline.
struct QualityTotals: Sendable {
    struct Count: Sendable, Equatable {
        /// Nil where the element does not count.
        var dropped: UInt64?
        var messages: UInt64 = 0
        /// As the element said it last.
        fileprivate var last: UInt64 = 0

        init(dropped: UInt64? = nil) { self.dropped = dropped }

        static func + (left: Count, right: Count) -> Count {
            var sum = Count(dropped: (left.dropped ?? 0) &+ (right.dropped ?? 0))
            sum.messages = left.messages &+ right.messages
            return sum
        }
    }

    /// By element.
    private(set) var counts: [String: Count] = [:]

    mutating func update(_ element: String, dropped: UInt64?) {
        var count = counts[element] ?? Count()
        count.messages += 1
        if let dropped {
            // Elements begin anew with each build, and some with each flush.
            let more = dropped >= count.last ? dropped - count.last : dropped
            count.dropped = (count.dropped ?? 0) &+ more
            count.last = dropped
        }
        counts[element] = count
    }

    /// The elements of the next build count from zero.
    mutating func beginBuild() {
        for element in counts.keys { counts[element]?.last = 0 }
    }
}
