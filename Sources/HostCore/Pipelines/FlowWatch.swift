internal import GStreamerKit
import Locking

/// Watches whether buffers pass a build, and says so when that changes.
///
/// It does not poll: it wakes when a silence would become a stall, and when a silent place speaks.
@HostActor
final class FlowWatch {
    /// Later than this a timer says nothing about the pipeline: the process itself stood still (SIGSTOP, no CPU).
    static let lateness = ClockTime.milliseconds(500)

    private let clock: any HostClock
    private let onHealth: @HostActor (FlowHealth) -> Void
    private let lanes = Locked<[FlowLane]>([])
    private var judge: FlowJudge
    private var timer: HostTimer?
    /// When it looks again although nothing happens.
    private(set) var due: ClockTime?
    private var isWatching = false
    /// Told whenever something has changed at a place, also while nobody watches: it may have come to its end.
    var onChange: @HostActor () -> Void = {}

    init(clock: any HostClock, timeout: ClockTime?, onHealth: @escaping @HostActor (FlowHealth) -> Void) {
        self.clock = clock
        self.onHealth = onHealth
        judge = FlowJudge(timeout: timeout)
    }

    /// One more place; twice the same name is one place.
    /// - Thread: any that may add a probe.
    nonisolated func add(_ lane: FlowLane) -> PadProbe? {
        let isNew = lanes.withLock { lanes in
            guard !lanes.contains(where: { $0.name == lane.name }) else { return false }
            lanes.append(lane)
            return true
        }
        guard isNew else { return nil }
        return lane.install(clock: clock) { [weak self] in
            HostActor.enqueue {
                self?.look()
                self?.onChange()
            }
        }
    }

    /// The pipeline plays from now on.
    /// - Parameter anew: what passed before does not count: it was paused.
    func begin(anew: Bool) {
        isWatching = true
        judge.startIsOver = false
        judge.notBefore = clock.monotonic()
        if anew { for lane in lanes.withLock({ $0 }) { lane.forget() } }
        look()
    }

    /// It had time enough: what has not begun is silent.
    func endStart() {
        judge.startIsOver = true
        look()
    }

    /// All places.
    var places: [FlowLane] { lanes.withLock { $0 } }

    /// Places that are not at the end of their stream.
    var unended: [String] { places.map(\.sample).filter { !$0.isOver && !$0.group.isSource }.map(\.name) }

    /// Whether a buffer passed anywhere since then.
    func hasFlowed(since time: ClockTime) -> Bool {
        lanes.withLock { $0 }.contains { $0.sample.last > time }
    }

    /// What is silent now has its time from now on: it was hidden, or is by now.
    func excuse() {
        judge.notBefore = clock.monotonic()
        look()
    }

    func setTimeout(_ timeout: ClockTime?) {
        judge.timeout = timeout
        look()
    }

    /// It does not play any more.
    func suspend() {
        isWatching = false
        timer?.cancel()
        timer = nil
        due = nil
    }

    private func look() {
        guard isWatching else { return }
        let now = clock.monotonic()
        let all = lanes.withLock { $0 }
        let verdict = judge.judge(all.map(\.sample), now: now)
        timer?.cancel()
        timer = nil
        // Also what is still waited for: a call may have come for a buffer that `forget` made forgotten.
        let missed: [String] =
            switch verdict.health {
            case .starting(let names), .degraded(let names), .stalled(let names): names
            case .flowing: []
            }
        for lane in all where missed.contains(lane.name) { lane.rearm() }
        due = verdict.checkAt
        if let due {
            timer = clock.schedule(after: max(due - now, .milliseconds(1))) { [weak self] in self?.wake(due: due) }
        }
        onHealth(verdict.health)
    }

    private func wake(due: ClockTime) {
        let now = clock.monotonic()
        if now - due > Self.lateness { judge.notBefore = now }
        look()
    }
}
