internal import CGLib
internal import GStreamerKit

/// A time since 1970 for people.
enum DateText {
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
