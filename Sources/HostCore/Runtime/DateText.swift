internal import CGLib
internal import GStreamerKit

/// A time since 1970 for people.
enum DateText {
    /// "2026-11-21T06:16:14.123456Z": ISO 8601, as programs read it.
    static func iso(_ realtime: ClockTime) -> String {
        let microseconds = realtime.nanoseconds / 1000
        guard let date = g_date_time_new_from_unix_utc(gint64(microseconds / 1_000_000)) else { return "" }
        defer { g_date_time_unref(date) }
        guard let text = g_date_time_format(date, "%Y-%m-%dT%H:%M:%S") else { return "" }
        defer { g_free(text) }
        let fraction = String(microseconds % 1_000_000)
        let padding = String(repeating: "0", count: max(0, 6 - fraction.utf8.count))
        return "\(String(cString: text)).\(padding)\(fraction)Z"
    }

    /// "2026-11-21 06:16:14 UTC"
    static func utc(_ realtime: ClockTime) -> String {
        guard let date = g_date_time_new_from_unix_utc(gint64(realtime.nanoseconds / 1_000_000_000)) else {
            return "an unknown time"
        }
        defer { g_date_time_unref(date) }
        guard let text = g_date_time_format(date, "%Y-%m-%d %H:%M:%S UTC") else { return "an unknown time" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
