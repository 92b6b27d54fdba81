package import GStreamerKit

/// The timers of one clock: which are due, and when to look again. The decision, without a clock.
///
/// A timer may be told from `due` on, and is to be told by `due + slack`. Looking at the earliest of those latest moments, and
/// telling all that are due by then, is the fewest looks there can be.
package struct TimerQueue: Sendable {
    /// What is armed.
    package struct Timer: Sendable, Equatable {
        package var due: ClockTime
        /// From one time to the next; nil: once.
        package var interval: ClockTime?
        package var slack: ClockTime

        package init(due: ClockTime, interval: ClockTime? = nil, slack: ClockTime = .zero) {
            self.due = due
            self.interval = interval
            self.slack = slack
        }
    }

    /// What a call stands for.
    package struct Expiry: Sendable, Equatable {
        package var id: UInt64
        /// The first time that is over.
        package var due: ClockTime
        /// How many are.
        package var expirations: UInt64
        /// Since the last of them.
        package var late: ClockTime
        /// Whether it comes again.
        package var repeats: Bool
    }

    private struct Armed: Sendable {
        /// As it was armed: the times of a repeating timer are counted from here.
        var timer: Timer
        var due: Int64
        var round: UInt64

        var latest: Int64 { due.adding(max(0, timer.slack.nanoseconds)) }
    }

    private var timers: [UInt64: Armed] = [:]
    private var byDue = TimerHeap()
    private var byLatest = TimerHeap()
    private var rounds: UInt64 = 0

    package init() {}

    package var count: Int { timers.count }

    /// Arms a timer under an id of the caller's; one that has it already is replaced.
    package mutating func arm(_ id: UInt64, _ timer: Timer) { place(id, timer, due: timer.due.nanoseconds) }

    /// - Returns: whether there was one.
    @discardableResult
    package mutating func cancel(_ id: UInt64) -> Bool { timers.removeValue(forKey: id) != nil }

    /// When to look again at the latest; nil where nothing is armed.
    package mutating func nextLook() -> ClockTime? {
        while let first = byLatest.first, isStale(first) { byLatest.pop() }
        return byLatest.first.map { ClockTime(nanoseconds: $0.time) }
    }

    /// Takes what is due, in the order of its times, and arms again what repeats.
    /// - Parameter most: the rest is due still.
    package mutating func takeDue(at now: ClockTime, most: Int = .max) -> [Expiry] {
        var due: [Expiry] = []
        while due.count < most, let first = byDue.first, isStale(first) || first.time <= now.nanoseconds {
            byDue.pop()
            guard !isStale(first), let armed = timers[first.id] else { continue }
            due.append(expire(first.id, armed, now.nanoseconds))
        }
        return due
    }

    /// The clock was set: what repeats goes on with the next of its times, and does not wait for the old one to come again.
    package mutating func clockWasSet(to now: ClockTime) {
        for (id, armed) in timers {
            guard let interval = armed.timer.interval?.nanoseconds else { continue }
            let first = armed.timer.due.nanoseconds
            let next =
                now.nanoseconds < first ? first : Self.last(from: first, interval, now.nanoseconds).adding(interval)
            if next < armed.due { place(id, armed.timer, due: next) }
        }
    }

    private mutating func expire(_ id: UInt64, _ armed: Armed, _ now: Int64) -> Expiry {
        guard let interval = armed.timer.interval?.nanoseconds else {
            timers[id] = nil
            return Expiry(
                id: id, due: ClockTime(nanoseconds: armed.due), expirations: 1,
                late: ClockTime(nanoseconds: now.subtracting(armed.due)), repeats: false)
        }
        let last = Self.last(from: armed.due, interval, now)
        let next = last.adding(interval)
        // No clock shows a later time than the last there is.
        let repeats = next > now
        if repeats { place(id, armed.timer, due: next) } else { timers[id] = nil }
        return Expiry(
            id: id, due: ClockTime(nanoseconds: armed.due),
            expirations: (UInt64(bitPattern: last &- armed.due) / UInt64(interval)) + 1,
            late: ClockTime(nanoseconds: now - last), repeats: repeats)
    }

    /// The last of a row of times that is not after `now`. The way from one end of time to the other fits no signed number.
    private static func last(from first: Int64, _ interval: Int64, _ now: Int64) -> Int64 {
        let past = UInt64(bitPattern: now &- first)
        return now &- Int64(bitPattern: past % UInt64(interval))
    }

    private mutating func place(_ id: UInt64, _ timer: Timer, due: Int64) {
        rounds += 1
        let armed = Armed(timer: timer, due: due, round: rounds)
        timers[id] = armed
        byDue.push(.init(time: due, id: id, round: rounds))
        byLatest.push(.init(time: armed.latest, id: id, round: rounds))
        // Cancelled ones stay where they are until there are too many.
        if byDue.entries.count + byLatest.entries.count > 4 * timers.count + 64 {
            let timers = timers
            byDue.keep { timers[$0.id]?.round == $0.round }
            byLatest.keep { timers[$0.id]?.round == $0.round }
        }
    }

    private func isStale(_ entry: TimerHeap.Entry) -> Bool { timers[entry.id]?.round != entry.round }
}

/// Times come from plugins: what is out of bounds becomes the bound, and traps nowhere.
extension Int64 {
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
