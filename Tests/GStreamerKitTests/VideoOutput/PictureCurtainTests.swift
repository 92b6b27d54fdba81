import HostTestKit
import Locking
import Testing

@testable import GStreamerKit

/// Pictures are kept from the sinks of a pipeline from its build on, and the rest is not kept up for them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PictureCurtainTests {
    init() throws { try GStreamer.start() }

    private static let sinks =
        "video-sink=\"fakesink name=eyes sync=true\" audio-sink=\"fakesink name=ears sync=true\""

    enum Kind: CaseIterable {
        case branches, playbin, uridecodebin

        func launch(_ path: String) -> String {
            switch self {
            case .branches:
                "filesrc location=\(path) ! matroskademux name=d d.video_0 ! queue ! h264parse ! avdec_h264"
                    + " ! fakesink name=eyes sync=true d.audio_0 ! queue ! opusparse ! opusdec ! fakesink name=ears sync=true"
            case .playbin: "playbin3 uri=file://\(path) \(PictureCurtainTests.sinks)"
            case .uridecodebin:
                "uridecodebin3 uri=file://\(path) name=d d. ! queue ! videoconvert ! fakesink name=eyes sync=true"
                    + " d. ! queue ! audioconvert ! fakesink name=ears sync=true"
            }
        }
    }

    /// A player that is built behind a curtain, with eyes and ears.
    private final class Stage: Sendable {
        let pipeline: Pipeline
        let curtain: PictureCurtain
        private let seen = Locked<[ClockTime]>([])
        private let heard = Locked(0)
        private let idle = Locked(0)

        init(_ launch: String) throws {
            pipeline = try Pipeline(launch: launch, name: "player")
            // Before the watch: what it keeps back is not seen.
            curtain = PictureCurtain(over: pipeline)
            let watch: @Sendable (Element) -> Void = { [weak self] sink in
                guard sink.isSink, !sink.isBin else { return }
                let isEye = sink.name == "eyes"
                _ = sink.pad(named: "sink")?.addProbe { [weak self] data in
                    guard case .buffer(let buffer) = consume data, let self else { return .pass }
                    if isEye {
                        let pts = buffer.pts ?? .zero
                        self.seen.withLock { $0.append(pts) }
                    } else {
                        self.heard.withLock { $0 += 1 }
                    }
                    return .pass
                }
            }
            pipeline.onElementAdded(watch)
            for sink in pipeline.sinks { watch(sink) }
        }

        var pictures: [ClockTime] { seen.withLock { $0 } }
        var sounds: Int { heard.withLock { $0 } }

        func hide() -> VideoOutput? {
            let output = VideoOutput(of: pipeline) { [weak self] _, news in
                if case .idle = news { self?.idle.withLock { $0 += 1 } }
            }
            guard let output else { return nil }
            output.hide(round: 1)
            guard SwitchedPlayer.wait({ idle.withLock { $0 } == output.streamCount }) else { return nil }
            output.end()
            return output
        }
    }

    /// One of about fifty starts of 1.22's playbin3 never prerolls on a busy machine (docs/pipelines.md).
    private func prerolled(_ launch: String) throws -> Stage? {
        for _ in 0..<5 {
            let stage = try Stage(launch)
            stage.pipeline.setState(.paused)
            if stage.pipeline.state(timeout: .seconds(20)).result == .success { return stage }
            stage.curtain.lift()
            stage.pipeline.setState(.null)
        }
        return nil
    }

    @Test(arguments: Kind.allCases) func noPictureIsSeenFromTheStartToTheCut(_ kind: Kind) throws {
        let clip = try ReferencePictures.long(distance: 20)
        let stage = try #require(try prerolled(kind.launch(clip.path)))
        defer { stage.pipeline.setState(.null) }
        #expect(stage.pictures.isEmpty)
        stage.pipeline.setState(.playing)
        #expect(SwitchedPlayer.wait { stage.sounds > 10 })
        let output = try #require(stage.hide())
        stage.curtain.lift()
        defer { output.cancel() }
        let sounds = stage.sounds
        #expect(SwitchedPlayer.wait { stage.sounds > sounds + 10 })
        #expect(stage.pictures.isEmpty)
        output.show()
        output.beginFeeding()
        SwitchedPlayer.feed(output)
        #expect(SwitchedPlayer.wait { stage.pictures.count > 3 })
        #expect(stage.pictures.allSatisfy { clip.sums[$0] != nil })
    }

    /// In the place of pictures it is not waited for them, nor for anything else: the others preroll, and time goes by at its
    /// pace.
    @Test func whatIsLiftedEarlyIsSeenFromThenOn() throws {
        let stage = try #require(
            try prerolled("videotestsrc ! video/x-raw,framerate=25/1 ! intervideosink name=eyes sync=true"))
        defer { stage.pipeline.setState(.null) }
        stage.pipeline.setState(.playing)
        #expect(stage.pictures.isEmpty)
        stage.curtain.lift()
        #expect(SwitchedPlayer.wait { stage.pictures.count > 3 })
    }
}
