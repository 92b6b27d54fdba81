internal import Glibc

/// One end of a socket that carries frames. Whole frames are written and read; the ends take turns.
final class WireSocket: Sendable {
    let file: Int32

    /// The other end is gone, or what came is no frame.
    struct Ended: Error {}

    private static let mostBytes = 256 << 20

    init(_ file: Int32) { self.file = file }

    /// - Thread: one at a time.
    func write(_ frame: WireFrame) throws(Ended) {
        let body = frame.bytes
        var head = WireWriter()
        head.put(UInt64(body.count))
        let bytes = head.bytes + body
        var written = 0
        while written < bytes.count {
            // A process that has ended is an error here, no signal.
            let count = bytes[written...].withUnsafeBytes { send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Ended() }
            written += count
        }
    }

    /// - Thread: one at a time.
    func read() throws(Ended) -> WireFrame {
        var head = WireReader(try bytes(8))
        guard let size = (try? head.number()).flatMap({ Int(exactly: $0) }), size <= Self.mostBytes,
            let frame = try? WireFrame(try bytes(size))
        else { throw Ended() }
        return frame
    }

    private func bytes(_ count: Int) throws(Ended) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes[filled...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Ended() }
            filled += got
        }
        return bytes
    }
}
