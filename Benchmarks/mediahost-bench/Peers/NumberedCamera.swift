import Foundation

/// A camera at an RTSP address of this machine. Each client gets the film from its first picture on, at its own speed.
final class NumberedCamera: @unchecked Sendable {
    let address: String
    private let listener: Int32
    private let lock = NSLock()
    /// The newest picture that was sent whole, to the newest client. Under `lock`.
    private var sent = -1

    init(_ film: NumberedFilm) throws {
        let (listener, port) = try Loopback.listen()
        self.listener = listener
        address = "rtsp://127.0.0.1:\(port)/numbers"
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { [self] in
                    CameraClient(socket: client, film: film, address: address).serve { number in
                        lock.withLock { sent = number }
                    }
                    close(client)
                }
            }
            close(listener)
        }
    }

    /// A launch text that takes its H.264, ready for a name of the parser.
    static func source(_ address: String) -> String {
        "rtspsrc location=\(address) protocols=tcp latency=0 ! rtph264depay ! h264parse"
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    var newest: Int { lock.withLock { sent } }

    /// Returns when the film has come so far.
    func wait(until seconds: Double, while recorder: Child) throws {
        let deadline = monotonic() + UInt64((seconds + 30) * 1e9)
        while newest < Int(seconds * Double(NumberedFilm.rate)) {
            guard monotonic() < deadline else {
                throw BenchError("it took \(newest + 1) pictures from \(address), not \(seconds) s\(recorder.said)")
            }
            try recorder.run(for: 0.01)
        }
    }
}
