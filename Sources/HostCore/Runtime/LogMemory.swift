public import GStreamerKit
import Locking

/// The last lines of the log, for whoever asks the host for them; all copies of a `Log` share one of these.
///
/// Lock order: `state` is a leaf; the listener is called without it. Nothing here writes to the log.
/// - Thread: any that is not streaming media.
public final class LogMemory: Sendable {
    public struct Record: Sendable, Equatable {
        public var entry: LogEntry
        public var realtime: ClockTime
        public var monotonic: ClockTime
    }

    static let mostRecords = 1000
    static let mostBytes = 256 << 10
    /// The rest of a longer text is in the log itself.
    static let longestTextBytes = 4 << 10

    /// Not the bare closure: each access through a generic type would wrap a closure once more, for ever.
    private struct Listener: Sendable {
        let tell: @Sendable () -> Void
    }

    private struct State {
        var records: [Record] = []
        var bytes = 0
        var lost = 0
        var listener: Listener?
        /// The listener was told, and has not taken anything since.
        var isTold = false
    }

    private let clock: any HostClock
    private let state = Locked(State())

    public init(clock: any HostClock = SystemClock()) { self.clock = clock }

    /// Keeps an entry, whose secrets are masked already; the oldest are given up where it is too much.
    func keep(_ entry: LogEntry) {
        var entry = entry
        if entry.text.utf8.count > Self.longestTextBytes {
            entry.text = String(decoding: entry.text.utf8.prefix(Self.longestTextBytes), as: UTF8.self) + "..."
        }
        let record = Record(entry: entry, realtime: clock.realtime(), monotonic: clock.monotonic())
        let listener = state.withLock { state -> Listener? in
            state.records.append(record)
            state.bytes += entry.text.utf8.count
            if state.records.count > Self.mostRecords || state.bytes > Self.mostBytes { Self.shorten(&state) }
            guard !state.isTold, let listener = state.listener else { return nil }
            state.isTold = true
            return listener
        }
        listener?.tell()
    }

    /// Has `tell` called, once for each time that something is there to be taken; nil ends that.
    func listen(_ tell: (@Sendable () -> Void)?) {
        let listener = state.withLock { state -> Listener? in
            state.listener = tell.map { Listener(tell: $0) }
            state.isTold = !state.records.isEmpty && tell != nil
            return state.isTold ? state.listener : nil
        }
        listener?.tell()
    }

    /// Everything since the last time, the oldest first, and how many before that were given up.
    func take() -> (records: [Record], lost: Int) {
        state.withLock { state in
            defer {
                state.records = []
                state.bytes = 0
                state.lost = 0
                state.isTold = false
            }
            return (state.records, state.lost)
        }
    }

    /// A quarter at a time: a full memory is not moved for each line.
    private static func shorten(_ state: inout State) {
        let count = max(1, state.records.count / 4)
        state.lost += count
        for record in state.records[..<count] { state.bytes -= record.entry.text.utf8.count }
        state.records.removeFirst(count)
    }
}
