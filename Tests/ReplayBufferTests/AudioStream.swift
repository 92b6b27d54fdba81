@testable import ReplayBuffer

/// Sound of a second or more, as encoders make it.
enum AudioStream: CaseIterable {
    case aac, opus, pcm

    func record(seconds: Int) throws -> EncodedStream {
        let source = "audiotestsrc num-buffers=\(seconds * 50) samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=2"
        return switch self {
        case .aac:
            try EncodedStream.record(
                "\(source) ! audioconvert ! avenc_aac ! aacparse name=probe ! audio/mpeg,stream-format=raw ! fakesink")
        case .opus: try EncodedStream.record("\(source) ! opusenc ! opusparse name=probe ! fakesink")
        case .pcm:
            try EncodedStream.record(
                "\(source) ! audioconvert ! audio/x-raw,format=S16LE ! identity name=probe ! fakesink")
        }
    }

    /// How to read it back out of a demuxer.
    var reader: String {
        switch self {
        case .aac: "audio/mpeg ! aacparse name=sound"
        case .opus: "audio/x-opus ! opusparse name=sound"
        case .pcm: "audio/x-raw ! identity name=sound"
        }
    }
}
