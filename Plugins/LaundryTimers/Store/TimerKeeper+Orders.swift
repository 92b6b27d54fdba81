import PluginKit

/// One order inside of a transaction. What a user cannot have is a refusal, and the others go on; what the store cannot do
/// ends them all.
extension TimerKeeper {
    func answer(_ order: TimerOrder) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        switch order {
        case .start(let request): return try start(request).map { .timer($0) }
        case .startMany(let requests): return .success(.startedMany(try startMany(requests)))
        case .stop(let id): return try stop(id)
        case .pause(let id): return try change(id) { (pet) throws(PluginError) in try pet.pause(self.time) }
        case .resume(let id): return try change(id) { (pet) throws(PluginError) in try pet.resume(self.time) }
        case .extend(let id, let more):
            return try change(id) { (pet) throws(PluginError) in try pet.extend(by: more) }
        case .snooze(let id, let duration): return try snooze(id, duration ?? policy.snooze)
        case .next(let id): return try next(id)
        case .acknowledge(let key): return try acknowledge(key)
        case .definePet(let definition): return try define(definition)
        case .removePet(let id): return try remove(id)
        case .status(let id): return try found(id).map { .pet(report($0)) }
        case .list(let after, let limit): return .success(.list(try list(after, limit)))
        case .pets(let after, let limit): return .success(.pets(try petList(after, limit)))
        case .summary: return .success(.summary(try summary()))
        case .told(let starts):
            try store.markTold(starts)
            return .success(.done)
        case .delivered(let starts):
            try store.markDelivered(starts)
            return .success(.done)
        case .unsent(let starts):
            try store.markUnsent(starts)
            return .success(.done)
        case .replay(let start): return .success(try replay(after: start))
        case .pending: return .success(.pending(try pending()))
        case .schedule(let request): return try schedule(request)
        case .unschedule(let id, let name): return try unschedule(id, name)
        case .schedules(let after, let limit): return .success(try schedules(after, limit))
        case .countDue: return .success(.count(try store.count(.countFinished)))
        case .policy(let policy):
            self.policy = policy
            return .success(.done)
        case .look:
            if isClockNoteOld { try touch() }
            return .success(.done)
        }
    }

    private func replay(after start: Int64) throws(StoreError) -> TimerAnswer {
        let open = try openTimers(after: start, limit: Self.crowd)
        let known = Set(round.deliveries.map(\.timer.start))
        round.deliveries += open.filter { !known.contains($0.timer.start) }.map { open in
            var open = open
            open.isTold = false
            return open
        }
        return .replayed(open.count, last: open.count == Self.crowd ? open.last?.timer.start : nil)
    }

    /// - Parameter key: of the request, where it stood.
    func found(_ id: String, as key: String = "pet") throws(StoreError) -> Result<Pet, PluginError> {
        guard let pet = try upToDate(try store.pet(id)) else {
            return .failure(
                PluginError("there is no pet \"\(id)\"; pets lists them, pet-add makes one", code: .notFound, key: key))
        }
        return .success(pet)
    }

    /// Lets a pet decide, and writes what it decided.
    private func decide(
        _ id: String, _ body: (inout Pet) throws(PluginError) -> Void
    ) throws(StoreError) -> Result<Pet, PluginError> {
        switch try found(id) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let before):
            var pet = before
            do throws(PluginError) {
                try body(&pet)
            } catch {
                return .failure(error)
            }
            if let timer = before.timer, dueSoon.withdraw(before.row, timer.start) != nil {
                // Main told its end meanwhile: the order is about what is over.
                return try decide(id, body)
            }
            try touch()
            try store.save(pet, was: before)
            edits.append(pet.timer.map { .set(pet.row, $0.run) } ?? .cancel(pet.row))
            return .success(pet)
        }
    }

    private func change(
        _ id: String, _ body: (inout Pet) throws(PluginError) -> Void
    ) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        try decide(id, body).flatMapping { (pet) throws(StoreError) in .success(.timer(try timerReport(pet))) }
    }

    private func start(_ request: StartRequest) throws(StoreError) -> Result<TimerReport, PluginError> {
        let number = number
        let started = try decide(request.pet) { (pet) throws(PluginError) in
            try pet.start(
                request.kind, duration: request.duration?.wholeNanoseconds, basis: request.basis ?? usualBasis,
                number: number, time)
        }
        return try started.flatMapping { (pet) throws(StoreError) in
            try moveOn(pet)
            self.number += 1
            return .success(try timerReport(pet))
        }
    }

    /// What was not asked for by name goes on also where the wall clock is worth nothing.
    var usualBasis: Basis { time.trust > .implausible ? policy.basis : .elapsed }

    private func startMany(_ requests: [StartRequest]) throws(StoreError) -> StartManyResult {
        var refused: [StartManyResult.Refusal] = []
        for request in requests {
            if case .failure(let refusal) = try start(request) {
                refused.append(.init(pet: request.pet, reason: refusal.message))
            }
        }
        return StartManyResult(started: requests.count - refused.count, refused: refused)
    }

    private func timerReport(_ pet: Pet) throws(StoreError) -> TimerReport {
        guard let timer = pet.timer else { throw .damaged("the timer of pet \(pet.id) is gone") }
        return report(timer, of: pet)
    }

    /// Whatever the pet was told before is done with; no number is used yet that comes after that.
    @discardableResult
    private func moveOn(_ pet: Pet) throws(StoreError) -> Int {
        let count = try store.acknowledgeAll(of: pet.row)
        acknowledged += count
        if count > 0 { round.settled.append(Settled(pet: pet.row, starts: .min..<number)) }
        return count
    }

    private func stop(_ id: String) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        switch try found(id) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let before):
            guard let timer = before.timer else {
                try touch()
                let count = try moveOn(before)
                guard count > 0 else {
                    return .failure(PluginError("cannot stop: \(id) has no timer", code: .state))
                }
                return .success(.stopped(StopResult(pet: id, stopped: nil, acknowledged: count)))
            }
            _ = try decide(id) { (pet) throws(PluginError) in try pet.stop() }
            let count = try moveOn(before)
            return .success(
                .stopped(StopResult(pet: id, stopped: "\(id)/\(timer.start)", acknowledged: count)))
        }
    }

    /// The newest finished timer once more.
    private func snooze(_ id: String, _ duration: Int64) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        switch try found(id) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let pet):
            guard let kind = try store.newestFinished(of: pet.row) else {
                return .failure(
                    PluginError(
                        "nothing of \(id) is finished and waits; a timer that runs is made longer with extend",
                        code: .state))
            }
            return try start(
                StartRequest(pet: id, kind: kind, duration: .nanoseconds(duration), basis: nil)
            ).map { .timer($0) }.mapError {
                $0.key == "duration" ? PluginError($0.message, code: $0.code, key: "for") : $0
            }
        }
    }

    private func next(_ id: String) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        switch try found(id) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let pet):
            switch pet.nextStep {
            case nil:
                let why = pet.timer.map { "its \($0.kind.rawValue) timer is not over" } ?? "start a timer"
                return .failure(PluginError("there is no next step for \(id): \(why)", code: .state))
            case .startWash: return try begin(.wash, pet)
            case .startDryer: return try begin(.dry, pet)
            case .fold:
                let folded = try decide(id) { (pet) throws(PluginError) in pet.fold(time) }
                try moveOn(pet)
                return folded.map { .pet(report($0)) }
            }
        }
    }

    private func begin(_ kind: TimerKind, _ pet: Pet) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        if case .failure(let refusal) = try start(
            StartRequest(pet: pet.id, kind: kind, duration: nil, basis: nil))
        {
            return .failure(refusal)
        }
        return try found(pet.id).map { .pet(report($0)) }
    }

    private func acknowledge(_ key: String) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        try touch()
        guard let slash = key.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return try found(key, as: "timer").flatMapping { (pet) throws(StoreError) in
                .success(.count(try moveOn(pet)))
            }
        }
        let id = String(key[..<slash])
        guard let start = Int64(key[key.utf8.index(after: slash)...]) else {
            return .failure(
                PluginError("\"\(key)\" names no timer; it is PET/START, as in list", code: .invalid, key: "timer"))
        }
        return try found(id, as: "timer").flatMapping { (pet) throws(StoreError) in
            .success(.count(try acknowledge(start, of: pet) ? 1 : 0))
        }
    }

    /// - Returns: whether it was open.
    @discardableResult
    func acknowledge(_ start: Int64, of pet: Pet) throws(StoreError) -> Bool {
        guard try store.acknowledge(start, of: pet.row) else { return false }
        acknowledged += 1
        round.settled.append(Settled(pet: pet.row, starts: start..<start + 1))
        return true
    }

    private func define(_ new: PetDefinition) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        if let refusal = new.refusal { return .failure(refusal) }
        try touch()
        if var pet = try upToDate(try store.pet(new.id)) {
            pet.apply(new)
            try store.define(pet)
            if let timer = pet.timer {
                // It is told by its new name.
                _ = dueSoon.withdraw(pet.row, timer.start)
                edits.append(.set(pet.row, timer.run))
            }
            return .success(.pet(report(pet)))
        }
        var pet = Pet(
            row: 0, id: new.id, name: new.name ?? new.id, defaults: policy.defaults, hasSound: true,
            caredAt: time.now.realtime)
        pet.apply(new)
        let row = try store.add(pet)
        guard row < DueQueue.limit else {
            try store.remove(Pet(row: row, id: pet.id, name: "", defaults: pet.defaults, hasSound: true, caredAt: 0))
            return .failure(PluginError("there are \(DueQueue.limit - 1) pets already", code: .limit))
        }
        return try found(new.id).map { .pet(report($0)) }
    }

    private func remove(_ id: String) throws(StoreError) -> Result<TimerAnswer, PluginError> {
        try found(id).flatMapping { (pet) throws(StoreError) in
            try touch()
            try moveOn(pet)
            if let timer = pet.timer, dueSoon.withdraw(pet.row, timer.start) != nil { dueSoon.complete(pet.row) }
            try store.remove(pet)
            edits.append(.cancel(pet.row))
            for schedule in calendar.of(pet.row) { calendar.remove(schedule.row) }
            return .success(.pet(report(pet)))
        }
    }
}

