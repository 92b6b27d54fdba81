import Foundation

/// Where a pipeline's last element writes, so that its first byte is seen from outside, the same way for every program.
final class Fifo {
    let path: String
    private let descriptor: Int32

    init(on stage: Stage) throws {
        path = stage.path(".fifo")
        guard mkfifo(path, 0o600) == 0 else { throw BenchError("cannot make \(path): \(lastError())") }
        // Open for both ends: the writer never waits for a reader, and the reader never sees an end.
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchError("cannot open \(path): \(lastError())") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The end of a launch text that writes here.
    var sink: String { "filesink location=\(path) buffer-mode=unbuffered sync=false" }

    /// - Returns: when the first byte came, in monotonic nanoseconds.
    func waitForFirstByte(from child: Child, within seconds: Int = 20) throws -> UInt64 {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, Int32(seconds * 1000)) == 1 else {
            throw BenchError("no buffer came within \(seconds) s\(child.said)")
        }
        return monotonic()
    }

    /// - Returns: when so many bytes had come, in monotonic nanoseconds.
    func waitForBytes(_ count: Int, from child: Child, within seconds: Int = 20) throws -> UInt64 {
        var missing = count
        var buffer = [UInt8](repeating: 0, count: 65536)
        while missing > 0 {
            _ = try waitForFirstByte(from: child, within: seconds)
            missing -= max(0, read(descriptor, &buffer, min(missing, buffer.count)))
        }
        return monotonic()
    }

    /// - Returns: the next one that somebody echoes into it; nil where none comes in time.
    func line(within seconds: Double) -> String? {
        let deadline = monotonic() + UInt64(seconds * 1e9)
        var line: [UInt8] = []
        while case let now = monotonic(), now < deadline {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Foundation.poll(&poll, 1, Int32((deadline - now) / 1_000_000) + 1) == 1 else { return nil }
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { continue }
            guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Reads what comes into all of them for a while, so that no pipeline stands still.
    ///
    /// - Returns: how many bytes that were.
    @discardableResult
    static func drain(_ fifos: [Fifo], for seconds: Double) -> Int {
        var count = 0
        let end = monotonic() + UInt64(seconds * 1e9)
        var buffer = [UInt8](repeating: 0, count: 65536)
        var polls = fifos.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while true {
            let now = monotonic()
            guard now < end else { return count }
            Foundation.poll(&polls, nfds_t(polls.count), Int32((end - now) / 1_000_000) + 1)
            for poll in polls where poll.revents != 0 { count += max(0, read(poll.fd, &buffer, buffer.count)) }
        }
    }
}
