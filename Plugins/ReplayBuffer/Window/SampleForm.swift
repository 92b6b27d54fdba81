import GStreamerKit
import PluginKit

/// What has to be done to a frame as it came to make it a sample of MP4.
///
/// Pure.
enum SampleForm: Equatable, Sendable {
    case asItIs
    /// H.264 and H.265 with start codes (Annex B): each NAL unit with its length before it.
    case startCodes
    /// AAC with a header of its own.
    case adts
    /// AV1: without the temporal delimiter.
    case openBitstreamUnits

    /// - Throws: for what HLS cannot carry, with the codec and the reason.
    init(caps text: String, pad: PadName) throws(PluginError) {
        let caps = Caps(text)
        let type = caps?.mediaType ?? ""
        let form = caps?.valueText(of: "stream-format") ?? ""
        let alignment = caps?.valueText(of: "alignment") ?? ""
        switch type {
        case "video/x-h264", "video/x-h265":
            guard alignment != "nal" else {
                throw Self.refusal(
                    pad, type, "its buffers are parts of pictures (alignment=nal)",
                    "put `\(type == "video/x-h264" ? "h264parse" : "h265parse") ! \(type),alignment=au` before it")
            }
            self = form == "byte-stream" ? .startCodes : .asItIs
        case "video/x-av1":
            guard form != "annexb", alignment != "obu" else {
                throw Self.refusal(
                    pad, type, "its buffers are no temporal units of open bitstream units",
                    "put `av1parse ! video/x-av1,stream-format=obu-stream,alignment=tu` before it")
            }
            self = .openBitstreamUnits
        case "video/x-vp9", "audio/x-opus": self = .asItIs
        case "audio/mpeg" where ["2", "4"].contains(caps?.valueText(of: "mpegversion") ?? ""):
            guard ["raw", "adts", ""].contains(form) else {
                throw Self.refusal(
                    pad, "AAC", "its stream-format is \(form)",
                    "put `aacparse ! audio/mpeg,stream-format=raw` before it")
            }
            self = form == "adts" ? .adts : .asItIs
        case "": throw PluginError("\(pad) has shown no caps yet", code: .state)
        default:
            throw Self.refusal(
                pad, type, "fragmented MP4 cannot carry it for players",
                "the window takes H.264, H.265, AV1 or VP9, with AAC or Opus")
        }
    }

    private static func refusal(_ pad: PadName, _ codec: String, _ why: String, _ fix: String) -> PluginError {
        PluginError("\(pad) is \(codec), and HLS cannot show it: \(why); \(fix)", code: .unsupported)
    }

    /// Appends the sample; its size.
    func append(_ frame: [UInt8], to media: inout [UInt8]) -> Int {
        let before = media.count
        switch self {
        case .asItIs: media += frame
        case .adts:
            // 7 bytes, 9 with a checksum.
            guard frame.count >= 7, frame[0] == 0xFF, frame[1] & 0xF0 == 0xF0 else {
                media += frame
                break
            }
            media += frame.dropFirst(frame[1] & 1 == 1 ? 7 : 9)
        case .openBitstreamUnits:
            // The type is in bits 3 to 6 of the header; a delimiter says that its size is 0.
            media += frame.starts(with: [0x12, 0x00]) ? frame.dropFirst(2) : frame[...]
        case .startCodes: Self.appendUnits(frame, to: &media)
        }
        return media.count - before
    }

    private static func appendUnits(_ frame: [UInt8], to media: inout [UInt8]) {
        var start: Int?
        var place = 0
        func add(_ range: Range<Int>) {
            // Zeros may follow a unit; none ends with one.
            var end = range.upperBound
            while end > range.lowerBound, frame[end - 1] == 0 { end -= 1 }
            guard end > range.lowerBound else { return }
            media.append(UInt64(end - range.lowerBound), bytes: 4)
            media += frame[range.lowerBound..<end]
        }
        while place + 2 < frame.count {
            if frame[place + 2] > 1 {
                place += 3
            } else if frame[place] == 0, frame[place + 1] == 0, frame[place + 2] == 1 {
                if let start { add(start..<place) }
                start = place + 3
                place += 3
            } else {
                place += 1
            }
        }
        if let start { add(start..<frame.count) }
    }
}
