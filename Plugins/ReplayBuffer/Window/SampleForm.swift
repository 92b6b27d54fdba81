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

    /// Why frames cannot be made samples here.
    enum Refusal: Error, Equatable {
        case noCaps
        /// What it is, what is wrong with it, and what helps.
        case format(String, why: String, fix: String)
    }

    init(caps text: String) throws(Refusal) {
        let caps = Caps(text)
        let type = caps?.mediaType ?? ""
        let form = caps?.valueText(of: "stream-format") ?? ""
        let alignment = caps?.valueText(of: "alignment") ?? ""
        switch type {
        case "video/x-h264", "video/x-h265":
            guard alignment != "nal" else {
                throw .format(
                    type, why: "its buffers are parts of pictures (alignment=nal)",
                    fix: "put `\(type == "video/x-h264" ? "h264parse" : "h265parse") ! \(type),alignment=au` before it")
            }
            self = form == "byte-stream" ? .startCodes : .asItIs
        case "video/x-av1":
            guard form != "annexb", alignment != "obu" else {
                throw .format(
                    type, why: "its buffers are no temporal units of open bitstream units",
                    fix: "put `av1parse ! video/x-av1,stream-format=obu-stream,alignment=tu` before it")
            }
            self = .openBitstreamUnits
        case "video/x-vp9", "audio/x-opus": self = .asItIs
        case "audio/mpeg" where ["2", "4"].contains(caps?.valueText(of: "mpegversion") ?? ""):
            guard ["raw", "adts", ""].contains(form) else {
                throw .format(
                    "AAC", why: "its stream-format is \(form)",
                    fix: "put `aacparse ! audio/mpeg,stream-format=raw` before it")
            }
            self = form == "adts" ? .adts : .asItIs
        case "": throw .noCaps
        default:
            throw .format(
                type, why: "fragmented MP4 cannot carry it for players",
                fix: "the window takes H.264, H.265, AV1 or VP9, with AAC or Opus")
        }
    }

    /// - Throws: for what HLS cannot carry, with the codec and the reason.
    init(caps: String, pad: PadName) throws(PluginError) {
        do throws(Refusal) {
            try self.init(caps: caps)
        } catch {
            switch error {
            case .noCaps: throw PluginError("\(pad) has shown no caps yet", code: .state)
            case .format(let codec, let why, let fix):
                throw PluginError(
                    "\(pad) is \(codec), and HLS cannot show it: \(why); \(fix)", code: .unsupported)
            }
        }
    }

    /// Appends the sample; its size.
    func append(_ frame: UnsafeRawBufferPointer, to media: inout [UInt8]) -> Int {
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

    private static func appendUnits(_ frame: UnsafeRawBufferPointer, to media: inout [UInt8]) {
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
