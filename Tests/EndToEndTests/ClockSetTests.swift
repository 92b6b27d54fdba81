import Foundation
import Testing

/// The wall clock of the machine is set under a running host: it is told, and no picture moves.
///
/// This changes the machine's own clock by a tenth of a second and back, so it is asked for: `MEDIAHOST_SET_CLOCK=1`.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: WallClock.maySet, WallClock.missing))
struct ClockSetTests {
    @Test func isToldAndMovesNoPicture() async throws {
        let place = try Workplace()
        let config = """
            mediahost: 1
            pipelines:
              camera:
                launch: \(NumberedCamera.launch)
            plugins:
              replay: { module: ReplayBuffer, video: camera/encoded.src, window: 10min, memory: 128MiB }
            """
        try await withHost(config, in: place) { host in
            try await host.log.next(containing: "first buffer")
            try await frames(25, host)
            #expect(try await host.answer("status")["lifecycle"]["clock_epoch"].int == 0)
            var ahead = 0
            defer { if ahead != 0 { _ = WallClock.set(by: -ahead) } }
            for (epoch, word) in [(1, "forward"), (2, "back")] {
                let step = epoch == 1 ? 100 : -100
                try #require(WallClock.set(by: step))
                ahead += step
                let line = try await host.log.next(containing: "the wall clock was set \(word) by ")
                // What passes between reading and setting it is lost.
                let told = line.split(separator: " ").last.flatMap { Double($0.prefix { "0123456789.".contains($0) }) }
                #expect(line.hasSuffix("ms") && abs((told ?? 0) - 100) <= 50, "\(line)")
                #expect(try await host.answer("status")["lifecycle"]["clock_epoch"].int == epoch)
                try await frames(25, host)
            }
            _ = try await host.answer("call", "replay.save", "to=\(place.path("clip.mp4"))")
            let clip = try await Clip(decoding: place.path("clip.mp4"))
            #expect(clip.epochs == [Array(1...clip.frames.count)])
            #expect(Set(clip.steps) == [NumberedCamera.frame])
            try await host.terminate()
        }
    }

    private func frames(_ count: Int, _ host: MediahostProcess) async throws {
        let before = try await host.answer("call", "replay.status")["frames"].int ?? 0
        try await Deadline.poll("\(count) more pictures", within: .seconds(60)) {
            try await host.answer("call", "replay.status")["frames"].int ?? 0 >= before + count ? true : nil
        }
    }
}
