/// The row of each pet's timer, in memory.
///
/// Timers are stored in the order in which they were started: those that start together lie together, and a start writes next to the one
/// before it whichever pet it is for. An index of the pets on disk would write a page for each.
///
/// Thread: worker, one call at a time.
final class TimerIndex {
    /// By row of pet; 0 for none. 8 bytes for each pet, and for as many that may come.
    private var starts: [Int64] = []
    /// What the open transaction changed, as it was before.
    private var before: [(pet: Int64, start: Int64)] = []

    subscript(pet: Int64) -> Int64? {
        guard pet >= 0, pet < starts.count else { return nil }
        let start = starts[Int(pet)]
        return start == 0 ? nil : start
    }

    /// - Parameter start: nil takes it out.
    /// - Precondition: `pet` is a row number below `DueQueue.limit`.
    func set(_ pet: Int64, _ start: Int64?) {
        before.append((pet, self[pet] ?? 0))
        write(pet, start ?? 0)
    }

    /// The transaction has ended: what it changed stays.
    func commit() { before.removeAll(keepingCapacity: before.count <= Self.usual) }

    /// Nothing of it does.
    func rollback() {
        for (pet, start) in before.reversed() { write(pet, start) }
        commit()
    }

    /// Changes of one transaction that memory is kept for.
    private static let usual = 1024

    private func write(_ pet: Int64, _ start: Int64) {
        if pet >= starts.count {
            let count = max(Int(pet) + 1, min(2 * starts.count, Int(DueQueue.limit)))
            starts.append(contentsOf: repeatElement(0, count: count - starts.count))
        }
        starts[Int(pet)] = start
    }
}
