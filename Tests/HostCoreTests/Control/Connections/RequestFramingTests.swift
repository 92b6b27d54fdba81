import Testing

@testable import HostCore

/// Where requests end, whatever pieces they come in.
@Suite struct RequestFramingTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// What came of bytes in these pieces: how many were good in all, the reason, and whether it could end here.
    private struct Outcome: Equatable {
        var good = 0
        var reason: String?
    }

    private func feed(_ text: String, pieces: [Int]) -> Outcome {
        var framing = RequestFraming()
        let bytes = Array(text.utf8)
        var place = 0
        var outcome = Outcome()
        for size in pieces + [bytes.count] where place < bytes.count {
            let end = min(bytes.count, place + size)
            let taken = bytes[place..<end].withUnsafeBytes { framing.take($0) }
            outcome.good += taken.good
            if let refusal = taken.refusal { return Outcome(good: outcome.good, reason: refusal.message) }
            place = end
        }
        outcome.reason = framing.end()?.message
        return outcome
    }

    private static let texts: [(String, String?)] = [
        (get + get, nil), ("\r\n" + get, nil), ("\n\nGET / HTTP/1.0\n\n", nil),
        ("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nHTTP/" + get, nil),
        ("POST / HTTP/1.1\r\ncontent-LENGTH:5 \r\n\r\n1\n\n2\n" + get, nil),
        (chunked + "3\r\nabc\r\n0\r\n\r\n" + get, nil), (chunked + "A ;x\n0123456789\n0\n\n", nil),
        // Libsoup passes over names with white space, so they say nothing of the body.
        ("GET / HTTP/1.1\r\nTransfer-Encoding : gzip\r\n folded\r\n\r\n" + get, nil),
        ("GET / HTTP/1.1\r\nX: a\r\n Transfer-Encoding: gzip\r\n\r\n" + get, nil),
        ("GET / HTTP/1.1\r\nContent-Length: 00\r\n\r\n" + get, nil),
        // What no length is somebody else says.
        ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n0\r\nHTTP/9.9", nil),
        ("GET / HTTP/01.1\r\n\r\n", nil), ("GET\t/ HTTP/1.1\r\n\r\n", nil), ("\rGET / HTTP/1.1\r\n\r\n", nil),
        ("GET  HTTP/1.1\r\n\r\n", "this is no well-formed HTTP request"),
        ("GET / x HTTP/1.1\r\n\r\n", "this is no well-formed HTTP request"),
        (" HTTP/1.1\r\n\r\n", "this is no well-formed HTTP request"),
        // libsoup takes the words of the next lines for those that are missing here.
        ("GET\r\n / HTTP/2.0\r\n\r\n", "this is no well-formed HTTP request"),
        (" GET HTTP/2.0 HTTP/1.1\r\n\r\n", "this is no well-formed HTTP request"),
        (
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n",
            "the head has a `Content-Length` and a `Transfer-Encoding`: send one of them"
        ),
        (
            "GET / HTTP/1.1\r\nContent-Length: -1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "the head has a `Content-Length` and a `Transfer-Encoding`: send one of them"
        ),
        ("GET / nonsense\r\n\r\n", "this is no well-formed HTTP request"),
        ("GET / HTTP/1\r\n\r\n", "this is no well-formed HTTP request"),
        ("GET / HTTP/.1\r\n\r\n", "this is no well-formed HTTP request"),
        (get + "GET / HTTP/2.0\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/2.0"),
        ("GET /\tHTTP/1.10\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/1.10"),
        ("GET / HTTP/99999999999999999999.1\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/99999999999999999999.1"),
        ("\r\r\nGET / HTTP/0.9\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/0.9"),
        (
            "GET /\(String(repeating: "x", count: 1000)) HTTP/1.\(String(repeating: "0", count: 40))5\r\n\r\n",
            "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/1.0000000000000000000000000"
        ),
        (
            "GET / HTTP/1.1\r\nTransfer-Encoding:\r\n\r\n",
            "`Transfer-Encoding` is `chunked`, where there is one, and not \"\""
        ),
        (
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n , gzip\r\n\r\n",
            "the field that says how long the body is goes over more than one line"
        ),
        ("GET / HTTP/1.1\r\nTransfer\0-Encoding: chunked\r\n\r\n", "the head has a NUL in it"),
        (chunked + "zz\r\n", "the size of a chunk of the body is no hexadecimal number"),
        (chunked + "-1\r\n", "the size of a chunk of the body is no hexadecimal number"),
        (chunked + "0x1\r\n", "the size of a chunk of the body is no hexadecimal number"),
        (chunked + "123456789\r\n", "the size of a chunk of the body is no hexadecimal number"),
        (chunked + "1\r\nab\r\n", "a chunk of the body is longer than its size says"),
        (
            chunked + "0\r\nX: y\r\n\r\n",
            "behind the last chunk of the body comes a blank line: fields are not taken there"
        ),
        (chunked, "the body broke off: its last chunk has not come"),
        (chunked + "3\r\nab", "the body broke off: its last chunk has not come"),
        (chunked + "3\r\nabc\r\n0\r\n", "the body broke off: its last chunk has not come"),
        (get + "GET / HTTP/1.1\r\nHost: h\r\n", "the head broke off: the blank line at its end has not come"),
        ("G", "the head broke off: the blank line at its end has not come"),
    ]

    @Test func itIsTheSameInAnyPieces() {
        var generator = SystemRandomNumberGenerator()
        for (text, reason) in Self.texts {
            let whole = feed(text, pieces: [text.utf8.count])
            #expect(whole.reason == reason, "\(text.debugDescription)")
            for size in 1...7 {
                let outcome = feed(text, pieces: Array(repeating: size, count: text.utf8.count))
                #expect(outcome.reason == reason, "\(text.debugDescription) by \(size)")
            }
            for _ in 0..<20 {
                let pieces = (0..<text.utf8.count).map { _ in Int.random(in: 1...30, using: &generator) }
                #expect(feed(text, pieces: pieces).reason == reason, "\(text.debugDescription) in \(pieces)")
            }
        }
    }

    /// Requests that came together with one that is refused are answered.
    @Test func whatCameBeforeTheFaultIsGood() {
        let bad = "GET / HTTP/2.0\r\n\r\n"
        #expect(feed(Self.get + Self.get + bad, pieces: []).good == 2 * Self.get.utf8.count)
        let body = Self.chunked + "1\r\na\r\n0\r\n\r\n"
        #expect(feed(body + bad, pieces: []).good == body.utf8.count)
        #expect(feed(body + bad, pieces: [10]).good == body.utf8.count)
        #expect(feed(bad, pieces: []).good == 0)
    }

    /// A line that never ends costs no memory: libsoup refuses its head.
    @Test func endlessLinesAreNotKept() {
        var framing = RequestFraming()
        let piece = [UInt8](repeating: 0x61, count: 10_000)
        for _ in 0..<100 {
            let taken = piece.withUnsafeBytes { framing.take($0) }
            #expect(taken.good == piece.count && taken.refusal == nil)
        }
        let end = Array("\r\nTransfer-Encoding: \(String(repeating: "x", count: 300))\r\n".utf8)
        let taken = end.withUnsafeBytes { framing.take($0) }
        #expect(taken.refusal?.message == "the field that says how long the body is has more than 256 bytes")
    }
}
