import Locking

/// Timers that are over soon, ready to be told: main tells them when it is time, and does not wait for the disk.
///
/// The store knows beforehand until when that may be (`boots.told_until`), so a host that was killed between the telling and the
/// commit leaves behind which timers may have been told, and they are counted as such. What changes a timer withdraws it first; so
/// either main has told it, and it is over, or main never will.
///
/// Thread: main takes, the worker does all the rest.
final class DueSoon: Sendable {
    struct Entry: Sendable {
        /// Boottime, nanoseconds.
        let due: Int64
        let open: TimerStore.OpenTimer
    }

    private struct State: Sendable {
        /// By row of pet.
        var pending: [Int64: Entry] = [:]
        /// The same, the first at the end; those that were withdrawn are here still.
        var order: [DueQueue.Entry] = []
        /// When main told those that the store has as running; by row of pet.
        var told: [Int64: Moment] = [:]
        var isClosed = false

        mutating func dropWithdrawn() {
            while let last = order.last, pending[Int64(last.timer)]?.due != last.due { order.removeLast() }
        }
    }

    /// So many are made ready at most; those beyond wait for their commit.
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

    /// What is due by now, in its order. From here on it is told.
    /// - Thread: main.
    func take(at now: Moment) -> [TimerStore.OpenTimer] {
        state.withLock { state in
            var taken: [TimerStore.OpenTimer] = []
            state.dropWithdrawn()
            while let first = state.order.last, first.due <= now.boottime {
                if let entry = state.pending.removeValue(forKey: Int64(first.timer)) {
                    state.told[Int64(first.timer)] = now
                    taken.append(entry.open.over(at: now, due: entry.due))
                }
                state.order.removeLast()
                state.dropWithdrawn()
            }
            return taken
        }
    }

    /// Makes ready what is not; what was told stays told.
    func publish(_ entries: [Entry]) {
        guard !entries.isEmpty else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            for entry in entries where state.told[entry.open.timer.pet] == nil {
                state.pending[entry.open.timer.pet] = entry
                state.order.append(
                    DueQueue.Entry(due: entry.due, timer: UInt32(truncatingIfNeeded: entry.open.timer.pet)))
            }
            state.order.sort { $1 < $0 }
        }
    }

    /// The timer of this pet is told by main no more.
    /// - Returns: when it was told, where it was.
    func withdraw(_ row: Int64) -> Moment? {
        state.withLock { state in
            state.pending[row] = nil
            return state.told[row]
        }
    }

    /// Whether main has it, or had it and it is not committed yet.
    func holds(_ row: Int64) -> Bool { state.withLock { $0.pending[row] != nil || $0.told[row] != nil } }

    /// Those that main is going to tell are left out.
    func withoutPending(_ rows: [Int64]) -> [Int64] {
        state.withLock { state in
            state.pending.isEmpty ? rows : rows.filter { state.pending[$0] == nil }
        }
    }

    /// Pets with timers that were told and are not committed.
    var told: [Int64] { state.withLock { $0.told.keys.sorted() } }

    var room: Int { state.withLock { max(0, Self.most - $0.pending.count) } }

    /// The store has them as over.
    func settle(_ rows: [Int64]) {
        guard !rows.isEmpty else { return }
        state.withLock { state in for row in rows { state.told[row] = nil } }
    }

    /// Nothing more is told from here: the host ends, or the store is another one.
    /// - Thread: any.
    func clear(forGood: Bool) {
        state.withLock { state in
            state.pending = [:]
            state.order = []
            if !forGood { state.told = [:] }
            state.isClosed = forGood
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
