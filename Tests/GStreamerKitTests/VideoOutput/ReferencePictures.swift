import Glibc
import Locking
import Synchronization

@testable import GStreamerKit

/// A clip made here, and what each of its pictures looks like when it is decoded from its beginning.
struct ReferencePictures: Sendable {
    let path: String
    /// By presentation time.
    let sums: [ClockTime: UInt64]
    private static let made = Atomic(0)

    private static let shared = Locked<[Int: ReferencePictures]>([:])

    /// Two minutes, for whoever waits for a picture in time: a busy machine may need half a minute for that. Made once, and
    /// gone with the process.
    static func long(distance: Int) throws -> ReferencePictures {
        try shared.withLock { shared in
            if let clip = shared[distance] { return clip }
            if shared.isEmpty { atexit { ReferencePictures.removeShared() } }
            let clip = try ReferencePictures(frames: 3000, distance: distance)
            shared[distance] = clip
            return clip
        }
    }

    private static func removeShared() {
        for clip in shared.withLock(\.values) { clip.remove() }
    }

    /// - Parameters:
    ///   - distance: pictures from key frame to key frame.
    ///   - subtitles: as a file of them has them (SubRip); none where it is empty.
    ///   - isApart: they stay in a file of their own.
    init(frames: Int, distance: Int, subtitles: String = "", isApart: Bool = false) throws {
        let number = Self.made.add(1, ordering: .relaxed).newValue
        path = "/tmp/mediahost-pictures-\(getpid())-\(number).mkv"
        let text = Self.subtitlePath(of: path)
        if !subtitles.isEmpty { try Self.write(subtitles, to: text) }
        defer { if !isApart { unlink(text) } }
        let making = try Pipeline(
            launch: "videotestsrc pattern=ball num-buffers=\(frames) ! video/x-raw,width=80,height=60,framerate=25/1"
                + " ! x264enc speed-preset=superfast key-int-max=\(distance) bframes=2 option-string=scenecut=0 ! h264parse ! matroskamux name=m"
                + " ! filesink location=\(path) audiotestsrc num-buffers=\(frames * 40 * 48 / 960) samplesperbuffer=960"
                + " ! audio/x-raw,rate=48000,channels=1 ! opusenc complexity=0 ! opusparse ! m."
                + (subtitles.isEmpty || isApart
                    ? "" : " filesrc location=\(text) ! subparse ! text/x-raw ! queue ! m."),
            name: "making")
        try Self.play(making)
        let collected = Collected()
        let reading = try Pipeline(
            launch: "filesrc location=\(path) ! matroskademux ! h264parse ! avdec_h264 ! fakesink name=s",
            name: "reading")
        let pad = reading.element(named: "s")?.pad(named: "sink")
        _ = pad?.addProbe { data in
            guard case .buffer(let buffer) = consume data, let pts = buffer.pts else { return .pass }
            collected.sums.withLock { $0[pts] = Self.sum(buffer) }
            return .pass
        }
        try Self.play(reading)
        sums = collected.sums.withLock { $0 }
    }

    func remove() {
        unlink(path)
        unlink(Self.subtitlePath(of: path))
    }

    static func subtitlePath(of path: String) -> String { path + ".srt" }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failed(text: "\(path) cannot be written") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failed(text: "\(path) is not written") }
    }

    /// FNV-1a, 64 bits (Fowler, Noll, Vo), by words: a picture is a whole number of them.
    static func sum(_ buffer: borrowing BufferView) -> UInt64 {
        buffer.withBytes { bytes in
            var sum: UInt64 = 0xcbf2_9ce4_8422_2325
            for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01b3
            }
            return sum
        } ?? 0
    }

    private final class Collected: Sendable {
        let sums = Locked<[ClockTime: UInt64]>([:])
    }

    struct Failed: Error { let text: String }

    private static func play(_ pipeline: Pipeline) throws {
        defer { pipeline.setState(.null) }
        pipeline.setState(.playing)
        while let message = pipeline.bus.next(timeout: .seconds(300)) {
            switch message {
            case .endOfStream: return
            case .error(let report): throw Failed(text: report.text)
            default: continue
            }
        }
        throw Failed(text: "no end within five minutes")
    }
}