extension Result where Failure == PluginError {
    /// `flatMap` with a body that may fail otherwise.
    func flatMapping<Other>(
        _ body: (Success) throws(StoreError) -> Result<Other, PluginError>
    ) throws(StoreError) -> Result<Other, PluginError> {
        switch self {
        case .success(let value): try body(value)
        case .failure(let refusal): .failure(refusal)
        }
    }
}

extension PetDefinition {
    /// Why there can be no such pet.
    var refusal: PluginError? {
        let isSound =
            !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
        guard isSound else {
            return PluginError(
                "\"\(id)\" is no id of a pet: 1 to 64 bytes without spaces and slashes; give people a name instead",
                code: .invalid, key: "id")
        }
        for (key, duration) in [("cycle", cycle), ("wash", wash), ("dry", dry)] {
            guard let duration, !(1...Pet.longest).contains(duration) else { continue }
            return PluginError(
                "a default of \(id) is \(Duration.nanoseconds(duration)); give more than 0", code: .invalid, key: key)
        }
        if let name, name.utf8.count > Self.longestName {
            return PluginError(
                "the name of \(id) has \(name.utf8.count) bytes; give at most \(Self.longestName)", code: .invalid,
                key: "name")
        }
        return nil
    }

    /// Bytes; several of them have to fit into one notification.
    static let longestName = 128
}

extension Pet {
    /// What is said replaces what was, the rest stays.
    fileprivate mutating func apply(_ new: PetDefinition) {
        name = new.name ?? name
        defaults.cycle = new.cycle ?? defaults.cycle
        defaults.wash = new.wash ?? defaults.wash
        defaults.dry = new.dry ?? defaults.dry
        hasSound = new.hasSound ?? hasSound
    }
}
