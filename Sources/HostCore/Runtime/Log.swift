/// Where the host says what it does. A value: each part of the house has its own source name over the same writer.
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
    /// Shared by all copies: what is set here holds for every text from then on.
    public let mask: LogMask
    /// The last of what was said, by all copies of this.
    public let memory: LogMemory
    private let writer: @Sendable (LogEntry) -> Void
    private let most: Level

    public init(
        source: String = "host", upTo most: Level = .notice, mask: LogMask = LogMask(),
        memory: LogMemory = LogMemory(), writer: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.source = source
        self.most = most
        self.mask = mask
        self.memory = memory
        self.writer = writer
    }

    public init(
        source: String = "host", upTo most: Level = .notice,
        sink: @escaping @Sendable (Level, _ source: String, _ text: String) -> Void
    ) {
        self.init(source: source, upTo: most) { entry in sink(entry.level, entry.source, entry.text) }
    }

    public func from(_ source: String) -> Log {
        var log = self
        log.source = source
        return log
    }

    public func error(_ text: @autoclosure () -> String, element: String? = nil, code: String? = nil) {
        write(.error, text(), element: element, code: code)
    }
    public func warning(_ text: @autoclosure () -> String, element: String? = nil, code: String? = nil) {
        write(.warning, text(), element: element, code: code)
    }
    public func notice(_ text: @autoclosure () -> String) { write(.notice, text()) }
    public func debug(_ text: @autoclosure () -> String) { write(.debug, text()) }

    public func write(
        _ level: Level, _ text: @autoclosure () -> String, element: String? = nil, code: String? = nil
    ) {
        guard level <= most else { return }
        let entry = LogEntry(level, source: source, mask.apply(to: text()), element: element, code: code)
        memory.keep(entry)
        writer(entry)
    }
}
