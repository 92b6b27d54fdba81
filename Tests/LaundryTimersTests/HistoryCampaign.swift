import CrashingDisk
import HostTestKit
import PluginKit
import Testing

@testable import LaundryTimers

extension CrashingDiskTests {
    /// Random lives of a board: orders, kills and power cuts at any write, restarts, reboots, suspend and clocks that are set, against `HistoryModel`.
    ///
    /// A zone change is none: nothing here knows a zone, all times are nanoseconds since 1970.
    @Suite struct HistoryCampaign {
        @Test func storeAndModelAgree() throws {
            #expect(crashing_disk_register() == 0)
            defer { crashing_disk_set(-1, 0) }
            var random = Campaign(rounds: 1500)
            let note = random.note
            for round in 0..<random.rounds {
                var history = try History(
                    Comment(rawValue: "history \(round), \(note)"), isSynchronised: Bool.random(using: &random),
                    lead: [0, TimerKeeper.usualLead, 40 * minute].randomElement(using: &random) ?? 0)
                defer { history.end() }
                for _ in 0..<Int.random(in: 5...40, using: &random) {
                    try history.step(&random)
                    if history.hasDiverged { return }
                }
            }
        }
    }
}

/// One board.
private struct History {
    private let folder: Folder
    private let note: Comment
    private var clocks: HistoryModel.Clocks
    private var model = HistoryModel()
    private var keeper: TimerKeeper
    private(set) var hasDiverged = false
    /// The time that has really passed, which no clock of the board need show.
    private var truth: Int64 = 0
    /// By number: when an elapsed timer began, in real time, and how long it is at least.
    private var begun: [Int64: (at: Int64, duration: Int64)] = [:]
    /// Whether a time service has ever set the clock: until then it may be wrong by anything.
    private var wasSynchronised: Bool
    /// By number: as which attempt somebody was told of it last.
    private var told: [Int64: Int64] = [:]
    /// How long before its end a timer is ready to be told before its commit.
    private let lead: Int64
    private static let names = ["a", "b", "c"]

    init(_ note: Comment, isSynchronised: Bool, lead: Int64) throws {
        self.note = note
        self.lead = lead
        wasSynchronised = isSynchronised
        clocks = HistoryModel.Clocks(
            now: Moment(boottime: 20 * second, realtime: newYear), boot: 1, isSynchronised: isSynchronised)
        folder = try Folder()
        crashing_disk_set(-1, 0)
        keeper = try Self.open(folder, clocks, lead)
        model.open(clocks)
        try perform(Self.names.map { .definePet(PetDefinition(id: $0)) })
    }

    func end() {
        crashing_disk_set(-1, 0)
        keeper.store.close()
    }

