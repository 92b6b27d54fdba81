internal import CGStreamer
import Locking

/// GStreamer's own log, handed over: its warnings and errors to a reader, everything up to INFO to a ring in memory.
///
/// A user who sets `GST_DEBUG` wants that log where GStreamer puts it, as finely as asked: then nothing here is touched.
public enum DebugLog {
    /// What has come since the reader last looked, oldest first, and how many messages were left out before it.
    public typealias Reader = @Sendable (_ messages: [DebugMessage], _ leftOut: Int) -> Void

    /// Whether the user has asked for the log himself.
    public static var isUsers: Bool { g_getenv("GST_DEBUG") != nil || g_getenv("GST_DEBUG_FILE") != nil }

    /// Bridges warnings and errors, and keeps the last INFO lines of every thread. Once per process, after
    /// `GStreamer.start`.
    ///
    /// The streaming thread that warns formats its text and leaves it in a bounded queue; a place in the source that warns
    /// again and again is cut off before that (`DebugRateLimit`). INFO costs nothing measurable while media flows: elements
    /// speak on that level of changes only. DEBUG would cost a lock and a formatted line for every buffer.
    /// - Parameters:
    ///   - wake: called where the queue was empty; must hand over to a thread that then calls `DebugIntake.drain`.
    ///   - ringBytes: of each thread.
    ///   - ringSeconds: after so long without a line a thread's ring is given back.
    public static func start(
        ringBytes: UInt32, ringSeconds: UInt32, wake: @escaping @Sendable (DebugIntake) -> Void
    ) {
        guard !isUsers else { return }
        gst_debug_remove_log_function(gst_debug_log_default)
        let intake = DebugIntake(wake)
        gst_debug_add_log_function(
            { category, level, file, function, line, object, message, context in
                guard level.rawValue <= GST_LEVEL_WARNING.rawValue, let context else { return }
                Unmanaged<DebugIntake>.fromOpaque(context).takeUnretainedValue().receive(
                    category, level, Int(bitPattern: file) ^ Int(line) &* 0x9e37_79b1, function, object, message)
            }, Unmanaged.passRetained(intake).toOpaque(),
            { $0.map { Unmanaged<DebugIntake>.fromOpaque($0).release() } })
        gst_debug_add_ring_buffer_logger(ringBytes, ringSeconds)
        gst_debug_set_default_threshold(GST_LEVEL_INFO)
        // Two thirds of all lines at this level: every step of every element's state. They would push out the cause.
        gst_debug_set_threshold_for_name("GST_STATES", GST_LEVEL_WARNING)
        // Its latency at each key frame: after a few minutes a parser's thread would have nothing else in its ring.
        gst_debug_set_threshold_for_name("baseparse", GST_LEVEL_WARNING)
    }

    /// The ring of each thread, oldest line first; empty where the user has the log.
    /// - Thread: worker. Threads that log wait while it is copied.
    public static func recorded() -> [String] {
        guard !isUsers, let logs = gst_debug_ring_buffer_logger_get_logs() else { return [] }
        defer { g_strfreev(logs) }
        var found: [String] = []
        var cursor = logs
        while let text = cursor.pointee {
            found.append(String(cString: text))
            cursor += 1
        }
        return found
    }
}

/// The queue between the threads that warn and the one that writes. Lock order: `state` is a leaf.
public final class DebugIntake: Sendable {
    private struct State {
        var limit = DebugRateLimit()
        var waiting: [DebugMessage] = []
        var leftOut = 0
    }

    private static let capacity = 256
    private let state = Locked(State())
    private let wake: @Sendable (DebugIntake) -> Void

    init(_ wake: @escaping @Sendable (DebugIntake) -> Void) { self.wake = wake }

    /// Takes what has come. - Thread: the reader's.
    public func drain() -> (messages: [DebugMessage], leftOut: Int) {
        state.withLock { state in
            defer {
                state.waiting = []
                state.leftOut = 0
            }
            return (state.waiting, state.leftOut)
        }
    }

    /// - Thread: any, also with an object's lock held: nothing here takes one of GStreamer's.
    func receive(
        _ category: UnsafeMutablePointer<GstDebugCategory>?, _ level: GstDebugLevel, _ site: Int,
        _ function: UnsafePointer<CChar>?, _ object: UnsafeMutablePointer<GObject>?, _ message: OpaquePointer?
    ) {
        let now = Int64(g_get_monotonic_time()) * 1000
        let isAdmitted = state.withLock { state in
            let isAdmitted = state.limit.admits(site, now: now)
            if !isAdmitted { state.leftOut += 1 }
            return isAdmitted
        }
        guard isAdmitted, let message, let text = gst_debug_message_get(message) else { return }
        let (element, pipeline) = Self.origin(object)
        push(
            DebugMessage(
                level: level == GST_LEVEL_ERROR ? .error : .warning,
                category: category.flatMap { borrowString(gst_debug_category_get_name($0)) } ?? "", element: element,
                pipeline: pipeline, function: borrowString(function) ?? "", text: String(cString: text)))
    }

    func push(_ message: DebugMessage) {
        let wasEmpty = state.withLock { state in
            guard state.waiting.count < Self.capacity else {
                state.leftOut += 1
                return false
            }
            state.waiting.append(message)
            return state.waiting.count == 1
        }
        if wasEmpty { wake(self) }
    }

    private static func origin(_ object: UnsafeMutablePointer<GObject>?) -> (element: String, pipeline: String) {
        guard let object else { return ("", "") }
        return withUnsafeTemporaryAllocation(of: gchar.self, capacity: 128) { memory in
            guard let base = memory.baseAddress else { return ("", "") }
            mh_gst_log_origin(object, base, base + 64, 64)
            return (String(cString: base), String(cString: base + 64))
        }
    }
}
