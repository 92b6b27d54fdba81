internal import CGLib
internal import Glibc
import Synchronization

/// What the control thread is doing right now, for whoever watches from outside: since when it has been busy, and with whom.
///
/// Costs the main loop two stores and one clock reading per turn; the watcher is woken only where it has nothing to time.
public final class MainActivity: Sendable {
    private let began = Atomic<Int64>(0)
    private let watcherSleeps = Atomic(false)
    /// The address of a `Note`, or 0.
    private let note = Atomic<UInt>(0)
    /// Wakes the watcher. Open as long as the process.
    private let bell: Int32

    init() { bell = mh_bell_new() }

    deinit { if bell >= 0 { close(bell) } }

    /// Runs `body`, known by this name while it lasts. Nested calls name the innermost.
    @HostActor
    @inline(__always)
    func during<Result, Failure: Error>(
        _ note: Note, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.note.load(ordering: .relaxed)
        self.note.store(UInt(bitPattern: Unmanaged.passUnretained(note).toOpaque()), ordering: .releasing)
        defer { self.note.store(outer, ordering: .releasing) }
        return try body()
    }

    /// - Thread: any.
    public var present: Note? {
        // Notes are never freed.
        UnsafeRawPointer(bitPattern: note.load(ordering: .acquiring))
            .map { Unmanaged<Note>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - The main loop's side

    /// The loop begins to work on what has come. - Thread: main.
    func begin(_ now: Int64) {
        // 0 says that the loop waits.
        began.store(now == 0 ? 1 : now, ordering: .sequentiallyConsistent)
        if watcherSleeps.exchange(false, ordering: .sequentiallyConsistent) { ring() }
    }

    /// The loop waits for something to come. - Thread: main.
    func end() { began.store(0, ordering: .sequentiallyConsistent) }

    /// Follows every turn of the default main context from now on. - Thread: main.
    @HostActor
    static func followMainContext() {
        g_main_context_set_poll_func(nil) { files, count, timeout in
            HostActor.activity.end()
            let result = g_poll(files, count, timeout)
            let error = errno
            HostActor.activity.begin(MainActivity.now())
            errno = error
            return result
        }
        // The caller's own turn is under way.
        HostActor.activity.begin(now())
    }

    // MARK: - The watcher's side

    /// Monotonic nanoseconds at which the present turn began; 0 where the loop waits.
    var busySince: Int64 { began.load(ordering: .sequentiallyConsistent) }

    /// Waits: until the loop is busy where `nanoseconds` is nil, else that long. `ring` ends it early.
    /// - Thread: the watcher's.
    func sleep(_ nanoseconds: Int64?) {
        if nanoseconds == nil {
            watcherSleeps.store(true, ordering: .sequentiallyConsistent)
            // It may have become busy in between, and have seen nobody to wake.
            guard busySince == 0 else { return watcherSleeps.store(false, ordering: .sequentiallyConsistent) }
        }
        var entry = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        if poll(&entry, 1, milliseconds) > 0 {
            var value: UInt64 = 0
            _ = read(bell, &value, 8)
        }
        watcherSleeps.store(false, ordering: .sequentiallyConsistent)
    }

    /// - Thread: any.
    func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    static func now() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}

extension HostActor {
    /// There is one control role, so there is one of these.
    public nonisolated static let activity = MainActivity()
}
