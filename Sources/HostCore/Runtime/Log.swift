internal import CGLib
internal import Glibc

/// Where the host says what it does. A value: each part of the house has its own source name over the same sink.
///
/// - Thread: main, worker, any that is not streaming media.
public struct Log: Sendable {
    /// `docs/logging.md` says what belongs where.
    public enum Level: Int32, Sendable, Comparable {
        case error, warning, notice, debug

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// "host", "pipeline camera", "plugin replay".
    public var source: String
    private let sink: @Sendable (Level, _ source: String, _ text: String) -> Void
    private let most: Level

    public init(
        source: String = "host", upTo most: Level = .notice,
        sink: @escaping @Sendable (Level, _ source: String, _ text: String) -> Void
    ) {
        self.source = source
        self.most = most
        self.sink = sink
    }

    public func from(_ source: String) -> Log {
        var log = self
        log.source = source
        return log
    }

    public func error(_ text: @autoclosure () -> String) { write(.error, text()) }
    public func warning(_ text: @autoclosure () -> String) { write(.warning, text()) }
    public func notice(_ text: @autoclosure () -> String) { write(.notice, text()) }
    public func debug(_ text: @autoclosure () -> String) { write(.debug, text()) }

    public func write(_ level: Level, _ text: @autoclosure () -> String) {
        guard level <= most else { return }
        sink(level, source, text())
    }
}

extension Log {
    /// Lines on standard error, or journal entries where standard error is the journal.
    public static func standardError(upTo most: Level = .notice) -> Log {
        let journal = g_log_writer_is_journald(2) != 0
        return Log(upTo: most) { level, source, text in
            if journal { writeToJournal(level, source, text) } else { writeLine(level, source, text) }
        }
    }

    private static func writeLine(_ level: Level, _ source: String, _ text: String) {
        let now = g_date_time_new_now_local()
        let stamp = g_date_time_format(now, "%H:%M:%S.%f")
        defer {
            g_free(stamp)
            g_date_time_unref(now)
        }
        let time = stamp.map { String(cString: $0).prefix(12) } ?? ""
        let word = level == .notice ? "" : "\(level): "
        let line = "\(time) \(source): \(word)\(text)\n"
        _ = line.utf8CString.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count - 1) }
    }

    private static func writeToJournal(_ level: Level, _ source: String, _ text: String) {
        let priority =
            switch level {
            case .error: "3"
            case .warning: "4"
            case .notice: "5"
            case .debug: "7"
            }
        "\(source): \(text)".withCString { message in
            priority.withCString { priority in
                "MESSAGE".withCString { messageKey in
                    "PRIORITY".withCString { priorityKey in
                        let fields = [
                            GLogField(key: messageKey, value: message, length: -1),
                            GLogField(key: priorityKey, value: priority, length: -1),
                        ]
                        _ = fields.withUnsafeBufferPointer {
                            g_log_writer_journald(G_LOG_LEVEL_MESSAGE, $0.baseAddress, gsize($0.count), nil)
                        }
                    }
                }
            }
        }
    }
}
