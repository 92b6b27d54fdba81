@testable import LaundryTimers

/// The timers once more, without a store, a queue or a plugin: what must be found after any history.
struct HistoryModel: Equatable {
    enum Run: Equatable {
        /// At a boottime of this boot.
        case boottime(Int64)
        /// At a wall time: of the basis, or because nobody has settled it in this boot yet.
        case wall(Int64, isForeign: Bool)
        /// At a boottime of another boot, whose clock nobody had set.
        case unsettled(Int64, Note)
        case paused(Int64)
    }

    struct Timer: Equatable {
        var number: Int64
        var kind: TimerKind
        var basis: Basis
        var run: Run
        var duration: Int64
        var before: (PetState, Stage)

        static func == (left: Timer, right: Timer) -> Bool {
            (left.number, left.kind, left.basis, left.run, left.duration)
                == (right.number, right.kind, right.basis, right.run, right.duration) && left.before == right.before
        }
    }

    struct Animal: Equatable {
        var state = PetState.idle
        var stage = Stage.idle
        var timer: Timer?
        var again: Repeat?
        /// Numbers of finished ones that nobody has acknowledged.
        var open: [Int64] = []
        /// Those among them that came of `again`.
        var moments: [Int64] { open.filter { scheduled.contains($0) }.sorted() }
        var scheduled: Set<Int64> = []
    }

    /// What the store knows of the clocks of this boot.
    struct Note: Equatable {
        var offset: Int64
        var trust: ClockTrust
        var last: Int64
    }

    struct Clocks: Equatable {
        var now: Moment
        var boot: Int
        var isSynchronised: Bool
    }

    /// Few, so that histories come to it.
    static let mostMoments = 3
    var pets: [String: Animal] = [:]
    var next: Int64 = 1
    var boot = 0
    var note = Note(offset: 0, trust: .implausible, last: 0)
    /// The wall clock at the end of the boot before.
    var seen: Int64?
    /// The last of the boot before.
    var past: Note?
    /// Of every number.
    var kinds: [Int64: TimerKind] = [:]

    func trust(_ clocks: Clocks) -> ClockTrust {
        if clocks.now.realtime < ClockTrust.earliest { return .implausible }
        if clocks.isSynchronised { return .synchronised }
        return clocks.now.realtime >= seen ?? .min ? .plausible : .implausible
    }

    mutating func take(note clocks: Clocks) {
        note = Note(
            offset: clocks.now.realtime - clocks.now.boottime, trust: trust(clocks),
            last: max(note.last, clocks.now.boottime))
    }

    /// A host starts.
    mutating func open(_ clocks: Clocks) {
        if clocks.boot != boot {
            if boot > 0 { past = note }
            if boot > 0, note.trust > .implausible { seen = note.last + note.offset }
            let before = note
            eachRun { run, _ in
                switch run {
                case .boottime(let due):
                    switch before.trust {
                    case .implausible: .boottime(clocks.now.boottime + due - before.last)
                    case .plausible: .unsettled(due, before)
                    case .synchronised: .wall(due + before.offset, isForeign: true)
                    }
                case .wall(let due, _): .wall(due, isForeign: true)
                case .paused, .unsettled: run
                }
            }
            boot = clocks.boot
            note.last = .min
        }
        take(note: clocks)
        settle(clocks)
    }

    /// What two clocks of the same kind say about each other, and what nobody will ever know, gives a boottime of this boot.
    mutating func settle(_ clocks: Clocks) {
        let (trust, offset) = (trust(clocks), clocks.now.realtime - clocks.now.boottime)
        let before = pets
        defer { if pets != before { take(note: clocks) } }
        eachRun { run, basis in
            switch (run, trust) {
            case (.wall(let due, isForeign: true), .synchronised) where basis == .elapsed: .boottime(due - offset)
            case (.unsettled(let due, let before), .plausible): .boottime(due + before.offset - offset)
            case (.unsettled(let due, let before), .synchronised): .boottime(clocks.now.boottime + due - before.last)
            default: run
            }
        }
    }

    private mutating func eachRun(_ body: (Run, Basis) -> Run) {
        for (name, pet) in pets {
            if let timer = pet.timer { pets[name]?.timer?.run = body(timer.run, timer.basis) }
            if case .every(let span, let basis, let run) = pet.again?.plan {
                pets[name]?.again?.plan = .every(span, basis, body(run, basis))
            }
        }
    }

    /// Nil: it waits for the clock.
    func remaining(_ timer: Timer, _ clocks: Clocks) -> Int64? { remaining(timer.run, clocks) }

    func remaining(_ run: Run, _ clocks: Clocks) -> Int64? {
        switch run {
        case .boottime(let due): return due - clocks.now.boottime
        case .paused(let left): return left
        case .unsettled: return nil
        case .wall(let due, let isForeign):
            return isForeign && trust(clocks) == .implausible ? nil : due - clocks.now.realtime
        }
    }

    /// - Returns: whether anything was.
    mutating func complete(_ clocks: Clocks) -> Bool {
        var any = false
        for (name, pet) in pets {
            guard let timer = pet.timer, let left = remaining(timer, clocks), left <= 0 else { continue }
            if case .paused = timer.run { continue }
            any = true
            var done = pet
            done.timer = nil
            done.state = timer.kind == .cycle ? .needsAttention : .neutral
            switch timer.kind {
            case .cycle: done.stage = timer.before.1
            case .wash: done.stage = .drying
            case .dry: done.stage = .folding
            }
            done.open.append(timer.number)
            pets[name] = done
        }
        any = fire(clocks) || any
        if any { take(note: clocks) }
        return any
    }
}
