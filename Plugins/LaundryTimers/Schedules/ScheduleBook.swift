/// All schedules, and which is due next. The store is the truth; this follows it.
///
/// Thread: worker, one call at a time.
struct ScheduleBook {
    /// More of them are refused.
    static let most = 10_000

    private(set) var schedules: [Int64: Schedule] = [:]
    private(set) var queue = DueQueue()
    private(set) var waiting: Set<Int64> = []
    private(set) var zone: LocalZone
    /// What the wall clock was worth, and how far from the other, when the calendars were looked at.
    private var trust = ClockTrust.implausible
    private var offset = Int64.min

    init(zone: String) { self.zone = LocalZone(zone) }

    mutating func fill(_ all: [Schedule], _ time: Timekeeping) {
        schedules = [:]
        queue = DueQueue()
        waiting = []
        for schedule in all { put(schedule, time) }
    }

    mutating func put(_ schedule: Schedule, _ time: Timekeeping) {
        schedules[schedule.row] = schedule
        let number = UInt32(truncatingIfNeeded: schedule.row)
        waiting.remove(schedule.row)
        switch schedule.place(time, zone) {
        // It never comes again.
        case .line(_, .max): queue.cancel(number)
        case .line(let line, let due): queue.set(number, due: due, on: line)
        case .waitingForClock:
            queue.cancel(number)
            waiting.insert(schedule.row)
        case .paused: queue.cancel(number)
        }
    }

    mutating func remove(_ row: Int64) {
        schedules[row] = nil
        waiting.remove(row)
        queue.cancel(UInt32(truncatingIfNeeded: row))
    }

    /// In the order in which they are due.
    func due(_ time: Timekeeping) -> [Schedule] {
        DueQueue.Line.allCases.flatMap { line in
            let now = line == .boottime ? time.now.boottime : time.now.realtime
            return queue.due(by: now, on: line, most: Self.most).compactMap { schedules[Int64($0.timer)] }
        }
    }

    func of(_ pet: Int64) -> [Schedule] { schedules.values.filter { $0.pet == pet } }

    /// The zone of the machine and its clock, as they are now: all that goes by the clock on the wall has its place anew where they have
    /// changed.
    /// - Returns: those of which the store has to know something else now. They have their place when it does.
    mutating func follow(_ identifier: String, _ time: Timekeeping) -> [Schedule] {
        let isMoved = identifier != zone.identifier
        let isSet = trust != time.trust || (offset.subtractingClamped(time.now.offset)).magnitude > 1_000_000_000
        guard isMoved || isSet else { return [] }
        if isMoved { zone = LocalZone(identifier) }
        (trust, offset) = (time.trust, time.now.offset)
        var changed: [Schedule] = []
        for var schedule in schedules.values.sorted(by: { $0.row < $1.row }) {
            guard case .calendar = schedule.plan else { continue }
            if schedule.follow(time) { changed.append(schedule) } else { put(schedule, time) }
        }
        return changed
    }
}
