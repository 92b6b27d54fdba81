import Foundation

/// One client of the camera: what RTSP asks before it plays (RFC 2326), then H.264 as RTP (RFC 6184) in the same
/// connection.
struct CameraClient {
    let socket: Int32
    let film: NumberedFilm
    let address: String

    /// - Parameter sent: gets the number of each picture when it is gone.
    func serve(_ sent: (Int) -> Void) {
        guard setUp() else { return }
        var sequence: UInt16 = 0
        let begin = monotonic()
        for (number, units) in film.pictures.enumerated() {
            sleep(until: begin + UInt64(number) * 1_000_000_000 / UInt64(NumberedFilm.rate))
            let time = UInt32(number * 90000 / NumberedFilm.rate)
            let packets = units.indices.flatMap { index in
                Self.packets(units[index], isLast: index == units.count - 1, time, &sequence)
            }
            guard Loopback.send(packets, to: socket) else { return }
            sent(number)
            forgetWhatCame()
        }
    }

    /// - Returns: whether it is to be played now.
    private func setUp() -> Bool {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            while let end = text.range(of: "\r\n\r\n") {
                let request = String(text[..<end.lowerBound])
                text = String(text[end.upperBound...])
                guard Loopback.send(Array(answer(request).utf8), to: socket) else { return false }
                if request.hasPrefix("PLAY ") { return true }
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
    }

    private func answer(_ request: String) -> String {
        let fields = request.components(separatedBy: "\r\n")
        let number = fields.first { $0.lowercased().hasPrefix("cseq:") } ?? "CSeq: 0"
        // Nobody has to say within a run that it is still there.
        let session = "Session: 1;timeout=600\r\n"
        switch request.prefix(while: { $0 != " " }) {
        case "OPTIONS":
            return "RTSP/1.0 200 OK\r\n\(number)\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n"
        case "DESCRIBE":
            return "RTSP/1.0 200 OK\r\n\(number)\r\nContent-Base: \(address)/\r\nContent-Type: application/sdp\r\n"
                + "Content-Length: \(description.utf8.count)\r\n\r\n\(description)"
        case "SETUP" where !request.contains("interleaved"):
            return "RTSP/1.0 461 Unsupported Transport\r\n\(number)\r\n\r\n"
        case "SETUP":
            return "RTSP/1.0 200 OK\r\n\(number)\r\n\(session)Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
        case "PLAY", "TEARDOWN":
            return "RTSP/1.0 200 OK\r\n\(number)\r\n\(session)Range: npt=0.000-\r\n\r\n"
        default:
            return "RTSP/1.0 501 Not Implemented\r\n\(number)\r\n\r\n"
        }
    }

    private var description: String {
        let sets = film.pictures[0].filter { [7, 8].contains($0[0] & 0x1f) }
            .map { Data($0).base64EncodedString() }.joined(separator: ",")
        return [
            "v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=numbers", "t=0 0", "m=video 0 RTP/AVP 96", "c=IN IP4 127.0.0.1",
            "a=rtpmap:96 H264/90000", "a=fmtp:96 packetization-mode=1;sprop-parameter-sets=\(sets)",
            "a=framerate:\(NumberedFilm.rate)", "a=control:video", "",
        ].joined(separator: "\r\n")
    }

    private static let mostBytes = 1400

    /// Those of one NAL unit, each behind its length as RTSP wants it.
    private static func packets(_ unit: [UInt8], isLast: Bool, _ time: UInt32, _ sequence: inout UInt16) -> [UInt8] {
        var packets: [UInt8] = []
        func add(_ head: [UInt8], _ payload: ArraySlice<UInt8>, marked: Bool) {
            packets += [UInt8(ascii: "$"), 0] + bytes(UInt16(12 + head.count + payload.count))
            packets += [0x80, marked ? 0xe0 : 0x60] + bytes(sequence) + bytes(time) + [0, 0, 0, 1] + head
            packets += payload
            sequence &+= 1
        }
        guard unit.count > mostBytes else {
            add([], unit[...], marked: isLast)
            return packets
        }
        var rest = unit.dropFirst()
        var begin: UInt8 = 0x80
        while !rest.isEmpty {
            let part = rest.prefix(mostBytes)
            rest = rest.dropFirst(mostBytes)
            let end: UInt8 = rest.isEmpty ? 0x40 : 0
            add([unit[0] & 0xe0 | 28, begin | end | unit[0] & 0x1f], part, marked: isLast && rest.isEmpty)
            begin = 0
        }
        return packets
    }

    private static func bytes<I: FixedWidthInteger>(_ value: I) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private func sleep(until time: UInt64) {
        var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) != 0 {}
    }

    /// Reports of how it goes, and the goodbye, which the end of the connection answers.
    private func forgetWhatCame() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
}
