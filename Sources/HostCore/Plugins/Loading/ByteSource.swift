internal import Glibc

/// Bytes to read from by place, none of which is there for sure.
protocol ByteSource {
    /// Exactly `count` bytes, or nil where the source does not have them all.
    func bytes(at offset: UInt64, count: Int) -> [UInt8]?
}

extension [UInt8]: ByteSource {
    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, let start = Int(exactly: offset), start <= self.count, count <= self.count - start else {
            return nil
        }
        return Array(self[start..<start + count])
    }
}

/// A file, read piece by piece: a library has megabytes, and what is asked of it is in a few of its pages. It is not mapped,
/// because a file that gets shorter meanwhile would be a SIGBUS.
final class FileBytes: ByteSource {
    private let file: Int32

    /// Nil where it cannot be opened; `errno` says why. - Thread: any.
    init?(_ path: String) {
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
    }

    deinit { close(file) }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, let start = off_t(exactly: offset) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (place, isOver) = start.addingReportingOverflow(off_t(filled))
            guard !isOver else { return nil }
            let got = bytes[filled...].withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, place) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}
