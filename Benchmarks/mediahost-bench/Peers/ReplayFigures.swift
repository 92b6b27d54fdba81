/// Of one recorder in one run.
struct ReplayFigures {
    /// Milliseconds.
    var closed: Double
    var durable: Double
    /// Pictures.
    var missing: Double
    /// Milliseconds.
    var late: Double
    /// Pictures.
    var doubled: Double
    /// Seconds.
    var excess: Double
    /// Pictures.
    var lost: Double
    /// Files.
    var twice: Double
    /// MiB.
    var memory: Double
    /// Percent of one.
    var processor: Double

    /// One of them, as it stands in a table.
    struct Column {
        var name: String
        var what: String
        var unit: String
        var value: (ReplayFigures) -> Double
    }

    static var columns: [Column] {
        [
            Column(name: "closed", what: "from the question to the closed file", unit: "ms") { $0.closed },
            Column(name: "durable", what: "the same with fdatasync", unit: "ms") { $0.durable },
            Column(name: "missing", what: "pictures that are missing within", unit: "") { $0.missing },
            Column(name: "late", what: "newest picture of it, before the question", unit: "ms") { $0.late },
            Column(name: "doubled", what: "pictures that are doubled or broken", unit: "") { $0.doubled },
            Column(name: "excess", what: "pictures that were not asked for", unit: "s") { $0.excess },
            Column(name: "lost", what: "pictures lost live while it saved and 6 s after", unit: "") { $0.lost },
            Column(name: "twice", what: "files of two questions at once", unit: "") { $0.twice },
            Column(name: "memory", what: "Rss while it records", unit: "MiB") { $0.memory },
            Column(name: "processor", what: "processor while it records", unit: "%") { $0.processor },
        ]
    }
}
