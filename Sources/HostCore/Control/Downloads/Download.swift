internal import CGLib
internal import GStreamerKit
internal import Glibc

/// One body on its way from a file to a client.
///
/// - Thread: `send` on a worker, where it blocks; `abandon` on any.
final class Download: Sendable {
    /// How long there may be nothing to send to a client that has closed its own side.
    private static let patienceSeconds = 30
    private static let pieceBytes = 64 << 10
    /// A regular file goes by the kernel, so much at a time.
    private static let sliceBytes = 1 << 20

    private let client: Int32
    private let file: BodyFile
    private let head: DownloadHead
    private let pace: DownloadPace

    /// - Parameters:
    ///   - client: a connected socket, owned from here on.
    ///   - pace: how slow it may be.
    init(to client: Int32, _ file: BodyFile, _ head: DownloadHead, _ pace: DownloadPace = DownloadPace()) {
        self.client = client
        self.file = file
        self.head = head
        self.pace = pace
        let flags = mh_file_flags(client)
        mh_file_set_flags(client, flags | O_NONBLOCK)
    }

    deinit { close(client) }

    /// Ends `send` soon.
    func abandon() { shutdown(client, Int32(SHUT_RDWR)) }

    /// Returns when all is sent, or cannot be. A body that stays short ends with its connection, by which the client knows.
    func send() {
        var pace = pace
        guard write(Array(head.text.utf8), &pace) else { return }
        switch (head.range, head.framing) {
        case (let range?, _): sendFile(range, &pace)
        case (nil, let framing): sendStream(inChunks: framing == .chunks, &pace)
        }
        shutdown(client, Int32(SHUT_WR))
    }

    private func sendFile(_ range: Range<Int64>, _ pace: inout DownloadPace) {
        var place = off_t(range.lowerBound)
        while place < range.upperBound {
            let sent = sendfile(
                client, file.descriptor, &place, min(Self.sliceBytes, Int(range.upperBound - Int64(place))))
            if sent < 0, mayTryAgain(errno, &pace) { continue }
            // 0: somebody has cut the file.
            guard sent > 0 else { return abandon() }
            pace.wrote(sent)
        }
    }

    private func sendStream(inChunks: Bool, _ pace: inout DownloadPace) {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while waitForData() {
            let count = read(file.descriptor, &piece, piece.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { return abandon() }
            guard count > 0 else {
                if inChunks { _ = write(Array("0\r\n\r\n".utf8), &pace) }
                return
            }
            let text = inChunks ? Array("\(String(count, radix: 16))\r\n".utf8) : []
            guard write(text + piece[..<count] + (inChunks ? [13, 10] : []), &pace) else { return }
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

    private func write(_ bytes: [UInt8], _ pace: inout DownloadPace) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    client, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0, mayTryAgain(errno, &pace) { continue }
                guard count > 0 else { return false }
                sent += count
                pace.wrote(count)
            }
            return true
        }
    }

    /// Waits for room where there is none. False where the client is gone, or too slow.
    private func mayTryAgain(_ failure: Int32, _ pace: inout DownloadPace) -> Bool {
        guard failure != EINTR else { return true }
        guard failure == EAGAIN || failure == EWOULDBLOCK else { return false }
        let clock = SystemClock()
        let began = clock.monotonic()
        var wait = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
        // A millisecond more: it is not to be looked at before its time is over.
        let ready = poll(&wait, 1, Int32(clamping: pace.patience.nanoseconds / 1_000_000 + 1))
        guard ready >= 0 || errno == EINTR else { return false }
        return pace.waited(clock.monotonic() - began, queued: Int64(mh_socket_queued(client)))
    }
}
