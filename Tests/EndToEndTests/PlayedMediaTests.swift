import Foundation
import Testing

/// What really comes out of a running host that is locked, paused and interrupted: each sample, and the number in each picture.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PlayedMediaTests {
    private static let rate = 8_000
    private static let pictures = 9_000
    /// From key frame to key frame.
    private static let group = 25
    private static let pictureTime = 40_000_000
    private static let soundTime = 20_000_000

    /// Six minutes of H.264 with a key frame each second, each picture's number in it as bars, and a ramp as sound, as it is.
    private static let clip = Task {
        let place = try Workplace(inProducts: "EndToEndTests.numbered")
        let ramp = (0...UInt16.max).map(\.littleEndian).withUnsafeBytes { Data($0) }
        let rounds = rate * pictures / 25 / 65_536 + 1
        let sound = (0..<rounds).reduce(into: Data()) { all, _ in all += ramp }
        try sound.write(to: URL(fileURLWithPath: place.path("ramp.pcm")))
        var frames = Data()
        for number in 0..<pictures {
            let line = (0..<14).flatMap { [UInt8](repeating: number >> $0 & 1 == 1 ? 235 : 16, count: 8) }
            for _ in 0..<16 { frames += line }
            frames += [UInt8](repeating: 128, count: 2 * 56 * 8)
        }
        try frames.write(to: URL(fileURLWithPath: place.path("pictures.i420")))
        let text =
            "matroskamux name=mux ! filesink location=clip.mkv"
            + " filesrc location=pictures.i420 ! rawvideoparse format=i420 width=112 height=16 framerate=25/1"
            + " ! x264enc key-int-max=\(group) bframes=2 option-string=scenecut=0 ! h264parse ! queue ! mux."
            + " filesrc location=ramp.pcm blocksize=320 ! rawaudioparse pcm-format=s16le sample-rate=\(rate) num-channels=1"
            + " ! audiobuffersplit output-buffer-duration=1/50 ! queue ! mux."
        try await Tool.require(
            "gst-launch-1.0", ["-q"] + text.split(separator: " ").map(String.init), in: place.directory)
        return place
    }

    private enum Line: Equatable {
        case picture(Int, pts: Int)
        case sound(first: Int, count: Int, pts: Int)
        case torn(pts: Int)
    }

    private static func lines(_ place: Workplace) -> [Line] {
        place.lines("witness.log").compactMap { text in
            let words = text.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            switch (words.first, numbers.count) {
            case ("picture", 2): return .picture(numbers[0], pts: numbers[1])
            case ("sound", 3): return .sound(first: numbers[0], count: numbers[1], pts: numbers[2])
            case ("torn", 1): return .torn(pts: numbers[0])
            // The last one, half written.
            default: return nil
            }
        }
    }

    private struct Scene {
        let host: MediahostProcess
        let place: Workplace
        /// When pictures were asked for again: how many lines were there.
        var asked: [Int] = []

        private func sounds() -> Int {
            lines(place).count { if case .sound = $0 { true } else { false } }
        }

        func plays() async throws {
            let before = sounds()
            try await Deadline.poll("sound") { sounds() > before + 10 ? true : nil }
        }

        func shows() async throws {
            let before = lines(place).count
            try await Deadline.poll("pictures") {
                lines(place).dropFirst(before).count { if case .picture = $0 { true } else { false } } > 5 ? true : nil
            }
        }

        /// Sound alone for a while, then pictures again.
        mutating func goes(by hide: [String], backBy show: [String]) async throws {
            _ = try await host.answer(hide)
            try await host.log.next(containing: "pipeline player: audio only")
            try await plays()
            asked.append(lines(place).count)
            _ = try await host.answer(show)
            try await host.log.next(containing: "pipeline player: video again")
            try await shows()
        }
    }

    private static func config(whenPaused mode: String, sound: String = "") async throws -> String {
        """
        mediahost: 1
        pipelines:
          player:
            background: { locked: audio-only, paused: \(mode) }
            launch: >
              filesrc location=\(try await clip.value.path("clip.mkv")) ! matroskademux name=d
              d.video_0 ! queue ! h264parse ! avdec_h264 ! fakesink name=eyes sync=true
              d.audio_0 ! queue ! \(sound)fakesink name=ears sync=true
            restart: { delay: 10ms, jitter: 0%, limit: 1000 per 1min }
        plugins: { witness: { module: Witness } }
        """
    }

    /// Built anew it prerolls with its first picture, and only then goes to where it was.
    @Test func aPlayerThatComesBackDoesNotShowItsBeginning() async throws {
        let place = try Workplace()
        let config = try await Self.config(whenPaused: "stop")
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            let scene = Scene(host: host, place: place)
            try await host.log.next(containing: "pipeline player: playing")
            for _ in 0..<3 {
                try await scene.shows()
                #expect(try await host.answer("pause")["state"].string == "paused")
                #expect(try await host.answer("resume")["state"].string == "running")
            }
            try await scene.shows()
            try await host.terminate()
        }
        let numbers = Self.numbers(place)
        // The last one may have come before it was due, or long behind its sound on a busy machine.
        for (number, next) in zip(numbers, numbers.dropFirst()) {
            #expect((number - 2...number + 100).contains(next), "\(next) behind \(number)")
        }
        #expect(numbers.first == 0 && numbers.count > 20)
    }

    @Test func noSampleIsLostAndNoOldPictureIsShown() async throws {
        let place = try Workplace()
        let config = try await Self.config(whenPaused: "pause")
        let asked = try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            var scene = Scene(host: host, place: place)
            try await host.log.next(containing: "pipeline player: playing")
            try await scene.shows()
            try await scene.goes(by: ["lock"], backBy: ["unlock"])
            for (pause, back) in [
                (["pause"], ["resume"]), (["interrupt", "begin"], ["interrupt", "end", "--resume"]),
                (["pipeline", "pause", "player"], ["pipeline", "play", "player"]),
            ] {
                _ = try await host.answer(pause)
                _ = try await host.answer(back)
                try await scene.plays()
                try await scene.shows()
            }
            try await scene.goes(
                by: ["pipeline", "mode", "player", "audio"], backBy: ["pipeline", "mode", "player", "video"])
            try await host.terminate()
            return scene.asked
        }
        #expect(asked.count == 2)
        let lines = Self.lines(place)
        try checkSound(lines)
        checkPictures(lines, asked)
    }

    /// Each build fails after three seconds of sound. The one behind it goes on where that one was, with sound alone while that is
    /// wanted.
    @Test func aFailureOfTheSoundShowsNothing() async throws {
        let place = try Workplace()
        let config = try await Self.config(whenPaused: "pause", sound: "identity error-after=150 ! ")
        try await withHost(config, in: place, plugins: ThirdParty.plugins()) { host in
            let scene = Scene(host: host, place: place)
            try await host.log.next(containing: "pipeline player: playing")
            try await host.becomes("audio")
            let before = Self.numbers(place)
            for _ in 0..<2 {
                let heard = Self.heard(Self.lines(place))
                try await host.log.next(containing: "Failed after iterations as requested")
                try await host.log.next(containing: "pipeline player: playing")
                try await scene.plays()
                #expect(Self.heard(Self.lines(place)) > heard)
            }
            #expect(Self.numbers(place) == before)
            let asked = Self.heard(Self.lines(place))
            try await host.becomes("video")
            try await scene.shows()
            let last = try #require(Self.numbers(place).last)
            #expect(last * Self.pictureTime > asked - Self.pictureTime - Self.soundTime)
            // With its pictures it begins anew in the same way.
            for _ in 0..<2 {
                try await host.log.next(containing: "Failed after iterations as requested")
                try await host.log.next(containing: "pipeline player: playing")
                try await scene.shows()
            }
            let numbers = Self.numbers(place)
            #expect(numbers.count > before.count + 12)
            for (number, next) in zip(numbers, numbers.dropFirst()) {
                #expect(next > number - Self.group, "\(next) behind \(number)")
            }
        }
    }

    private static func numbers(_ place: Workplace) -> [Int] {
        lines(place).compactMap { if case .picture(let number, _) = $0 { number } else { nil } }
    }

    /// The time of the last sound.
    private static func heard(_ lines: [Line]) -> Int {
        lines.reversed().lazy.compactMap { if case .sound(_, _, let pts) = $0 { pts } else { nil } }.first ?? 0
    }

    /// From the first sample on each is the one before and 1.
    private func checkSound(_ lines: [Line]) throws {
        var next = 0
        for line in lines {
            switch line {
            case .picture: continue
            case .torn(let pts): Issue.record("sound at \(pts) is torn")
            case .sound(let first, let count, let pts):
                #expect(first == next % 65_536, "sound at \(pts): a hole of \(first - next % 65_536) samples")
                next = next - next % 65_536 + first + count
            }
        }
        #expect(next > Self.rate)
    }

    /// Each picture has the number of its time, and none comes twice. Behind each return one may be seen at once that is over: the
    /// last key picture, or the one behind that which was hidden. Then comes one that is due, and none is missing from there on.
    private func checkPictures(_ lines: [Line], _ asked: [Int]) {
        var last = -1
        var heard = 0
        // What was heard when pictures were asked for, and how many have come since.
        var wanted = 0
        var back = Int.max
        for (place, line) in lines.enumerated() {
            if asked.contains(place) { (wanted, back) = (heard, 0) }
            if case .sound(_, _, let pts) = line { heard = pts }
            guard case .picture(let number, let pts) = line else { continue }
            #expect(abs(pts - number * Self.pictureTime) <= 1_000_000, "picture \(number) at \(pts)")
            #expect(number > last, "picture \(number) behind \(last)")
            // Sound has come before it is due, by one buffer.
            let isOver = pts < wanted - Self.pictureTime - Self.soundTime
            switch back {
            case 0:
                #expect(
                    !isOver || number == last + 1 || number % Self.group == 0,
                    "\(number) behind \(last) at \(wanted)")
            case 1: #expect(!isOver, "\(last) and \(number) at \(wanted)")
            default: #expect(number == last + 1)
            }
            if back < Int.max { back += 1 }
            last = number
        }
        #expect(back < Int.max && back > 2)
    }
}
