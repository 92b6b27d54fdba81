internal import CGLib
internal import HostCore

/// One event, or one line of the log, on one line of a terminal.
enum StreamLine {
    static func event(_ message: StreamMessage) -> String {
        guard message.name != "gap" else { return gap(message) }
        guard let value = try? JSONText.parse(message.data) else { return printable(message.data) }
        let payload = value["payload"].map { $0 == .null || $0 == .map([]) ? "" : " \(JSONText.render($0))" } ?? ""
        return printable(
            "\(time(value)) \(value["source"]?.string ?? "?"): \(value["name"]?.string ?? message.name)\(payload)")
    }

    static func log(_ message: StreamMessage) -> String {
        guard message.name != "gap" else { return gap(message) }
        guard let value = try? JSONText.parse(message.data) else { return printable(message.data) }
        let level = value["level"]?.string ?? ""
        let word = level == "notice" || level.isEmpty ? "" : "\(level): "
        return printable(
            "\(time(value)) \(value["source"]?.string ?? "?"): \(word)\(value["text"]?.string ?? "")")
    }

    private static func gap(_ message: StreamMessage) -> String {
        let value = try? JSONText.parse(message.data)
        let lost = value?["lost"]?.int.map { "\($0)" } ?? "an unknown number"
        let why =
            switch value?["reason"]?.string {
            case "slow": "read too slowly"
            case "expired": "the host does not remember them"
            case "restart": "the host was started anew"
            case "unknown": "the host has not come to that number yet"
            default: "no reason given"
            }
        return "--- lost: \(lost) (\(why))"
    }

    /// Of the day, here.
    private static func time(_ value: Value) -> String {
        guard let text = value["time"]?.string, let date = g_date_time_new_from_iso8601(text, nil) else { return "?" }
        defer { g_date_time_unref(date) }
        guard let local = g_date_time_to_local(date) else { return "?" }
        defer { g_date_time_unref(local) }
        guard let shown = g_date_time_format(local, "%H:%M:%S.%f") else { return "?" }
        defer { g_free(shown) }
        return String(String(cString: shown).prefix(12))
    }

    /// Texts come from files, devices and the network: none may move a terminal's cursor or forge a line of its own.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: TextWidth.isControl) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown += " | "
            case _ where TextWidth.isControl(scalar): shown += "?"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
