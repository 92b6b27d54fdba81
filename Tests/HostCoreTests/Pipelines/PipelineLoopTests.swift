import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// `on-eos: loop` and `on-eos: restart` with a real file: one second of H.264 and sound.
@Suite struct PipelineLoopTests {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    /// The media times that pass a tap.
    private final class Times: TapClient {
        let pts = Recorder<ClockTime>()
        private let enough: Int
        private let reached = AsyncStream.makeStream(of: Never.self)

        init(enough: Int) { self.enough = enough }

        func epoch(_ epoch: TapEpoch) {}
        func format(id: UInt32, caps: Caps) {}
        func buffer(_ buffer: borrowing TapBuffer) {
            if let time = buffer.pts { pts.record(time) }
            if pts.elements.count == enough { reached.continuation.finish() }
        }
        func gap(pts: ClockTime, duration: ClockTime?) {}
        func endOfStream() {}
        func detached() {}

        func hasEnough() async { for await _ in reached.stream {} }
    }

    private func makeClip(in directory: TemporaryDirectory, frames: Int = 25) throws -> String {
        let path = directory.path + "/clip.mp4"
        let pipeline = try Pipeline(
            launch: "mp4mux name=mux ! filesink location=\(path) "
                + "videotestsrc num-buffers=\(frames) ! video/x-raw,width=64,height=64,framerate=25/1 ! x264enc ! h264parse ! mux. "
                + "audiotestsrc num-buffers=\(frames) samplesperbuffer=1920 ! audio/x-raw,rate=48000 ! avenc_aac ! mux.",
            name: "make")
        pipeline.setState(.playing)
        defer { pipeline.setState(.null) }
        while let message = pipeline.bus.next(timeout: .seconds(300)) {
            if case .endOfStream = message { return path }
            if case .error(let report) = message { throw report }
        }
        throw PipelineFailure(code: "no-clip", message: "the clip was not finished in time")
    }

    private static func playing(_ path: String, sync: Bool) -> String {
        "filesrc location=\(path) ! qtdemux name=demux "
            + "demux.video_0 ! queue ! h264parse ! avdec_h264 name=video ! fakesink sync=\(sync) "
            + "demux.audio_0 ! queue ! aacparse ! avdec_aac ! fakesink sync=\(sync)"
    }

    @Test(.timeLimit(.minutes(10)), arguments: [EndOfStreamPolicy.loop, .restart])
    @HostActor func fiveRoundsHaveEveryFrameOnceAndNoGap(onEOS: EndOfStreamPolicy) async throws {
        let directory = try TemporaryDirectory()
        let path = try makeClip(in: directory)
        let bench = PipelineBench(Self.playing(path, sync: false)) { $0.onEOS = onEOS }
        let controller = try bench.pipeline
        let times = Times(enough: 5 * 25)
        _ = try controller.attach(times, at: try ElementPad("video.src"))
        controller.play()
        await times.hasEnough()
        controller.stop()
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        let seen = times.pts.elements.prefix(5 * 25)
        #expect(Array(seen.prefix(3)) == [.zero, .milliseconds(40), .milliseconds(80)])
        if onEOS == .loop {
            #expect(controller.mediaTime.epoch == 1, "it is one run")
            // A round lasts as long as the file: its sound is longer than its pictures by the encoder's padding.
            let steps = zip(seen, seen.dropFirst()).map { ($1 - $0).nanoseconds }
            #expect(steps.filter { $0 == 40_000_000 }.count == 120)
            #expect(steps.allSatisfy { $0 >= 40_000_000 && $0 < 40_000_000 + 45_000_000 }, "\(steps)")
        } else {
            let steps = zip(seen, seen.dropFirst()).map { $1 - $0 }
            #expect(steps.allSatisfy { $0 == .milliseconds(40) }, "\(steps)")
            #expect(controller.restarts == 0)
        }
    }

    /// A pipe cannot seek: it is built anew instead.
    @Test(.timeLimit(.minutes(10))) @HostActor func whatCannotSeekIsBuiltAnew() async throws {
        let bench = PipelineBench(
            "fakesrc num-buffers=10 is-live=true datarate=1000 sizetype=fixed sizemax=10 format=time name=s ! fakesink"
        ) { $0.onEOS = .loop }
        let controller = try bench.pipeline
        let times = Times(enough: 30)
        _ = try controller.attach(times, at: try ElementPad("s.src"))
        controller.play()
        await times.hasEnough()
        #expect(controller.mediaTime.epoch >= 3)
        controller.stop()
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        let seen = times.pts.elements
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// EOS put in pad by pad waited for ever in the multiqueue, and NULL behind it.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "fakesink sync=true",
            "identity sync=true ! x264enc tune=zerolatency name=encoder ! mp4mux ! "
                + "filesink location=OUT",
        ])
    @HostActor func aLoopBehindDecodebinStops(end: String) async throws {
        let directory = try TemporaryDirectory()
        // Of what writes a file each round is a build of its own, and one that is stopped before it has anything leaves it empty:
        // told within the first round, however slow the machine is.
        let path = try makeClip(in: directory, frames: end.contains("mp4mux") ? 500 : 25)
        let out = directory.path("out.mp4")
        let end = String(end.split(separator: "OUT", omittingEmptySubsequences: false).joined(separator: out))
        let bench = PipelineBench(
            "filesrc location=\(path) ! decodebin name=d d. ! queue ! videoconvert name=video ! \(end) "
                + "d. ! queue ! audioconvert ! fakesink sync=true", limits: Self.patient
        ) { $0.onEOS = .loop }
        let controller = try bench.pipeline
        let times = Times(enough: 30)
        let pad = end.contains("encoder") ? "encoder.src" : "video.src"
        _ = try controller.attach(times, at: try ElementPad(pad))
        controller.play()
        await times.hasEnough()
        controller.stop()
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition == .stopped && controller.lastFailure == nil)
        guard end.contains("mp4mux") else { return }
        try hasItsEnd(out)
    }

    /// The index is written at the end of the stream only.
    private func hasItsEnd(_ movie: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: movie))
        #expect(bytes.range(of: Data("moov".utf8)) != nil, "\(bytes.count) bytes")
    }

    /// A machine that is busy takes its time to play out what is queued.
    private static var patient: PipelineController.Limits {
        var limits = PipelineController.Limits()
        limits.drain = .seconds(120)
        return limits
    }

    /// Whoever is told to stop in that moment finds a file with its end, too.
    @Test(.timeLimit(.minutes(10)))
    @HostActor func aFileIsWholeWhereTheSourceDoesNotGoBack() async throws {
        let directory = try TemporaryDirectory()
        let path = try makeClip(in: directory, frames: 500)
        let out = directory.path("out.mp4")
        let bench = PipelineBench(
            "filesrc location=\(path) ! qtdemux name=d d.video_0 ! queue ! h264parse name=video ! identity sync=true "
                + "! mp4mux ! filesink location=\(out)", limits: Self.patient
        ) { $0.onEOS = .loop }
        let controller = try bench.pipeline
        let times = Times(enough: 30)
        _ = try controller.attach(times, at: try ElementPad("video.src"))
        controller.play()
        await times.hasEnough()
        controller.endLastRound()
        controller.stop()
        await withCheckedContinuation { resumed in controller.whenAtRest { resumed.resume() } }
        #expect(controller.condition == .stopped && controller.lastFailure == nil)
        try hasItsEnd(out)
    }
}
