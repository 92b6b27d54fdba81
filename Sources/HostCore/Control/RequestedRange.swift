internal import CGLib
internal import CSoup

/// The `Range` of a request. libsoup cuts every body by it, says nothing where there is nothing to cut, and makes a copy of the
/// body for each of as many ranges as there is room for in a head: so of several it sees none.
enum RequestedRange {
    /// Has libsoup leave a whole body whole and cut one range at most, and refuses one that lies behind the end.
    /// - Parameter isOffered: parts of this body can be asked for.
    /// - Thread: main. The message is borrowed.
    @HostActor
    static func prepare(_ response: inout ControlResponse, for message: OpaquePointer, isOffered: Bool) {
        let fields = soup_server_message_get_request_headers(message)
        guard soup_message_headers_get_one(fields, "Range") != nil else { return }
        guard isOffered, response.status == 200, let length = response.payload?.bytes.count, length > 0 else {
            return soup_message_headers_remove(fields, "Range")
        }
        switch only(of: Int64(length), fields) {
        case .part: return
        case .whole: break
        case .beyond: response = beyondEnd(of: Int64(length))
        }
        soup_message_headers_remove(fields, "Range")
    }

    static func beyondEnd(of length: Int64) -> ControlResponse {
        ControlResponse(
            ControlError(.beyondEnd, "there are \(length) bytes, and the range begins behind them"),
            headers: ["Content-Range": "bytes */\(length)"])
    }

    /// What a body is cut to.
    enum Wish: Sendable, Equatable {
        case whole
        case part(Range<Int64>)
        case beyond
    }

    /// The one range that is asked for; of several none is sent alone, so all is.
    /// - Thread: main. The header fields are borrowed.
    @HostActor
    static func only(of length: Int64, _ fields: OpaquePointer?) -> Wish {
        var ranges: UnsafeMutablePointer<SoupRange>?
        var count: gint = 0
        guard soup_message_headers_get_ranges(fields, goffset(length), &ranges, &count) != 0, let ranges else {
            return .whole
        }
        defer { soup_message_headers_free_ranges(fields, ranges) }
        guard (0..<Int(count)).contains(where: { ranges[$0].start < goffset(length) }) else { return .beyond }
        guard count == 1, ranges[0].start >= 0, ranges[0].end >= ranges[0].start else { return .whole }
        return .part(Int64(ranges[0].start)..<min(Int64(ranges[0].end) + 1, length))
    }
}
