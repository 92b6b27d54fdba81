import Foundation

/// What benchsink and benchsrc wrote down in the measured process.
struct Trace {
    struct Line {
        var what: String
        /// Nanoseconds.
        var monotonic: Int64
        var realtime: Int64
    }

    let lines: [Line]

    init(_ path: String) {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let monotonic = Int64(words[1]), let realtime = Int64(words[2]) else { return nil }
            return Line(what: String(words[0]), monotonic: monotonic, realtime: realtime)
        }
    }

    /// From each error to the first buffer after it, in milliseconds.
    var recoveries: [Double] {
        zip(lines, lines.dropFirst()).compactMap { error, first in
            error.what == "error" && first.what == "first" ? Double(first.monotonic - error.monotonic) / 1e6 : nil
        }
    }

    /// Waits until that many lines say so, looking ten times a second.
    /// - Parameter last: the time without a new line after which it is given up.
    static func wait(for count: Int, _ what: String, in path: String, from child: Child, stillFor last: Double = 20)
        throws
    {
        try wait(for: count, what, in: path, from: child, stillFor: last, every: 0.1) { $0 == what }
    }

    /// The same for lines that begin so.
    static func wait(
        for count: Int, prefix: String, in path: String, from child: Child, every pause: Double = 0.1
    ) throws {
        try wait(for: count, prefix, in: path, from: child, stillFor: 20, every: pause) { $0.hasPrefix(prefix) }
    }

    private static func wait(
        for count: Int, _ what: String, in path: String, from child: Child, stillFor last: Double, every pause: Double,
        _ isMeant: (String) -> Bool
    ) throws {
        var seen = 0
        var since = monotonic()
        while true {
            let found = Trace(path).lines.count { isMeant($0.what) }
            if found >= count { return }
            if found > seen { (seen, since) = (found, monotonic()) }
            guard Double(monotonic() - since) / 1e9 < last else {
                throw BenchError("no \"\(what)\" within \(last) s after \(found) of \(count)\(child.said)")
            }
            // Not once a line: that would take time from what is measured.
            try child.run(for: pause)
        }
    }
}
