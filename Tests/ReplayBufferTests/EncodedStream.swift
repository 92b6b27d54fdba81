import GStreamerKit
import HostTestKit
import Locking
import Testing

/// Frames as an encoder made them, to be fed to a tap again and again.
struct EncodedStream: Sendable {
    struct Unit: Sendable {
        var bytes: [UInt8]
        var pts: Int64
        var dts: Int64?
        var duration: Int64?
        var isDelta: Bool
    }

    var caps = ""
    var units: [Unit] = []

    /// Runs a pipeline whose element `probe` shows the frames on its source pad; times are running times.
    static func record(_ launch: String, feed: (Pipeline) throws -> Void = { _ in }) throws -> EncodedStream {
        try record(launch, probes: ["probe"], feed: feed)[0]
    }

    /// The same with several elements.
    static func record(
        _ launch: String, probes names: [String], feed: (Pipeline) throws -> Void = { _ in }
    ) throws -> [EncodedStream] {
        try GStreamer.start()
        let pipeline = try Pipeline(launch: launch, name: "record")
        let lanes = try names.map { try Lane(pipeline, $0) }
        defer { for lane in lanes { lane.probe?.cancel() } }
        pipeline.setState(.playing)
        defer { pipeline.setState(.null) }
        try feed(pipeline)
        while true {
            switch pipeline.bus.next(timeout: .seconds(60)) {
            case .endOfStream: return lanes.map { lane in lane.seen.withLock { $0.stream } }
            case .error(let report): throw report
            case nil: throw Silence(launch: launch)
            default: break
            }
        }
    }

    /// What passes one element.
    private final class Lane {
        let seen: Shared
        let probe: PadProbe?

        final class Shared: Sendable {
            private let value = Locked((stream: EncodedStream(), segment: Segment?.none))
            func withLock<Result: Sendable>(
                _ body: @Sendable (inout (stream: EncodedStream, segment: Segment?)) -> Result
            ) -> Result { value.withLock { body(&$0) } }
        }

        init(_ pipeline: Pipeline, _ name: String) throws {
            let pad = try #require(pipeline.element(named: name)?.pad(named: "src"))
            let seen = Shared()
            self.seen = seen
            probe = pad.addProbe(events: true) { data in
                switch consume data {
                case .buffer(let view):
                    let bytes = view.withBytes { [UInt8]($0) } ?? []
                    let (pts, dts, duration, flags) = (view.pts, view.dts, view.duration, view.flags)
                    seen.withLock {
                        let segment = $0.segment
                        $0.stream.units.append(
                            Unit(
                                bytes: bytes, pts: segment?.runningTime(of: pts)?.nanoseconds ?? -1,
                                dts: segment?.runningTime(of: dts)?.nanoseconds, duration: duration?.nanoseconds,
                                isDelta: flags.contains(.delta)))
                    }
                case .event(.segment(let segment)): seen.withLock { $0.segment = segment }
                case .event(.caps(let caps)): seen.withLock { $0.stream.caps = caps.description }
                default: break
                }
                return .pass
            }
        }
    }

    /// A minute passed without a word from a test pipeline.
    struct Silence: Error {
        var launch = ""
    }

    /// H.264 at 30 frames a second, a key frame each half second, pictures reordered.
    static func h264(frames: Int) throws -> EncodedStream {
        try record(
            """
            videotestsrc num-buffers=\(frames) ! video/x-raw,width=160,height=120,framerate=30/1
            ! x264enc key-int-max=15 bframes=2 b-adapt=false option-string=scenecut=0:open-gop=0
            ! h264parse name=probe ! video/x-h264,stream-format=byte-stream,alignment=au ! fakesink
            """)
    }

    /// The frames of a saved clip, by its demuxer.
    static func clip(_ path: String) throws -> EncodedStream {
        let demuxer =
            path.hasSuffix(".mkv") ? "matroskademux" : path.hasSuffix(".mp4") ? "qtdemux" : "tsdemux"
        return try record("filesrc location=\"\(path)\" ! \(demuxer) ! h264parse name=probe ! fakesink")
    }

    /// The pictures of a saved clip, decoded: in the order of presentation.
    static func pictures(_ path: String) throws -> EncodedStream {
        try record(
            "filesrc location=\"\(path)\" ! decodebin ! videoconvert ! videoscale ! "
                + "video/x-raw,format=GRAY8,width=16,height=12 ! identity name=probe ! fakesink")
    }

    /// Feeds all of it, moved by `offset`.
    func feed(_ tap: FakeTap, offset: Int64 = 0) {
        for unit in units {
            tap.push(
                unit.bytes, pts: unit.pts + offset, dts: unit.dts.map { $0 + offset } ?? .min,
                duration: unit.duration ?? .min, isDelta: unit.isDelta)
        }
    }
}
