internal import CGLib
internal import Glibc

/// One body on its way from a file to a client.
///
/// - Thread: `send` on a worker, where it blocks; `abandon` on any.
final class Download: Sendable {
    /// How long a client may take nothing.
    static let patienceSeconds = 30
    private static let pieceBytes = 64 << 10
    /// A regular file goes by the kernel, so much at a time.
    private static let sliceBytes = 1 << 20

    private let client: Int32
    private let file: BodyFile
    private let head: DownloadHead

    /// - Parameter client: a connected socket, owned from here on.
    init(to client: Int32, _ file: BodyFile, _ head: DownloadHead) {
        self.client = client
        self.file = file
        self.head = head
        let flags = mh_file_flags(client)
        mh_file_set_flags(client, flags & ~O_NONBLOCK)
        var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(client) }

    /// Ends `send` soon.
    func abandon() { shutdown(client, Int32(SHUT_RDWR)) }

    /// Returns when all is sent, or cannot be. A body that stays short ends with its connection, by which the client knows.
    func send() {
        guard write(Array(head.text.utf8)) else { return }
        switch (head.range, head.framing) {
        case (let range?, _): sendFile(range)
        case (nil, let framing): sendStream(inChunks: framing == .chunks)
        }
        shutdown(client, Int32(SHUT_WR))
    }

    private func sendFile(_ range: Range<Int64>) {
        var place = off_t(range.lowerBound)
        while place < range.upperBound {
            let sent = sendfile(
                client, file.descriptor, &place, min(Self.sliceBytes, Int(range.upperBound - Int64(place))))
            if sent < 0, errno == EINTR { continue }
            // 0: somebody has cut the file.
            guard sent > 0 else { return abandon() }
        }
    }

    private func sendStream(inChunks: Bool) {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while waitForData() {
            let count = read(file.descriptor, &piece, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { return abandon() }
            guard count > 0 else {
                if inChunks { _ = write(Array("0\r\n\r\n".utf8)) }
                return
            }
            let text = inChunks ? Array("\(String(count, radix: 16))\r\n".utf8) : []
            guard write(text + piece[..<count] + (inChunks ? [13, 10] : [])) else { return }
        }
    }

    /// False where the client has gone before there was any. One that has closed its sending side may still listen, but not for long
    /// where there is nothing to hear.
    private func waitForData() -> Bool {
        var waits = [
            pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: client, events: 0, revents: 0),
        ]
        var limit = Self.patienceSeconds * 1000
        while true {
            let ready = poll(&waits, 2, Int32(limit))
            if ready < 0, errno != EINTR { return false }
            if ready > 0 { return waits[1].revents == 0 }
            if ready == 0 {
                waits[1].events = Int16(mh_poll_hangup())
                limit = -1
            }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    client, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
