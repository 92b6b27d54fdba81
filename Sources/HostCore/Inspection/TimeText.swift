/// Spans of time for tables: short, and no more exact than anybody reads them.
public enum TimeText {
    /// `3 d 4 h`, `12 min 5 s`, `8 s`
    public static func long(nanoseconds: Int64) -> String {
        let seconds = max(nanoseconds, 0) / 1_000_000_000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// `1:02:03.4`, `0:08.0`
    static func position(nanoseconds: Int64) -> String {
        let tenths = nanoseconds.magnitude / 100_000_000
        let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (nanoseconds < 0 ? "-" : "")
            + (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds)).\(tenths % 10)"
    }
}
