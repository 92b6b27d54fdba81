import Foundation
import Testing

/// Whatever is built anew, what was recorded before is still there, and time goes on by one picture.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RecordingTests {
    private static func config(_ launch: String) -> String {
        """
        mediahost: 1
        pipelines:
          camera:
            launch: \(launch)
            warm-up: { frames: 3, at: qr.src }
            restart: { delay: 100ms, jitter: 0%, limit: 1000 per 1s }
        plugins:
          replay: { module: ReplayBuffer, video: camera/encoded.src, window: 10min, memory: 128MiB }
          counter: { module: Minimal, pad: camera/encoded.src }

        """
    }

    /// Returns when so much has come of an epoch; all counts.
    private func recorded(_ count: Int, epoch: Int, _ host: MediahostProcess) async throws -> [Int] {
        try await Deadline.poll("\(count) pictures of epoch \(epoch)", within: .seconds(60)) {
            let epochs = try await host.answer("call", "counter.count")["epochs"].list
            let isThere = epochs.contains { $0["epoch"].int == epoch && $0["buffers"].int ?? 0 >= count }
            return isThere ? epochs.compactMap { $0["buffers"].int } : nil
        }
    }

    private func saved(_ file: String, _ range: String..., from host: MediahostProcess) async throws -> Clip {
        let answer = try await host.answer(["call", "replay.save", "to=\(file)"] + range)
        let clip = try await Clip(decoding: file)
        #expect(answer["complete"].bool == true && clip.frames.count == answer["frames"].int)
        return clip
    }

    /// An element fails after 39 pictures of each build, and the restart policy builds the next one.
    @Test func aFailureTakesNothingOfIt() async throws {
        let place = try Workplace()
        let launch = NumberedCamera.launch.replacing(
            "debugqroverlay name=qr", with: "debugqroverlay name=qr ! identity name=fault error-after=40")
        try await withHost(Self.config(launch), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            let counts = try await recorded(20, epoch: 3, host)
            #expect(counts.prefix(2) == [39, 39])
            let clip = try await saved(place.path("clip.mp4"), from: host)
            // To the last picture before each failure, and on by one picture after it.
            #expect(clip.epochs.prefix(2) == [Array(4...42), Array(4...42)] && clip.epochs.count >= 3)
            #expect(Set(clip.steps) == [NumberedCamera.frame])
            let camera = try await host.answer("status")["pipelines"]["camera"]
            #expect(camera["restarts"].int ?? 0 >= 2)
            #expect(host.log.text.contains("fault"))
            try await host.terminate()
        }
    }

    /// A reload brings another source and another encoder.
    @Test func anotherDeviceTakesNothingOfIt() async throws {
        let place = try Workplace()
        try await withHost(Self.config(NumberedCamera.launch), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            _ = try await recorded(30, epoch: 1, host)
            let next = NumberedCamera.launch
                .replacing("videotestsrc is-live=true", with: "videotestsrc is-live=true pattern=ball")
                .replacing("key-int-max=25", with: "key-int-max=10 bitrate=1000")
            try place.write(Self.config(next), to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            let counts = try await recorded(30, epoch: 2, host)
            let clip = try await saved(place.path("clip.mp4"), from: host)
            #expect(clip.epochs.count == 2)
            #expect(clip.epochs.first == Array(4..<(4 + (counts.first ?? 0))))
            #expect(Set(clip.steps) == [NumberedCamera.frame])
            try await host.terminate()
        }
    }

    /// Pictures of another size cannot be in the same clip; what was before them is kept beside them.
    @Test func picturesOfAnotherSizeTakeNothingOfIt() async throws {
        let place = try Workplace()
        try await withHost(Self.config(NumberedCamera.launch), in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "first buffer")
            _ = try await recorded(30, epoch: 1, host)
            let next = NumberedCamera.launch.replacing("width=320,height=240", with: "width=640,height=480")
            try place.write(Self.config(next), to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            let first = try await recorded(30, epoch: 2, host).first ?? 0
            let end = Double(first * NumberedCamera.frame) / 1e9
            let before = try await saved(place.path("before.mp4"), "from=0s", "until=\(end)s", from: host)
            #expect(before.epochs == [Array(4..<(4 + first))])
            let after = try await saved(place.path("after.mp4"), "from=\(end)s", from: host)
            #expect(after.epochs.count == 1 && after.frames.first?.number == 4)
            try await host.terminate()
        }
    }
}