    mutating func step(_ random: inout Campaign) throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            let count = Int.random(in: 1...3, using: &random)
            try perform((0..<count).map { _ in Self.order(&random) })
        case 9..<12:
            pass(Self.span(&random))
            // Its alarm rings at once, or with what comes next.
            if Bool.random(using: &random) { tell() }
        case 12:
            clocks.now.realtime += Self.clockStep(&random)
            // What follows the wall clock until it is set follows whoever sets it wrong.
            begun = [:]
        case 13:
            clocks.isSynchronised.toggle()
            wasSynchronised = wasSynchronised || clocks.isSynchronised
        case 14, 15: try perform([.look])
        case 16, 17: try kill(&random)
        case 18:
            keeper.store.close()
            pass(Self.span(&random))
            try reopen([model])
        default:
            // In order, or by its switch.
            if Bool.random(using: &random) {
                Crash.powerLost.arrange(at: 0, seed: .random(in: 0 ... .max, using: &random))
            }
            keeper.store.close()
            crashing_disk_set(-1, 0)
            reboot(&random)
            try reopen([model])
        }
    }

    private mutating func pass(_ span: Int64) {
        truth += span
        clocks.now.boottime += span
        clocks.now.realtime += span
    }

    /// The machine was off; its clock goes on, stands, begins in 1970, or is a month further because it is set at last.
    private mutating func reboot(_ random: inout Campaign) {
        clocks.boot += 1
        let off = Self.span(&random)
        let isSetAtLast = !wasSynchronised && Bool.random(using: &random)
        let start = Int64.random(in: 1...60, using: &random) * second
        truth += off + start
        switch Int.random(in: 0..<4, using: &random) {
        case _ where isSetAtLast: clocks.now.realtime += off + start + 30 * 86_400 * second
        case 0: clocks.now.realtime = 100 * second
        case 1: break
        default: clocks.now.realtime += off + start
        }
        clocks.now.boottime = start
        clocks.isSynchronised = isSetAtLast || clocks.now.realtime > newYear && Bool.random(using: &random)
        wasSynchronised = wasSynchronised || clocks.isSynchronised
    }

    private mutating func perform(_ orders: [TimerOrder]) throws {
        let first = keeper.number
        tell()
        hear(try keeper.perform(orders, at: clocks.now, isSynchronised: clocks.isSynchronised).deliveries)
        try keeper.makeReady()
        model = stages(of: orders).last ?? model
        try compare()
        try judge()
        for pet in try keeper.store.pets(after: 0, limit: 100) {
            guard let timer = pet.timer, timer.basis == .elapsed, timer.start >= first else { continue }
            begun[timer.start] = (truth, timer.duration)
        }
    }

    /// None is over before its time has passed, whatever the clocks were.
    private mutating func judge() throws {
        for open in try keeper.store.openTimers(limit: .max) {
            judge(open)
            begun[open.timer.start] = nil
        }
    }

    private mutating func judge(_ open: TimerStore.OpenTimer) {
        guard let begin = begun[open.timer.start], truth - begin.at < begin.duration else { return }
        hasDiverged = true
        Issue.record("\(open.key) is early by \(begin.duration - truth + begin.at) ns; \(note.rawValue)")
    }

    /// What main does when it is time.
    private mutating func tell() { hear(keeper.dueSoon.take(at: clocks.now)) }

    /// Nobody is told twice of the same attempt.
    private mutating func hear(_ timers: [TimerStore.OpenTimer]) {
        for open in timers {
            judge(open)
            if let before = told[open.timer.start], open.timer.attempts <= before {
                hasDiverged = true
                Issue.record("\(open.key) is told twice as attempt \(before); \(note.rawValue)")
            }
            told[open.timer.start] = open.timer.attempts
        }
    }

    /// What the store may hold after each transaction of a round: as before, with what was due, with the orders.
    private func stages(of orders: [TimerOrder]) -> [HistoryModel] {
        var model = model
        var stages = [model]
        model.settle(clocks)
        stages.append(model)
        model.follow(clocks)
        stages.append(model)
        _ = model.complete(clocks)
        stages.append(model)
        for order in orders { model.apply(order, clocks) }
        stages.append(model)
        return stages
    }

    private mutating func kill(_ random: inout Campaign) throws {
        let orders = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.order(&random) }
        tell()
        let stages = stages(of: orders)
        let crash = Crash.allCases.randomElement(using: &random) ?? .killed
        crash.arrange(at: Int.random(in: 0..<14, using: &random), seed: .random(in: 0 ... .max, using: &random))
        let round = try? keeper.perform(orders, at: clocks.now, isSynchronised: clocks.isSynchronised)
        hear(round?.deliveries ?? [])
        if round != nil { try? keeper.makeReady() }
        keeper.store.close()
        crashing_disk_set(-1, 0)
        if Bool.random(using: &random) { pass(Self.span(&random)) }
        if Int.random(in: 0..<4, using: &random) == 0 { reboot(&random) }
        try reopen(round != nil ? [stages[stages.count - 1]] : stages)
    }

    /// Another host: what it finds must be one of these.
    private mutating func reopen(_ candidates: [HistoryModel]) throws {
        // No two hosts begin at the same instant. The first thing that each of them does is to note its own: with that note, what a
        // killed host has written and not synced is synced, before anybody is told of it.
        pass(1)
        keeper = try Self.open(folder, clocks, lead)
        hear(try keeper.perform([], at: clocks.now, isSynchronised: clocks.isSynchronised).deliveries)
        try keeper.makeReady()
        try judge()
        let found = try state()
        var possible: [[String]] = []
        for candidate in candidates {
            model = candidate
            model.open(clocks)
            model.follow(clocks)
            _ = model.complete(clocks)
            possible.append(expected())
            if possible.last == found { return }
        }
        hasDiverged = true
        Issue.record("after a restart \(found) is none of \(possible); \(note.rawValue)")
    }

    private mutating func compare() throws {
        let (found, expected) = (try state(), expected())
        guard found != expected else { return }
        hasDiverged = true
        Issue.record("\(found) is not \(expected); \(note.rawValue)")
    }

    private func state() throws -> [String] {
        let open = try keeper.store.openTimers(limit: .max)
        return try keeper.store.pets(after: 0, limit: 100).map { pet in
            let finished = open.filter { $0.timer.pet == pet.row }.map(\.timer.start)
            let timer = pet.timer.map { timer in
                let left = keeper.time.remaining(timer)
                return "\(timer.start) \(timer.kind) \(timer.isPaused) \(timer.duration) \(left.map { "\($0)" } ?? "?")"
            }
            let again = keeper.calendar.of(pet.row).first.map { schedule in
                // What nobody sees while it waits for the clock.
                if case .calendar(_, let handled) = schedule.plan { return "after \(handled ?? .min)" }
                let left =
                    switch schedule.place(keeper.time, keeper.calendar.zone) {
                    case .line(.boottime, let due): "\(due - clocks.now.boottime)"
                    case .line(.realtime, let due): "\(due - clocks.now.realtime)"
                    case .waitingForClock, .paused: "?"
                    }
                return "\(left) \(Self.span(of: schedule.plan))"
            }
            return "\(pet.id) \(pet.state) \(pet.stage) \(timer ?? "-") \(finished) \(again ?? "-")"
        }.sorted() + ["next \(keeper.number)", past()]
    }

    /// What is known of the boot before: two histories may look the same and differ in that.
    private func past() -> String {
        guard let newest = keeper.time.past.keys.max(), let record = keeper.time.past[newest] else { return "-" }
        return "\(record.trust) \(record.offset) \(record.last)"
    }

    private func expected() -> [String] {
        model.pets.map { name, pet in
            let timer = pet.timer.map { timer in
                let left = model.remaining(timer, clocks)
                let isPaused = if case .paused = timer.run { true } else { false }
                return "\(timer.number) \(timer.kind) \(isPaused) \(timer.duration) \(left.map { "\($0)" } ?? "?")"
            }
            let again = pet.again.map { again in left(model, again) }
            return "\(name) \(pet.state) \(pet.stage) \(timer ?? "-") \(pet.open.sorted()) \(again ?? "-")"
        }.sorted() + ["next \(model.next)", model.past.map { "\($0.trust) \($0.offset) \($0.last)" } ?? "-"]
    }

    private func left(_ model: HistoryModel, _ again: HistoryModel.Repeat) -> String {
        if case .halfHours(let handled) = again.plan { return "after \(handled ?? .min)" }
        guard case .every(let span, let basis, _) = again.plan else { return "" }
        return "\(model.left(again, clocks).map { "\($0)" } ?? "?") of \(span) \(basis)"
    }

    /// Two spans may be over at the same time and differ in what comes after that.
    private static func span(of plan: Schedule.Plan) -> String {
        guard case .every(let span, let run) = plan else { return "" }
        switch run {
        case .elapsed: return "of \(span) elapsed"
        case .wall: return "of \(span) wall"
        case .paused: return "of \(span) paused"
        }
    }

    private static func open(_ folder: Folder, _ clocks: HistoryModel.Clocks, _ lead: Int64) throws -> TimerKeeper {
        try TimerKeeper(
            TimerStore(folder.store, vfs: "crashing"), bootID: "boot-\(clocks.boot)", now: clocks.now,
            isSynchronised: clocks.isSynchronised, policy: TimerPolicy(mostMoments: HistoryModel.mostMoments),
            lead: lead)
    }

    private static func order(_ random: inout Campaign) -> TimerOrder {
        let pet = names.randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<26, using: &random) {
        case 20..<23:
            let isSpan = Bool.random(using: &random)
            return .schedule(
                ScheduleRequest(
                    pet: pet, kind: .cycle, name: nil, calendar: isSpan ? nil : HistoryModel.rule,
                    every: isSpan ? .nanoseconds(max(second, span(&random))) : nil,
                    basis: isSpan ? [Basis.elapsed, .wall].randomElement(using: &random) : nil))
        case 23: return .unschedule(pet, "cycle")
        // Its row is another's next.
        case 24: return .removePet(pet)
        case 25: return .definePet(PetDefinition(id: pet))
        case 0..<9:
            return .start(
                StartRequest(
                    pet: pet, kind: TimerKind.allCases.randomElement(using: &random) ?? .wash,
                    duration: Bool.random(using: &random) ? nil : .nanoseconds(span(&random)),
                    basis: Int.random(in: 0..<4, using: &random) == 0 ? .wall : .elapsed))
        case 9, 10: return .stop(pet)
        case 11, 12: return .pause(pet)
        case 13, 14: return .resume(pet)
        case 15: return .extend(pet, by: span(&random))
        case 16: return .snooze(pet, for: nil)
        case 17, 18: return .next(pet)
        default: return .acknowledge(pet)
        }
    }

    /// A moment to two hours, often the length of a default.
    private static func span(_ random: inout Campaign) -> Int64 {
        let spans = [
            1, second, 30 * minute, 45 * minute, 60 * minute, Int64.random(in: 1...2 * 60 * minute, using: &random),
        ]
        return spans.randomElement(using: &random) ?? 1
    }

    /// A second to ten years, both ways.
    private static func clockStep(_ random: inout Campaign) -> Int64 {
        let steps = [second, minute, 86_400 * second, 3650 * 86_400 * second]
        let step = steps.randomElement(using: &random) ?? second
        return Bool.random(using: &random) ? step : -step
    }
}
