internal import CGLib
internal import Glibc
internal import GStreamerKit

/// Wakes when the wall clock is set: a timerfd that the kernel cancels then. It never expires.
@HostActor
final class WallClockWatch {
    private var source: FileSource?
    private let file: Int32
    private var offset: WallClockOffset

    /// Nil where the system gives no more files.
    init?(_ clock: SystemClock, _ action: @escaping @HostActor @Sendable (_ step: ClockTime) -> Void) {
        let file = mh_timer_file_new(CLOCK_REALTIME)
        guard file >= 0 else { return nil }
        self.file = file
        // Armed first: what happens in between is seen.
        _ = mh_timer_file_watch(file)
        offset = WallClockOffset(of: clock)
        source = FileSource(file, G_IO_IN.rawValue) { [weak self] _ in
            guard let self else { return }
            var expirations: UInt64 = 0
            _ = read(file, &expirations, 8)
            // Says ECANCELED where the clock was set once more, and arms all the same.
            _ = mh_timer_file_watch(file)
            let now = WallClockOffset(of: clock)
            // The end of a suspend wakes it, too.
            guard let step = now.step(since: self.offset) else { return }
            self.offset = now
            action(step)
        }
    }

    func stop() {
        source?.close()
        source = nil
    }

    deinit {
        source?.close()
        close(file)
    }
}
