/// Hands finished timers on: in their order, and together where there are many. The decision, without a host.
///
/// - events: one each, as long as there are not more than 100 a second (50 at once); then lists of up to 200
/// - notifications: one each, up to 10 at once and 4 a second after that (a host shows 20 at once and 5 a second); the rest
///   becomes one, at most one a second. What came too late gets none
///
/// A timer is delivered when both were done.
struct Courier: Sendable {
    struct Actions: Sendable, Equatable {
        /// One event each: with one timer `finished`, with several `finished-many`.
        var events: [[TimerStore.OpenTimer]] = []
        var notifications: [TimerStore.OpenTimer] = []
        /// One notification for all of them.
        var crowd: [TimerStore.OpenTimer] = []
        /// For which nothing more is to be done once these actions were.
        var delivered: [Int64] = []
    }

    /// So many at once, and so many a second after that.
    private struct Bucket: Sendable {
        let most: Int
        let perSecond: Int64
        var tokens: Int
        var filled: Int64 = .min

        init(most: Int, perSecond: Int64) {
            self.most = most
            self.perSecond = perSecond
            tokens = most
        }

        mutating func take(at now: Int64) -> Bool {
            let period = 1_000_000_000 / perSecond
            let passed = filled == .min ? .max : now.subtractingClamped(filled)
            if passed / period >= Int64(most - tokens) {
                tokens = most
                filled = now
            } else if passed >= period {
                tokens += Int(passed / period)
                filled += passed / period * period
            }
            guard tokens > 0 else { return false }
            if tokens == most { filled = now }
            tokens -= 1
            return true
        }
    }

    static let listLength = 200
    private static let crowdGap: Int64 = 1_000_000_000
    private var events = Bucket(most: 50, perSecond: 100)
    private var notifications = Bucket(most: 10, perSecond: 4)
    private var crowd: [TimerStore.OpenTimer] = []
    /// Not before this, on the monotonic clock.
    private var nextCrowd = Int64.min
    private let staleAfter: Int64

    init(staleAfter: Int64) { self.staleAfter = staleAfter }

    /// - Parameter now: of a clock that never goes back, nanoseconds.
    mutating func hand(_ timers: [TimerStore.OpenTimer], at now: Int64) -> Actions {
        var actions = Actions()
        var list: [TimerStore.OpenTimer] = []
        for timer in timers {
            if list.isEmpty, events.take(at: now) { actions.events.append([timer]) } else { list.append(timer) }
            if timer.timer.late > staleAfter {
                actions.delivered.append(timer.timer.start)
            } else if crowd.isEmpty, notifications.take(at: now) {
                actions.notifications.append(timer)
                actions.delivered.append(timer.timer.start)
            } else {
                crowd.append(timer)
            }
        }
        for start in stride(from: 0, to: list.count, by: Self.listLength) {
            actions.events.append(Array(list[start..<min(start + Self.listLength, list.count)]))
        }
        showCrowd(at: now, &actions)
        return actions
    }

    /// What could not be shown before.
    mutating func flush(at now: Int64) -> Actions {
        var actions = Actions()
        showCrowd(at: now, &actions)
        return actions
    }

    /// The host took a notification not now: it becomes part of the next crowd.
    mutating func postpone(_ timers: [TimerStore.OpenTimer], at now: Int64) {
        crowd.insert(contentsOf: timers, at: 0)
        nextCrowd = max(nextCrowd, now.addingClamped(Self.crowdGap))
    }

    /// Nothing is told of this pet any more.
    mutating func forget(_ pet: String) { crowd.removeAll { $0.petID == pet } }

    /// When to flush; nil where nothing waits.
    var nextFlush: Int64? { crowd.isEmpty ? nil : nextCrowd }

    private mutating func showCrowd(at now: Int64, _ actions: inout Actions) {
        guard !crowd.isEmpty, now >= nextCrowd else { return }
        actions.crowd = crowd
        actions.delivered += crowd.map(\.timer.start)
        crowd = []
        nextCrowd = now.addingClamped(Self.crowdGap)
    }
}
