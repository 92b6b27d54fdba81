/// Somebody is done with finished timers of a pet: those whose numbers are within these bounds.
struct Settled: Sendable, Equatable {
    /// Its row.
    var pet: Int64
    var starts: Range<Int64>

    func covers(_ open: TimerStore.OpenTimer) -> Bool {
        open.timer.pet == pet && starts.contains(open.timer.start)
    }
}

/// Many of these, to be looked up: a crowd that is done with at once is as long as the one that is shown.
struct SettledTimers: Sendable {
    private var starts: [Int64: [Range<Int64>]] = [:]

    init(_ settled: [Settled]) {
        for one in settled { starts[one.pet, default: []].append(one.starts) }
    }

    /// Rows.
    var pets: some Sequence<Int64> { starts.keys }

    func covers(_ open: TimerStore.OpenTimer) -> Bool {
        starts[open.timer.pet]?.contains { $0.contains(open.timer.start) } ?? false
    }
}
