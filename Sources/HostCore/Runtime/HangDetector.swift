/// When a control thread that does not come back is worth an alarm: decides, knows no clock. Times are nanoseconds.
struct HangDetector: Sendable {
    enum Action: Sendable, Equatable {
        /// Nothing to time until the thread is busy again.
        case sleep
        case wait(Int64)
        /// Say so, then ask again.
        case report(after: Int64)
        /// What was reported is over.
        case recovered(after: Int64)
    }

    let limit: Int64
    private var reported: Int64?

    init(limit: Int64) { self.limit = limit }

    /// - Parameter busySince: when the present turn began; 0 where the thread waits for work.
    mutating func check(busySince: Int64, now: Int64) -> Action {
        if let reported, reported != busySince {
            self.reported = nil
            return .recovered(after: now - reported)
        }
        guard busySince != 0 else { return .sleep }
        guard reported == nil else { return .wait(limit) }
        let left = busySince + limit - now
        guard left <= 0 else { return .wait(left) }
        reported = busySince
        return .report(after: now - busySince)
    }
}
