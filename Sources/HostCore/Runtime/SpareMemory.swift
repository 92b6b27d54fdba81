internal import CMemory
internal import GStreamerKit

/// Gives back what was needed only for a while.
///
/// After a start: symbol tables and relocations, which the dynamic loader read of some sixty libraries, 4 MiB of a host of 21.
/// They are unchanged pages of files, which the kernel frees more readily once no process maps them. After a pipeline has been
/// rebuilt, or its pictures are hidden: what its old threads left in malloc's arenas; each thread takes its own, so a pipeline of
/// large frames that fails all day would fill all of them in turn.
@HostActor
final class SpareMemory {
    private let clock: any HostClock
    private let workers: WorkerPool
    private let release: @Sendable () -> Void
    private var timer: HostTimer?
    private var last: ClockTime?

    /// Until a start or a rebuild has what it needs.
    static let delay = ClockTime.seconds(2)
    /// A pipeline that fails again and again costs no more than this often.
    static let pace = ClockTime.seconds(10)

    init(clock: any HostClock, workers: WorkerPool, release: @escaping @Sendable () -> Void = SpareMemory.release) {
        self.clock = clock
        self.workers = workers
        self.release = release
    }

    /// Begins to follow what happens in a host, and looks once after its start.
    func follow(_ events: EventHub) {
        giveBackSoon()
        _ = events.subscribe { [self] event in
            switch (event.name, event.payload["state"]?.string) {
            case ("config.reloaded", _), ("pipeline.state", "recovering"), ("pipeline.state", "stopped"),
                ("pipeline.state", "failed"), ("pipeline.state", "finished"):
                giveBackSoon()
            case ("pipeline.mode", _) where event.payload["mode"]?.string == MediaMode.audio.rawValue: giveBackSoon()
            default: break
            }
        }
    }

    private func giveBackSoon() {
        guard timer == nil else { return }
        let now = clock.monotonic()
        let due = max(now + Self.delay, last.map { $0 + Self.pace } ?? now)
        timer = clock.schedule(after: due - now) { [weak self] in self?.giveBack() }
    }

    private func giveBack() {
        timer = nil
        last = clock.monotonic()
        workers.submit(release)
    }

    /// - Thread: worker; about a millisecond.
    nonisolated static func release() {
        _ = mh_loader_tables_release()
        mh_heap_release()
    }
}
