internal import CGLib
internal import CSoup

/// The `Range` of a request. libsoup cuts every body by it, and says nothing where there is nothing to cut.
enum RequestedRange {
    /// Has libsoup leave a whole body whole, and refuses a range that lies behind its end.
    /// - Parameter isOffered: parts of this body can be asked for.
    /// - Thread: main. The message is borrowed.
    @HostActor
    static func prepare(_ response: inout ControlResponse, for message: OpaquePointer, isOffered: Bool) {
        let fields = soup_server_message_get_request_headers(message)
        guard soup_message_headers_get_one(fields, "Range") != nil else { return }
        guard isOffered, response.status == 200, let length = response.payload?.bytes.count, length > 0 else {
            return soup_message_headers_remove(fields, "Range")
        }
        guard isBeyond(length, fields) else { return }
        soup_message_headers_remove(fields, "Range")
        response = beyondEnd(of: Int64(length))
    }

    static func beyondEnd(of length: Int64) -> ControlResponse {
        ControlResponse(
            ControlError(.beyondEnd, "there are \(length) bytes, and the range begins behind them"),
            headers: ["Content-Range": "bytes */\(length)"])
    }

    /// What a body that libsoup does not send is cut to.
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

    /// Whether all parts begin behind the end.
    private static func isBeyond(_ length: Int, _ fields: OpaquePointer?) -> Bool {
        var ranges: UnsafeMutablePointer<SoupRange>?
        var count: gint = 0
        guard soup_message_headers_get_ranges(fields, length, &ranges, &count) != 0, let ranges else { return false }
        defer { soup_message_headers_free_ranges(fields, ranges) }
        return (0..<Int(count)).allSatisfy { ranges[$0].start >= length }
    }
}
