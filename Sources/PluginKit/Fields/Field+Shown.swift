/// How people see the fields of a result: on a terminal (`mediahost call`), on the page of `mediahost web`.
///
/// ```swift
/// Field("timers", \.timers, columns: ["pet", "progress", "ends_at"], "What runs")   // in the answer: a table
/// Field("progress", \.progress, shownAs: .progress, "How much is done")             // in its items: a bar, a ring
/// Field("ends_at", \.endsAt, shownAs: .endTime, "When it is over")                  // the ring goes on to it by itself
/// ```
public enum MomentDisplay: String, Sendable {
    /// A moment, in nanoseconds since 1970: shown as a time of day, where the reader is.
    case time
    /// The same, at which what the record is about is over. As long as it is there, a progress beside it goes on to 1 by then,
    /// without asking again.
    case endTime = "end-time"
}

/// See `MomentDisplay`.
public enum FractionDisplay: String, Sendable {
    /// 0 to 1.
    case progress
}

extension Field where Value.Bound == Int64 {
    public init(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, shownAs display: MomentDisplay, _ summary: String
    ) {
        self.init(key, path, summary, keyword: "format", .string(display.rawValue))
    }
}

extension Field where Value.Bound == Double {
    public init(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, shownAs display: FractionDisplay, _ summary: String
    ) {
        self.init(key, path, summary, keyword: "format", .string(display.rawValue))
    }
}

extension Field {
    /// A list of records that is shown as a table.
    /// - Parameter columns: keys of the records, in the order of their columns.
    public init<Record: PluginRecord>(
        _ key: String, _ path: any KeyPath<Root, Value> & Sendable, columns: [String], _ summary: String
    ) where Value == [Record] {
        self.init(key, path, summary, keyword: "x-columns", .list(columns.map { .string($0) }))
    }
}
