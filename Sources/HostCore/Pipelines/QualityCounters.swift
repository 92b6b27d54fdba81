/// What elements have processed, and dropped to keep up, since the pipeline was built.
struct QualityCounters: Sendable {
    struct Count: Sendable, Equatable {
        var processed: UInt64?
        var dropped: UInt64?
        /// QoS messages so far: elements that count nothing send them all the same.
        var messages = 0
    }

    /// By element.
    private(set) var counts: [String: Count] = [:]

    mutating func update(_ element: String, processed: UInt64?, dropped: UInt64?) {
        var count = counts[element] ?? Count()
        count.processed = processed ?? count.processed
        count.dropped = dropped ?? count.dropped
        count.messages += 1
        counts[element] = count
    }
}
