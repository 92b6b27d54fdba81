internal import CMemory
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
        var passed: Int32 = -1
        if case .call(let call) = frame { passed = call.file ?? -1 }
        let body = frame.bytes
        var head = WireWriter()
        head.put(UInt64(body.count))
        let bytes = head.bytes + body
        var written = 0
        while written < bytes.count {
            // A process that has ended is an error here, no signal.
            let count = bytes[written...].withUnsafeBytes { mh_send_file(file, $0.baseAddress, $0.count, passed) }
            if count < 0, errno == EINTR { continue }
            // A number that is no descriptor goes without: the host says what it is.
            if count < 0, errno == EBADF, passed >= 0 {
                passed = -1
                continue
            }
            guard count > 0 else { throw Ended() }
            written += count
            passed = -1
        }
    }

    /// - Thread: one at a time.
    func read() throws(Ended) -> WireFrame {
        var passed: Int32 = -1
        var head = WireReader(try bytes(8, &passed))
        var none: Int32 = -1
        guard let size = (try? head.number()).flatMap({ Int(exactly: $0) }), size <= Self.mostBytes,
            let frame = try? WireFrame(try bytes(size, &none))
        else { throw Ended() }
        guard passed >= 0 else { return frame }
        guard case .call(var call) = frame else {
            close(passed)
            return frame
        }
        call.file = passed
        return .call(call)
    }

    /// - Parameter passed: the descriptor that came beside them, if one did.
    private func bytes(_ count: Int, _ passed: inout Int32) throws(Ended) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            var came: Int32 = -1
            let got = bytes[filled...].withUnsafeMutableBytes { mh_receive_file(file, $0.baseAddress, $0.count, &came) }
            if got < 0, errno == EINTR { continue }
            if came >= 0 {
                if passed >= 0 { close(passed) }
                passed = came
            }
            guard got > 0 else { throw Ended() }
            filled += got
        }
        return bytes
    }
}
