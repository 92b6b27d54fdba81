@testable import LaundryTimers

/// What comes again: one for each pet, every half hour of the clock or after a span.
extension HistoryModel {
    struct Repeat: Equatable {
        enum Plan: Equatable {
            case every(Int64, Basis, Run)
            /// Each half hour, up to there.
            case halfHours(handled: Int64?)
        }

        var row: Int64
        var plan: Plan
    }

    static let rule = "*:0/30"
    private static let halfHour = 1800 * second

    mutating func put(_ id: String, _ order: ScheduleRequest, _ clocks: Clocks) {
        guard let pet = pets[id] else { return }
        let plan: Repeat.Plan
        if let span = order.every?.wholeNanoseconds {
            let basis = order.basis ?? .elapsed
            guard basis == .elapsed || trust(clocks) > .implausible else { return }
            if case .every(span, basis, _) = pet.again?.plan { return }
            plan = .every(span, basis, run(basis, span, clocks))
        } else {
            if case .halfHours = pet.again?.plan { return }
            plan = .halfHours(handled: trust(clocks) > .implausible ? clocks.now.realtime : nil)
        }
        pets[id]?.again = nil
        let row = (pets.values.compactMap { $0.again?.row }.max() ?? 0) + 1
        pets[id]?.again = Repeat(row: row, plan: plan)
        take(note: clocks)
    }

    /// A clock that was set.
    mutating func follow(_ clocks: Clocks) {
        guard trust(clocks) > .implausible else { return }
        for (name, pet) in pets {
            guard case .halfHours(let handled) = pet.again?.plan else { continue }
            if let handled, clocks.now.realtime >= handled - 3 * 3600 * second { continue }
            pets[name]?.again?.plan = .halfHours(handled: clocks.now.realtime)
        }
    }

    /// Nil: it waits for the clock.
    func left(_ again: Repeat, _ clocks: Clocks) -> Int64? {
        switch again.plan {
        case .every(_, _, let run): return remaining(run, clocks)
        case .halfHours(let handled):
            guard trust(clocks) > .implausible, let handled else { return nil }
            return (CivilTime.floorDivide(handled, Self.halfHour) + 1) * Self.halfHour - clocks.now.realtime
        }
    }

    /// - Returns: whether anything was due.
    mutating func fire(_ clocks: Clocks) -> Bool {
        var due: [(isWall: Bool, at: Int64, row: Int64, name: String)] = []
        for (name, pet) in pets {
            guard let again = pet.again, let left = left(again, clocks), left <= 0 else { continue }
            var isWall = true
            if case .every(_, _, .boottime) = again.plan { isWall = false }
            due.append((isWall, left, again.row, name))
        }
        due.sort { ($0.isWall ? 1 : 0, $0.at, $0.row) < ($1.isWall ? 1 : 0, $1.at, $1.row) }
        for one in due {
            guard var pet = pets[one.name], var again = pet.again else { continue }
            switch again.plan {
            case .every(let span, let basis, let run):
                again.plan = .every(span, basis, run.moved(by: (-one.at / span + 1) * span))
            case .halfHours: again.plan = .halfHours(handled: clocks.now.realtime)
            }
            pet.again = again
            pet.open.append(next)
            pet.scheduled.insert(next)
            let outgrown = pet.moments.dropLast(Self.mostMoments)
            pet.open.removeAll { outgrown.contains($0) }
            if pet.timer == nil { pet.state = .needsAttention }
            pets[one.name] = pet
            kinds[next] = .cycle
            next += 1
        }
        return !due.isEmpty
    }
}

extension HistoryModel.Run {
    func moved(by more: Int64) -> HistoryModel.Run {
        switch self {
        case .boottime(let due): .boottime(due + more)
        case .wall(let due, let isForeign): .wall(due + more, isForeign: isForeign)
        case .paused(let left): .paused(left + more)
        case .unsettled(let due, let note): .unsettled(due + more, note)
        }
    }
}
