/// What a process has said already: each thing is said once, and of a flood only the beginning.
struct TrialLedger: Sendable {
    private static let most = 50

    private var faults: Set<String> = []
    private var notes: Set<String> = []

    /// A trial ends early where there is one. A note is none.
    var hasFaults: Bool { !faults.isEmpty }

    mutating func isNew(fault: String) -> Bool { faults.count < Self.most && faults.insert(fault).inserted }
    mutating func isNew(note: String) -> Bool { notes.count < Self.most && notes.insert(note).inserted }
}
