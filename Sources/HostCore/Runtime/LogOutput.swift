internal import CGLib
internal import Glibc
import Locking

/// The process's way out for log entries, through GLib's structured log: ours, GLib's, libsoup's and every other
/// library's go the same way, to the journal where standard error is the journal, else to standard error.
///
/// GLib has one writer per process; so has this.
/// - Thread: any that is not streaming media.
final class LogOutput: Sendable {
    private let toJournal: Bool
    private let colour: Bool
    private let most: Log.Level
    private let mask: LogMask
    private let memory: LogMemory

    private static let installed = Locked(false)

    private init(upTo most: Log.Level, mask: LogMask, memory: LogMemory) {
        toJournal = g_log_writer_is_journald(2) != 0
        colour = LogLine.wantsColour(isTerminal: isatty(2) != 0) { g_getenv($0).map { String(cString: $0) } }
        self.most = most
        self.mask = mask
        self.memory = memory
    }

    /// Takes over GLib's log for the life of the process; further calls do nothing, as GLib stops a process that tries.
    static func install(upTo most: Log.Level, mask: LogMask, memory: LogMemory) {
        let isFirst = installed.withLock { installed in
            defer { installed = true }
            return !installed
        }
        guard isFirst else { return }
        g_log_set_writer_func(
            { level, fields, count, context in
                guard let fields, let context else { return G_LOG_WRITER_UNHANDLED }
                let output = Unmanaged<LogOutput>.fromOpaque(context).takeUnretainedValue()
                return output.write(level, UnsafeBufferPointer(start: fields, count: Int(clamping: count)))
            }, Unmanaged.passRetained(LogOutput(upTo: most, mask: mask, memory: memory)).toOpaque(),
            { $0.map { Unmanaged<LogOutput>.fromOpaque($0).release() } })
    }

    /// Hands an entry of ours to GLib.
    static func send(_ entry: LogEntry) {
        withGLogFields(entry.fields) { g_log_structured_array(entry.level.glib, $0.baseAddress, gsize($0.count)) }
    }

    /// Everything that goes through GLib's log arrives here.
    private func write(_ level: GLogLevelFlags, _ fields: UnsafeBufferPointer<GLogField>) -> GLogWriterOutput {
        func field(_ name: String) -> String? {
            fields.first { $0.key.map { String(cString: $0) } == name }.flatMap(Self.text)
        }
        guard let domain = field("GLIB_DOMAIN"), domain == LogEntry.domain else { return writeForeign(level, field) }
        if toJournal {
            let sent = g_log_writer_journald(level, fields.baseAddress, gsize(fields.count), nil)
            if sent == G_LOG_WRITER_HANDLED { return sent }
        }
        let source = field("MEDIAHOST_SOURCE") ?? "host"
        let message = field("MESSAGE") ?? ""
        let text = message.hasPrefix("\(source): ") ? String(message.dropFirst(source.count + 2)) : message
        writeLine(LogEntry(Log.Level(priority: field("PRIORITY")), source: source, text))
        return G_LOG_WRITER_HANDLED
    }

    /// What a library says: under its own name, with our secrets masked, debug texts only for who set G_MESSAGES_DEBUG.
    private func writeForeign(_ level: GLogLevelFlags, _ field: (String) -> String?) -> GLogWriterOutput {
        let domain = field("GLIB_DOMAIN")
        let entry = LogEntry(
            Log.Level(glib: level), source: domain ?? "library", mask.apply(to: field("MESSAGE") ?? ""))
        let isWanted = entry.level == .debug ? g_log_writer_default_would_drop(level, domain) == 0 : entry.level <= most
        guard isWanted else { return G_LOG_WRITER_HANDLED }
        // What is ours was kept on its way here.
        memory.keep(entry)
        if toJournal {
            let sent = withGLogFields(entry.fields) {
                g_log_writer_journald(level, $0.baseAddress, gsize($0.count), nil)
            }
            if sent == G_LOG_WRITER_HANDLED { return sent }
        }
        writeLine(entry)
        return G_LOG_WRITER_HANDLED
    }

    private func writeLine(_ entry: LogEntry) {
        let now = g_date_time_new_now_local()
        let stamp = g_date_time_format(now, "%H:%M:%S.%f")
        defer {
            g_free(stamp)
            g_date_time_unref(now)
        }
        let time = stamp.map { String(cString: $0).prefix(12) } ?? ""
        var line = LogLine.render(entry, time: String(time), colour: colour)
        line.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(2, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                written += count
            }
        }
    }

    private static func text(_ field: GLogField) -> String? {
        guard let value = field.value else { return nil }
        guard field.length >= 0 else { return String(cString: value.assumingMemoryBound(to: CChar.self)) }
        return String(decoding: UnsafeRawBufferPointer(start: value, count: field.length), as: UTF8.self)
    }
}

extension Log {
    /// Lines on standard error, or journal entries where standard error is the journal. What GLib and the libraries
    /// above it have to say comes the same way.
    public static func standardError(upTo most: Level = .notice) -> Log {
        let mask = LogMask()
        let memory = LogMemory()
        LogOutput.install(upTo: most, mask: mask, memory: memory)
        return Log(upTo: most, mask: mask, memory: memory) { LogOutput.send($0) }
    }
}

extension Log.Level {
    init(priority: String?) {
        switch priority {
        case "3": self = .error
        case "4": self = .warning
        case "5": self = .notice
        default: self = .debug
        }
    }

    init(glib level: GLogLevelFlags) {
        if level.rawValue & (G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue) != 0 {
            self = .error
        } else if level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0 {
            self = .warning
        } else if level.rawValue & G_LOG_LEVEL_MESSAGE.rawValue != 0 {
            self = .notice
        } else {
            self = .debug
        }
    }

    /// GLib's ERROR ends the process, so an error of ours is its CRITICAL.
    var glib: GLogLevelFlags {
        switch self {
        case .error: G_LOG_LEVEL_CRITICAL
        case .warning: G_LOG_LEVEL_WARNING
        case .notice: G_LOG_LEVEL_MESSAGE
        case .debug: G_LOG_LEVEL_DEBUG
        }
    }
}

/// Lends fields to GLib for one call.
private func withGLogFields<Result>(
    _ fields: [(name: StaticString, value: String)], _ body: (UnsafeBufferPointer<GLogField>) -> Result
) -> Result {
    // All values in one piece of memory; each field says where its own begins.
    var bytes: [UInt8] = []
    for field in fields { bytes += field.value.utf8 }
    bytes.append(0)
    return bytes.withUnsafeBytes { memory in
        var begin = 0
        var list: [GLogField] = []
        for field in fields {
            let count = field.value.utf8.count
            let name = UnsafeRawPointer(field.name.utf8Start).assumingMemoryBound(to: CChar.self)
            list.append(GLogField(key: name, value: memory.baseAddress?.advanced(by: begin), length: count))
            begin += count
        }
        return list.withUnsafeBufferPointer(body)
    }
}
