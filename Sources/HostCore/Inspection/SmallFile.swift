internal import Glibc

/// A file of the kernel's that says something in a few bytes.
enum SmallFile {
    /// Its text without white space at both ends, or nil where it cannot be read. - Thread: worker.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var trimmed = bytes[..<count].drop(while: isSpace)
        while let last = trimmed.last, isSpace(last) { trimmed.removeLast() }
        return String(decoding: trimmed, as: UTF8.self)
    }

    static func number(_ path: String) -> Int64? { text(path).flatMap { Int64($0) } }
}
