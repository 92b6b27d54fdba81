internal import Glibc

/// A live media playlist (RFC 8216) of fragmented MP4.
///
/// Pure.
struct WindowPlaylist: Equatable, Sendable {
    var segments: ArraySlice<WindowSegment>
    /// Seconds: no segment is longer, and none was before.
    var targetSeconds: Int64
    /// The number the next segment gets, where there is none.
    var nextNumber: UInt64
    /// The same of discontinuities.
    var discontinuity: UInt64

    /// - Note: A discontinuity in front of the first segment is one that has left the playlist with the segment before it,
    ///   and is counted in EXT-X-DISCONTINUITY-SEQUENCE.
    var text: String {
        var text = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:\(targetSeconds)
            #EXT-X-MEDIA-SEQUENCE:\(segments.first?.number ?? nextNumber)
            #EXT-X-DISCONTINUITY-SEQUENCE:\(segments.first?.discontinuity ?? discontinuity)
            #EXT-X-INDEPENDENT-SEGMENTS

            """
        var before: WindowSegment?
        for segment in segments {
            if let before, before.discontinuity != segment.discontinuity { text += "#EXT-X-DISCONTINUITY\n" }
            if before?.format != segment.format || before?.discontinuity != segment.discontinuity {
                text += "#EXT-X-MAP:URI=\"\(segment.format.fileName)\"\n"
            }
            text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(segment.realtime))\n"
            text += "#EXTINF:\(Self.seconds(segment.duration)),\n\(segment.fileName)\n"
            before = segment
        }
        return text
    }

    /// To the microsecond: sums over a window stay below a frame.
    static func seconds(_ nanoseconds: Int64) -> String {
        let micros = (nanoseconds + 500) / 1000
        return "\(micros / 1_000_000).\(digits(micros % 1_000_000, 6))"
    }

    /// ISO 8601, UTC.
    static func date(_ nanoseconds: Int64) -> String {
        var second = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        guard gmtime_r(&second, &parts) != nil else { return "1970-01-01T00:00:00.000Z" }
        let day =
            "\(digits(Int64(parts.tm_year) + 1900, 4))-\(digits(Int64(parts.tm_mon) + 1, 2))-\(digits(Int64(parts.tm_mday), 2))"
        let time =
            "\(digits(Int64(parts.tm_hour), 2)):\(digits(Int64(parts.tm_min), 2)):\(digits(Int64(parts.tm_sec), 2))"
        return "\(day)T\(time).\(digits(nanoseconds / 1_000_000 % 1000, 3))Z"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = "\(max(0, number))"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
