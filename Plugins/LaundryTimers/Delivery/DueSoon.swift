import Locking

/// Timers that are over soon, ready to be told: main tells them when it is time, and does not wait for the disk.
///
/// The store knows beforehand until when that may be (`boots.told_until`), so a host that was killed between the telling and the
/// commit leaves behind which timers may have been told, and they are counted as such. What changes a timer withdraws it first; so
/// either main has told it, and it is over, or main never will.
///
/// Thread: main takes, the worker does all the rest; what any thread may is said.
final class DueSoon: Sendable {
    struct Entry: Sendable {
        /// Boottime, nanoseconds.
        let due: Int64
        let open: TimerStore.OpenTimer
        var row: Int64 { open.timer.pet }
    }

    private struct Told: Sendable {
        let start: Int64
        let at: Moment
    }

    private struct State: Sendable {
        /// By row of pet, as all here.
        var pending: [Int64: Entry] = [:]
        /// The same, the first at the end; those that were withdrawn are here still.
        var order: [DueQueue.Entry] = []
        /// What the store has as running.
        var told: [Int64: Told] = [:]
        /// What the transaction that runs took out, and what it completed.
        var withdrawn: [Entry] = []
        var completed: [Int64] = []
        var isClosed = false

        mutating func dropWithdrawn() {
            while let last = order.last, pending[Int64(last.timer)]?.due != last.due { order.removeLast() }
        }

        mutating func add(_ entries: [Entry]) {
            guard !isClosed, !entries.isEmpty else { return }
            for entry in entries {
                pending[entry.row] = entry
                order.append(DueQueue.Entry(due: entry.due, timer: UInt32(truncatingIfNeeded: entry.row)))
            }
            order.sort { $1 < $0 }
        }
    }

    /// So many are ready at most; those beyond wait for their commit.
    static let most = 10_000

    private let state = Locked(State())

    /// When the first is to be told; boottime.
    /// - Thread: any.
    var next: Int64? {
        state.withLock { state in
            state.dropWithdrawn()
            return state.order.last?.due
        }
    }

    /// Those that main is going to tell, and those that it told and that are not committed.
    /// - Thread: any.
    var count: Int { state.withLock { $0.pending.count + $0.told.count } }

    /// What is due by now, in its order. From here on it is told.
    /// - Thread: main.
    func take(at now: Moment) -> [TimerStore.OpenTimer] {
        state.withLock { state in
            var taken: [TimerStore.OpenTimer] = []
            state.dropWithdrawn()
            while let first = state.order.last, first.due <= now.boottime {
                if let entry = state.pending.removeValue(forKey: Int64(first.timer)) {
                    state.told[entry.row] = Told(start: entry.open.timer.start, at: now)
                    taken.append(entry.open.over(at: now, due: entry.due))
                }
                state.order.removeLast()
                state.dropWithdrawn()
            }
            return taken
        }
    }

    /// Nothing is told from here any more; what was told is known still.
    /// - Thread: any.
    func close() {
        state.withLock { state in
            state.isClosed = true
            (state.pending, state.order, state.withdrawn) = ([:], [], [])
        }
    }

    // MARK: For the keeper

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Makes ready what is `missing`.
    func publish(_ entries: [Entry]) { state.withLock { $0.add(entries) } }

    /// Rows that may be made ready: as many as there is room for.
    func missing(_ rows: [Int64]) -> [Int64] {
        state.withLock { state in
            var seen: Set<Int64> = []
            let new = rows.filter { state.pending[$0] == nil && state.told[$0] == nil && seen.insert($0).inserted }
            return Array(new.prefix(max(0, Self.most - state.pending.count)))
        }
    }

    /// Whether main has this one.
    func isPending(_ row: Int64) -> Bool { state.withLock { $0.pending[row] != nil } }

    /// Those that main is going to tell are left out.
    func withoutPending(_ rows: [Int64]) -> [Int64] {
        state.withLock { state in
            state.pending.isEmpty ? rows : rows.filter { state.pending[$0] == nil }
        }
    }

    /// When main told this timer, which the store has as running.
    func toldAt(_ row: Int64, _ start: Int64) -> Moment? {
        state.withLock { state in state.told[row].flatMap { $0.start == start ? $0.at : nil } }
    }

    /// Pets with timers that were told and are not committed.
    var told: [Int64] { state.withLock { $0.told.keys.sorted() } }

    /// Main tells this timer no more, if the transaction is committed.
    /// - Returns: when it did, where it was first.
    func withdraw(_ row: Int64, _ start: Int64) -> Moment? {
        state.withLock { state in
            if let told = state.told[row], told.start == start { return told.at }
            if let entry = state.pending.removeValue(forKey: row) { state.withdrawn.append(entry) }
            return nil
        }
    }

    /// What was told is over, if the transaction is committed.
    func complete(_ row: Int64) { state.withLock { $0.completed.append(row) } }

    func commit() {
        state.withLock { state in
            for row in state.completed { state.told[row] = nil }
            (state.withdrawn, state.completed) = ([], [])
        }
    }

    func rollback() {
        state.withLock { state in
            state.add(state.withdrawn)
            (state.withdrawn, state.completed) = ([], [])
        }
    }

    /// The store is another one.
    func forget() {
        state.withLock { state in
            let isClosed = state.isClosed
            state = State()
            state.isClosed = isClosed
        }
    }
}

extension TimerStore.OpenTimer {
    /// As it is told at a moment that is not before its end.
    fileprivate func over(at now: Moment, due: Int64) -> Self {
        var open = self
        open.timer.late = now.boottime.subtractingClamped(due)
        open.timer.finishedAt = now.realtime.subtractingClamped(open.timer.late)
        open.age = open.timer.late
        return open
    }
}
