/// How an entry looks to a person: `12:34:56.789 pipeline camera: error: ...`, with colours where they are wanted.
enum LogLine {
    /// - Parameter time: of the day, as text.
    static func render(_ entry: LogEntry, time: String, colour: Bool) -> String {
        let word = entry.level == .notice ? "" : "\(entry.level): "
        let text = printable(entry.text)
        guard colour else { return "\(time) \(entry.source): \(word)\(text)\n" }
        let paint =
            switch entry.level {
            case .error: "\u{1b}[1;31m"
            case .warning: "\u{1b}[1;33m"
            case .notice: ""
            case .debug: "\u{1b}[2m"
            }
        let painted = paint.isEmpty ? "" : "\(paint)\(word)\u{1b}[0m"
        return "\u{1b}[2m\(time)\u{1b}[0m \u{1b}[1m\(entry.source)\u{1b}[0m: \(painted)\(text)\n"
    }

    /// Colours are for terminals, and for nobody who set NO_COLOR (no-color.org).
    static func wantsColour(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }

    /// Texts come from files, devices and the network: none may move a terminal's cursor or forge a line of its own.
    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown += "\n    "
            case "\t": shown.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: shown += "?"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
