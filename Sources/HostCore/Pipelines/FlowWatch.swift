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
    private var isWatching = false

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
            HostActor.enqueue { self?.look() }
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

    func setTimeout(_ timeout: ClockTime?) {
        judge.timeout = timeout
        look()
    }

    /// It does not play any more.
    func suspend() {
        isWatching = false
        timer?.cancel()
        timer = nil
    }

    private func look() {
        guard isWatching else { return }
        let now = clock.monotonic()
        let all = lanes.withLock { $0 }
        let verdict = judge.judge(all.map(\.sample), now: now)
        timer?.cancel()
        timer = nil
        switch verdict.health {
        case .degraded(let silent), .stalled(let silent):
            for lane in all where silent.contains(lane.name) { lane.rearm() }
        case .starting, .flowing: break
        }
        if let due = verdict.checkAt {
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
