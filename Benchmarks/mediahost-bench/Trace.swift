import Foundation

/// What benchsink and benchsrc write down in the measured process. What was read once is not read again: that would take time
/// from what is measured.
final class Trace {
    struct Line {
        var what: String
        /// Nanoseconds.
        var monotonic: Int64
        var realtime: Int64
    }

    private(set) var lines: [Line] = []
    private let path: String
    private var offset: UInt64 = 0

    /// What is there now.
    init(_ path: String) {
        self.path = path
        update()
    }

    /// Reads what has come since, as far as lines are whole.
    func update() {
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: offset)) != nil, let new = try? file.readToEnd() else { return }
        let whole = new.lastIndex(of: UInt8(ascii: "\n")).map { new[...$0] } ?? Data()
        offset += UInt64(whole.count)
        lines += String(decoding: whole, as: UTF8.self).split(separator: "\n").compactMap { line in
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
        try Trace(path).wait(for: count, what, from: child, stillFor: last, every: 0.1, after: 0) { $0 == what }
    }

    /// The same for lines that begin so.
    static func wait(for count: Int, prefix: String, in path: String, from child: Child) throws {
        try Trace(path).wait(for: count, prefix: prefix, from: child)
    }

    /// - Parameter start: lines before this one do not count.
    func wait(
        for count: Int, prefix: String, from child: Child, every pause: Double = 0.1, after start: Int = 0
    ) throws {
        try wait(for: count, prefix, from: child, stillFor: 20, every: pause, after: start) { $0.hasPrefix(prefix) }
    }

    private func wait(
        for count: Int, _ what: String, from child: Child, stillFor last: Double, every pause: Double,
        after start: Int, _ isMeant: (String) -> Bool
    ) throws {
        var (found, looked) = (0, start)
        var since = monotonic()
        while true {
            update()
            let more = lines[looked...].count { isMeant($0.what) }
            looked = lines.count
            if more > 0 { (found, since) = (found + more, monotonic()) }
            if found >= count { return }
            guard Double(monotonic() - since) / 1e9 < last else {
                throw BenchError("no \"\(what)\" within \(last) s after \(found) of \(count)\(child.said)")
            }
            // Not once a line: that would take time from what is measured.
            try child.run(for: pause)
        }
    }
}
