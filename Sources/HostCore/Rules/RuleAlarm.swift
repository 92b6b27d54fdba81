internal import GStreamerKit

/// The limit of one program: asks it to end when it is late, and kills it a moment later.
@HostActor
final class RuleAlarm {
    private(set) var hasRung = false
    private var timer: HostTimer?

    init(_ process: RuleProcess, clock: any HostClock, timeout: ClockTime) {
        timer = clock.schedule(after: timeout) { [weak self] in
            process.ring()
            self?.hasRung = true
            self?.timer = clock.schedule(after: RulePrograms.grace) { process.ring() }
        }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
