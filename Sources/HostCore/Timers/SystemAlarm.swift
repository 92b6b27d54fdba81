internal import CGLib
internal import Glibc
internal import GStreamerKit

/// A timerfd on the default main context.
@HostActor
final class SystemAlarm: ClockAlarm {
    private let source: FileSource
    /// Closed after the source is gone.
    private let file: Int32

    /// Nil where the system gives no more files.
    init?(_ clock: clockid_t, _ action: @escaping @HostActor @Sendable () -> Void) {
        let file = mh_timer_file_new(clock)
        guard file >= 0 else { return nil }
        self.file = file
        source = FileSource(file, G_IO_IN.rawValue) { _ in
            var expirations: UInt64 = 0
            // Nothing to read: it was moved after it became readable.
            guard Glibc.read(file, &expirations, 8) == 8 else { return }
            action()
        }
    }

    func set(_ time: ClockTime?) { _ = mh_timer_file_set(file, time.map { max(0, $0.nanoseconds) } ?? -1) }

    deinit {
        source.close()
        close(file)
    }
}
