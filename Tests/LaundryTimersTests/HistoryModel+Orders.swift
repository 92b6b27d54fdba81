import PluginKit

@testable import LaundryTimers

extension HistoryModel {
    /// What an order does. Refused ones do nothing.
    mutating func apply(_ order: TimerOrder, _ clocks: Clocks) {
        let before = self
        switch order {
        case .definePet(let pet):
            if pets[pet.id] == nil { pets[pet.id] = Animal() }
            take(note: clocks)
            return
        case .start(let request):
            start(
                request.pet, request.kind, request.duration?.wholeNanoseconds ?? Self.defaults[request.kind] ?? 0,
                request.basis ?? .elapsed, clocks)
        case .stop(let id):
            guard var pet = pets[id] else { return }
            if let timer = pet.timer {
                (pet.state, pet.stage) = timer.before
                pet.timer = nil
            } else {
                // It looks for what it can acknowledge, and that is a write.
                take(note: clocks)
            }
            pet.open = []
            pets[id] = pet
        case .pause(let id):
            change(id) { timer in
                guard let left = before.remaining(timer, clocks) else { return }
                if case .paused = timer.run { return }
                timer.run = .paused(left)
            }
        case .resume(let id):
            change(id) { timer in
                guard case .paused(let left) = timer.run,
                    timer.basis == .elapsed || before.trust(clocks) > .implausible
                else { return }
                timer.run = before.run(timer.basis, left, clocks)
            }
        case .extend(let id, let more):
            change(id) { timer in
                timer.duration += more
                timer.run = timer.run.moved(by: more)
            }
        case .snooze(let id, let duration):
            guard let pet = pets[id], pet.timer == nil, let newest = pet.open.max(), let kind = kinds[newest] else {
                return
            }
            start(id, kind, duration ?? 300 * second, .elapsed, clocks)
        case .next(let id):
            guard let pet = pets[id], pet.timer == nil else { return }
            switch (pet.state, pet.stage) {
            case (.needsAttention, _): start(id, .wash, Self.defaults[.wash] ?? 0, .elapsed, clocks)
            case (.neutral, .drying): start(id, .dry, Self.defaults[.dry] ?? 0, .elapsed, clocks)
            case (.neutral, .folding): pets[id] = Animal(again: pet.again)
            default: return
            }
            // A fold is a write, also where nothing changes.
            take(note: clocks)
        case .schedule(let request): return put(request.pet, request, clocks)
        case .unschedule(let id, _):
            guard pets[id]?.again != nil else { return }
            pets[id]?.again = nil
            take(note: clocks)
        case .acknowledge(let key):
            take(note: clocks)
            pets[key]?.open = []
        case .removePet(let id):
            guard pets.removeValue(forKey: id) != nil else { return }
            take(note: clocks)
        case .look:
            let drift = (clocks.now.offset - note.offset).magnitude
            let counts = pets.values.contains { pet in
                if let again = pet.again, left(again, clocks) != nil { return true }
                guard let timer = pet.timer, remaining(timer, clocks) != nil else { return false }
                if case .paused = timer.run { return false }
                return true
            }
            if drift > 100_000_000 || trust(clocks) != note.trust
                || note.trust != .synchronised && counts && clocks.now.boottime - note.last > 30 * second
            {
                take(note: clocks)
            }
            return
        default: return
        }
        if pets != before.pets { take(note: clocks) }
    }

    static let defaults: [TimerKind: Int64] = [.cycle: 30 * minute, .wash: 45 * minute, .dry: 60 * minute]

    private mutating func start(
        _ id: String, _ kind: TimerKind, _ duration: Int64, _ basis: Basis, _ clocks: Clocks
    ) {
        guard var pet = pets[id], pet.timer == nil, basis == .elapsed || trust(clocks) > .implausible else { return }
        pet.timer = Timer(
            number: next, kind: kind, basis: basis, run: run(basis, duration, clocks), duration: duration,
            before: (pet.state, pet.stage))
        kinds[next] = kind
        next += 1
        switch kind {
        case .cycle: pet.state = .cycling
        case .wash: (pet.state, pet.stage) = (.washing, .washing)
        case .dry: (pet.state, pet.stage) = (.drying, .drying)
        }
        pet.open = []
        pets[id] = pet
    }

    func run(_ basis: Basis, _ left: Int64, _ clocks: Clocks) -> Run {
        switch basis {
        case .elapsed: .boottime(clocks.now.boottime + left)
        case .wall: .wall(clocks.now.realtime + left, isForeign: false)
        }
    }

    private mutating func change(_ id: String, _ body: (inout Timer) -> Void) {
        guard var timer = pets[id]?.timer else { return }
        body(&timer)
        pets[id]?.timer = timer
    }
}
