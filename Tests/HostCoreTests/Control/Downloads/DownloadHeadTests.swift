import Testing

@testable import HostCore

struct DownloadHeadTests {
    private func head(
        length: Int64?, range: Range<Int64>? = nil, status: Int = 200, isOld: Bool = false
    ) -> DownloadHead {
        DownloadHead(
            ControlResponse(status: status, payload: .init(contentType: "video/mp4", bytes: []), headers: ["X-A": "b"]),
            length: length, range: range, isOld: isOld, reason: ControlResponse.phrase)
    }

    @Test func aFileHasItsLength() {
        let head = head(length: 100)
        #expect(
            head.text
                == "HTTP/1.1 200 OK\r\nConnection: close\r\nX-A: b\r\nContent-Type: video/mp4\r\nContent-Length: 100\r\n"
                + "Accept-Ranges: bytes\r\n\r\n")
        #expect(head.range == 0..<100 && head.framing == .length(100))
    }

    @Test func aPartSaysWhichItIs() {
        let head = head(length: 100, range: 10..<20)
        #expect(
            head.text.hasPrefix("HTTP/1.1 206 Partial Content\r\n")
                && head.text.contains("Content-Range: bytes 10-19/100\r\n"))
        #expect(head.range == 10..<20 && head.framing == .length(10))
    }

    @Test func onlyWhatIsWellHasParts() {
        let head = head(length: 100, range: 10..<20, status: 404)
        #expect(head.text.hasPrefix("HTTP/1.1 404 Not Found\r\n") && !head.text.contains("Content-Range"))
        #expect(head.range == 0..<100)
    }

    @Test func ofAStreamTheEndIsMarkedAsTheClientUnderstandsIt() {
        let new = head(length: nil)
        #expect(new.framing == .chunks && new.range == nil && new.text.contains("Transfer-Encoding: chunked\r\n"))
        let old = head(length: nil, isOld: true)
        #expect(old.framing == .end && old.text.hasPrefix("HTTP/1.0 200 OK\r\n") && !old.text.contains("chunked"))
        #expect(!old.text.contains("Content-Length"))
    }

    @Test func anEmptyFileIsEmpty() {
        let head = head(length: 0)
        #expect(head.framing == .length(0) && head.range == 0..<0 && head.text.contains("Content-Length: 0\r\n"))
    }
}
