/// Hands finished timers on: in their order, and together where there are many. The decision, without a host.
///
/// - events: one each, as long as there are not more than 10 a second (8 at once): so many programs a rule has at work, and so
///   often it fires. Then lists of what has come meanwhile, 2 at once and 1500 a second (a host takes 2000), of up to 100, so that a
///   stream of events, which has room for 64 KiB, shows it whole
/// - notifications: one each, up to 10 at once and 4 a second after that (a host shows 20 at once and 5 a second); the rest
///   becomes one, at most one a second. What came too late gets none
///
/// What was done of these the caller says (`told`, `shown`); a timer is delivered when both were.
struct Courier: Sendable {
    struct Actions: Sendable, Equatable {
        /// One event each: with one timer `finished`, with several `finished-many`. In this order, and none behind one that failed.
        var events: [[TimerStore.OpenTimer]] = []
        var notifications: [TimerStore.OpenTimer] = []
        /// One notification for all of them.
        var crowd: [TimerStore.OpenTimer] = []
    }

    /// For the store.
    struct Notes: Sendable, Equatable {
        /// Their events were posted; their notifications wait.
        var told: [Int64] = []
        /// Nothing more is to be done for them.
        var delivered: [Int64] = []
    }

    private struct Done: Sendable {
        let start: Int64
        let isDelivered: Bool
        let at: Int64
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

        private var period: Int64 { 1_000_000_000 / perSecond }
        /// When there is one again.
        var next: Int64 { tokens > 0 ? .min : filled.addingClamped(period) }

        mutating func take(at now: Int64) -> Bool {
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

    static let listLength = 100
    /// After an event that the host did not take.
    private static let eventPatience: Int64 = 250_000_000
    /// The host takes an event at once, and rules and subscribers hear of it in a turn of their own: a kill in between must not leave a
    /// note of what nobody has heard.
    private static let noteAge: Int64 = 100_000_000
    private static let crowdGap: Int64 = 1_000_000_000
    private var events = Bucket(most: 8, perSecond: 10)
    private var lists = Bucket(most: 2, perSecond: 1500)
    private var notifications = Bucket(most: 10, perSecond: 4)
    /// For the next lists.
    private var held = Backlog<TimerStore.OpenTimer>()
    private var nextList = Int64.min
    private var crowd: [TimerStore.OpenTimer] = []
    /// Not before this, on the monotonic clock.
    private var nextCrowd = Int64.min
    /// By number of their start: what is not done yet.
    private var untold: Set<Int64> = []
    private var unshown: Set<Int64> = []
    private var done = Backlog<Done>()
    /// What is later than this is told and not shown; nanoseconds.
    var staleAfter: Int64

    init(staleAfter: Int64) { self.staleAfter = staleAfter }

    /// - Parameter now: of a clock that never goes back, nanoseconds.
    mutating func hand(_ timers: [TimerStore.OpenTimer], at now: Int64) -> Actions {
        var actions = Actions()
        for timer in timers {
            if !timer.isTold {
                untold.insert(timer.timer.start)
                if held.isEmpty, events.take(at: now) { actions.events.append([timer]) } else { held.append(timer) }
            }
            show(timer, at: now, &actions)
        }
        showHeld(at: now, &actions)
        showCrowd(at: now, &actions)
        return actions
    }

    /// What could not be told or shown before.
    mutating func flush(at now: Int64) -> Actions {
        var actions = Actions()
        showHeld(at: now, &actions)
        showCrowd(at: now, &actions)
        return actions
    }

    // MARK: What was done

    /// Their event was posted.
    mutating func told(_ timers: [TimerStore.OpenTimer], at now: Int64) {
        for start in timers.map(\.timer.start) {
            untold.remove(start)
            done.append(Done(start: start, isDelivered: !unshown.contains(start), at: now))
        }
    }

    /// The host takes no events now: these come first when it does.
    mutating func hold(_ timers: [TimerStore.OpenTimer], at now: Int64) {
        held.prepend(timers)
        nextList = max(nextList, now.addingClamped(Self.eventPatience))
    }

    /// Their notification was shown, or there is nobody to show it.
    mutating func shown(_ timers: [TimerStore.OpenTimer], at now: Int64) {
        for start in timers.map(\.timer.start) where unshown.remove(start) != nil && !untold.contains(start) {
            done.append(Done(start: start, isDelivered: true, at: now))
        }
    }

    /// The host took a notification not now: it becomes part of the next crowd.
    mutating func postpone(_ timers: [TimerStore.OpenTimer], at now: Int64) {
        crowd.insert(contentsOf: timers, at: 0)
        nextCrowd = max(nextCrowd, now.addingClamped(Self.crowdGap))
    }

    /// Somebody is done with them: they are told, and not shown any more.
    mutating func forget(_ settled: SettledTimers) {
        for open in crowd where settled.covers(open) { unshown.remove(open.timer.start) }
        crowd.removeAll { settled.covers($0) }
    }

    /// When the first of what was done is to be noted; nil where nothing is.
    var nextNote: Int64? { done.first.map { $0.at.addingClamped(Self.noteAge) } }

    /// What was done so long ago that it may be noted; nil: all of it.
    mutating func takeNotes(at now: Int64? = nil) -> Notes {
        let limit = now?.subtractingClamped(Self.noteAge) ?? .max
        let old = done.take { $0.at <= limit }
        let delivered = Set(old.lazy.filter(\.isDelivered).map(\.start))
        return Notes(
            told: old.map(\.start).filter { !delivered.contains($0) },
            delivered: old.filter(\.isDelivered).map(\.start))
    }

    /// Of which nobody was told.
    var unsent: [Int64] { untold.sorted() }

    /// When to flush; nil where nothing waits.
    var nextFlush: Int64? {
        switch (held.isEmpty, crowd.isEmpty) {
        case (true, true): nil
        case (false, true): max(nextList, lists.next)
        case (true, false): nextCrowd
        case (false, false): min(max(nextList, lists.next), nextCrowd)
        }
    }

    private mutating func show(_ open: TimerStore.OpenTimer, at now: Int64, _ actions: inout Actions) {
        guard !open.isSilent, open.age <= staleAfter else {
            if open.isTold { done.append(Done(start: open.timer.start, isDelivered: true, at: now)) }
            return
        }
        unshown.insert(open.timer.start)
        if crowd.isEmpty, notifications.take(at: now) {
            actions.notifications.append(open)
        } else {
            crowd.append(open)
        }
    }

    private mutating func showHeld(at now: Int64, _ actions: inout Actions) {
        guard now >= nextList else { return }
        while !held.isEmpty, lists.take(at: now) { actions.events.append(held.take(Self.listLength)) }
    }

    private mutating func showCrowd(at now: Int64, _ actions: inout Actions) {
        guard !crowd.isEmpty, now >= nextCrowd else { return }
        actions.crowd = crowd
        crowd = []
        nextCrowd = now.addingClamped(Self.crowdGap)
    }
}
