internal import CSoup

extension ControlResponse {
    /// Has the body that is in a file take the connection over; a range that is asked for is cut out of it.
    /// - Thread: main. The message is borrowed.
    @HostActor
    mutating func sendFile(for message: OpaquePointer, by downloads: Downloads, from origin: RequestOrigin) {
        guard let file else { return }
        let fields = soup_server_message_get_request_headers(message)
        var range: Range<Int64>?
        if status == 200, let length = file.length, length > 0 {
            switch RequestedRange.only(of: length, fields) {
            case .whole: break
            case .part(let part): range = part
            case .beyond:
                self = RequestedRange.beyondEnd(of: length)
                return
            }
        }
        let head = DownloadHead(
            self, length: file.length, range: range,
            isOld: soup_server_message_get_http_version(message) == SOUP_HTTP_1_0, reason: Self.phrase)
        takeover = ControlTakeover(
            refusal: { downloads.refusal(from: origin) }, begin: { downloads.begin($0, file, head, from: origin) })
    }
}
