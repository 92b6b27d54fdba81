internal import GStreamerKit

/// All timers of the host: one alarm for each clock that somebody waits on, however many wait.
///
/// What is armed while timers are told is looked at in the next turn of the main loop, so no timer that arms itself anew
/// keeps the control thread from its other work.
@HostActor
final class TimerService {
    typealias Action = @HostActor (TimerQueue.Expiry) -> Void

    @HostActor
    private final class Line {
        var queue = TimerQueue()
        var actions: [UInt64: Action] = [:]
        var alarm: (any ClockAlarm)?
        /// What the alarm is set to.
        var look: ClockTime?
    }

    private let clock: any HostClock
    private var lines: [ClockName: Line] = [:]
    private var last: UInt64 = 0

    init(clock: any HostClock) { self.clock = clock }

    /// Runs `action` when a timer is due.
    /// - Returns: what `cancel` takes, never 0; nil where the system gives no alarm.
    func arm(_ timer: TimerQueue.Timer, on name: ClockName, _ action: @escaping Action) -> UInt64? {
        guard let line = line(name) else { return nil }
        last += 1
        line.queue.arm(last, timer)
        line.actions[last] = action
        setAlarm(of: line)
        return last
    }

    /// Why nothing can be armed on a clock that wakes the machine; nil where it can. An alarm that is there stays.
    func wakeProblem(on name: ClockName) -> String? {
        name.wakes && lines[name] == nil ? clock.wakeAbility().problem : nil
    }

    /// Twice is harmless.
    func cancel(_ id: UInt64) {
        for line in lines.values where line.queue.cancel(id) || line.actions[id] != nil {
            line.actions[id] = nil
            setAlarm(of: line)
        }
    }

    /// How many are armed.
    var count: Int { lines.values.reduce(0) { $0 + $1.queue.count } }

    /// Looks at what waits for the wall clock with other eyes.
    func wallClockWasSet() {
        for (name, line) in lines where name.isWall {
            line.queue.clockWasSet(to: clock.realtime())
            tell(name, line)
        }
    }

    private func line(_ name: ClockName) -> Line? {
        if let line = lines[name] { return line }
        let line = Line()
        line.alarm = clock.alarm(on: name) { [weak self, weak line] in
            guard let self, let line else { return }
            line.look = nil
            self.tell(name, line)
        }
        guard line.alarm != nil else { return nil }
        lines[name] = line
        return line
    }

    private func tell(_ name: ClockName, _ line: Line) {
        let now = clock.now(name)
        let began = clock.coarse()
        while let expiry = line.queue.takeDue(at: now, most: 1).first {
            // Cancelled by one that was told before it.
            guard let action = line.actions[expiry.id] else { continue }
            if !expiry.repeats { line.actions[expiry.id] = nil }
            action(expiry)
            // The rest is due still, and comes in the next turn of the loop.
            if clock.coarse() - began >= MainContextExecutor.slice { break }
        }
        setAlarm(of: line)
    }

    private func setAlarm(of line: Line) {
        let look = line.queue.nextLook()
        guard look != line.look else { return }
        line.look = look
        line.alarm?.set(look)
    }
}
