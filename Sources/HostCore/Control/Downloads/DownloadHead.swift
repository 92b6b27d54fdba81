/// The head of an answer that is sent from a file, and which of the file's bytes follow it. Pure.
struct DownloadHead: Sendable, Equatable {
    /// How the end of the body is known.
    enum Framing: Sendable, Equatable {
        case length(Int64)
        case chunks
        /// Of HTTP/1.0: with the connection.
        case end
    }

    let text: String
    /// Nil: whatever comes.
    let range: Range<Int64>?
    let framing: Framing

    /// - Parameters:
    ///   - response: its status, its headers and the type of its payload.
    ///   - length: of the file, where it is known.
    ///   - range: the part of it that was asked for.
    ///   - reason: the words that go with the status.
    init(_ response: ControlResponse, length: Int64?, range: Range<Int64>?, isOld: Bool, reason: (Int) -> String) {
        let isPart = range != nil && response.status == 200
        let status = isPart ? 206 : response.status
        self.range = length.map { (isPart ? range : nil) ?? 0..<$0 }
        var lines = ["HTTP/1.\(isOld ? 0 : 1) \(status) \(reason(status))", "Connection: close"]
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { lines.append("\(name): \(value)") }
        lines.append("Content-Type: \(response.payload?.contentType ?? "")")
        if let length, let sent = self.range {
            framing = .length(sent.upperBound - sent.lowerBound)
            lines.append("Content-Length: \(sent.upperBound - sent.lowerBound)")
            lines.append("Accept-Ranges: bytes")
            if isPart { lines.append("Content-Range: bytes \(sent.lowerBound)-\(sent.upperBound - 1)/\(length)") }
        } else if isOld {
            framing = .end
        } else {
            framing = .chunks
            lines.append("Transfer-Encoding: chunked")
        }
        text = lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
