/// One thing the log says: what a line shows, and what a journal can search for.
public struct LogEntry: Sendable, Equatable {
    public var level: Log.Level
    /// "host", "pipeline camera", "plugin replay", or the library that speaks: "GStreamer", "libsoup".
    public var source: String
    /// Secrets are masked already.
    public var text: String
    /// The element it is about, where it is about one.
    public var element: String?
    /// A word scripts can rely on: "element-error".
    public var code: String?

    public init(_ level: Log.Level, source: String, _ text: String, element: String? = nil, code: String? = nil) {
        self.level = level
        self.source = source
        self.text = text
        self.element = element
        self.code = code
    }
}

extension LogEntry {
    /// Its fields in the journal, see `docs/logging.md`.
    var fields: [(name: StaticString, value: String)] {
        var fields: [(name: StaticString, value: String)] = [
            ("MESSAGE", source == "host" ? text : "\(source): \(text)"), ("PRIORITY", level.priority),
            ("SYSLOG_IDENTIFIER", "mediahost"), ("GLIB_DOMAIN", Self.domain), ("MEDIAHOST_SOURCE", source),
        ]
        if let pipeline = name(after: "pipeline ") { fields.append(("MEDIAHOST_PIPELINE", pipeline)) }
        if let plugin = name(after: "plugin ") { fields.append(("MEDIAHOST_PLUGIN", plugin)) }
        if let element { fields.append(("MEDIAHOST_ELEMENT", element)) }
        if let code { fields.append(("MEDIAHOST_CODE", code)) }
        return fields
    }

    /// GLib's name for what is ours; what libraries say has another.
    static let domain = "mediahost"

    private func name(after kind: String) -> String? {
        source.hasPrefix(kind) ? String(source.dropFirst(kind.count)) : nil
    }
}

extension Log.Level {
    /// As syslog(3) and the journal count.
    var priority: String {
        switch self {
        case .error: "3"
        case .warning: "4"
        case .notice: "5"
        case .debug: "7"
        }
    }
}
