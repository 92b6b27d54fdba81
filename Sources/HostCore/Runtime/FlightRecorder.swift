internal import CGLib
public import GStreamerKit
import Locking

/// Keeps what GStreamer logged in the moments before a pipeline failed: its ring buffer, written to a file.
///
/// The ring holds the INFO lines of every thread (`GStreamerLog.start`), not of one pipeline: what went wrong is often said
/// by a neighbour. Lock order: `last` is a leaf.
public final class FlightRecorder: Sendable {
    /// About 45 lines of each thread; a pipeline has one to five threads, and the lines take three times their length of memory.
    static let bytesPerThread: UInt32 = 8 << 10
    /// A ring is given back after this many seconds without a line: pipelines that fail and are rebuilt all day leave no
    /// trail of dead threads in memory.
    static let secondsOfSilence: UInt32 = 30
    /// A pipeline that fails again and again wears out no flash memory.
    static let pace = ClockTime.seconds(10)

    private let files: FailureFiles
    private let clock: any HostClock
    private let worker: SerialWorker
    private let log: Log
    private let recorded: @Sendable () -> [String]
    private let last = Locked<[String: ClockTime]>([:])

    /// - Parameter directory: the state directory; the files are in `failures` inside it.
    public init(
        directory: String, clock: any HostClock, workers: WorkerPool, log: Log,
        recorded: @escaping @Sendable () -> [String] = DebugLog.recorded
    ) {
        files = FailureFiles(directory: "\(directory)/failures")
        self.clock = clock
        worker = SerialWorker(workers)
        self.log = log
        self.recorded = recorded
    }

    /// Writes a file about a pipeline that has just failed; soon, on a worker.
    /// - Thread: any that is not streaming media.
    public func dump(pipeline: String, failure: String) {
        let now = clock.monotonic()
        let isDue = last.withLock { last in
            if let before = last[pipeline], now - before < Self.pace { return false }
            last[pipeline] = now
            return true
        }
        guard isDue else { return }
        let realtime = clock.realtime()
        worker.submit { [self] in write(pipeline, failure, realtime: realtime, monotonic: now) }
    }

    private func write(_ pipeline: String, _ failure: String, realtime: ClockTime, monotonic: ClockTime) {
        let rings = recorded()
        guard !rings.isEmpty else { return }
        let stamp = Self.stamp(realtime)
        var text = """
            mediahost \(HostVersion.text), \(GStreamer.version)
            pipeline \(pipeline) failed at \(stamp), \(monotonic) after the boot: \(failure)

            GStreamer's last lines, thread by thread. The first column is the time since the start of the host.

            """
        for (index, ring) in rings.enumerated() { text += "\n--- thread \(index + 1)\n\(ring)" }
        let name = "\(Self.fileName(pipeline))-\(stamp).log"
        do throws(PluginFailure) {
            try files.write(log.mask.apply(to: text), to: name)
            log.notice("what GStreamer logged before \(pipeline) failed is in \(files.directory)/\(name)")
        } catch {
            log.warning("cannot keep GStreamer's log of the failure of \(pipeline): \(error.message)")
        }
    }

    /// A pipeline's name as part of a file's: it may hold what a path may not.
    static func fileName(_ pipeline: String) -> String {
        let isPlain: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let plain = pipeline.utf8.prefix(100).map { isPlain($0) ? $0 : UInt8(ascii: "_") }
        return String(decoding: plain, as: UTF8.self)
    }

    /// "20261121T061614.123Z"
    static func stamp(_ realtime: ClockTime) -> String {
        let milliseconds = realtime.nanoseconds / 1_000_000
        let date = g_date_time_new_from_unix_utc(gint64(milliseconds / 1000))
        let text = date.flatMap { g_date_time_format($0, "%Y%m%dT%H%M%S") }
        defer {
            g_free(text)
            if let date { g_date_time_unref(date) }
        }
        let fraction = String(milliseconds % 1000)
        let padding = String(repeating: "0", count: max(0, 3 - fraction.utf8.count))
        return (text.map { String(cString: $0) } ?? "0") + ".\(padding)\(fraction)Z"
    }
}
