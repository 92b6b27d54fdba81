import Foundation
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// The whole plugin through its C tables, with a real encoder before it and real muxers behind.
@Suite struct SaveTests {
    private let directory = URL(fileURLWithPath: NSTemporaryDirectory())
        .appendingPathComponent("replay-\(UUID().uuidString)").path

    private func running(_ config: Value = ["video": "cam/encoded.src"]) throws -> (FakeInstance, FakeTap) {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let instance = try FakeInstance(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self))
        #expect(instance.start(config) == 0)
        #expect(instance.activate() == 0)
        let tap = try #require(instance.fake.seen.taps.first)
        #expect(tap.pad == "cam/encoded.src")
        return (instance, tap)
    }

    private func finish(_ instance: FakeInstance, _ tap: FakeTap) {
        instance.deactivate()
        tap.detach()
        instance.destroy()
        #expect(
            (try? FileManager.default.contentsOfDirectory(atPath: directory))?.contains { $0.hasPrefix(".") } != true)
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func save(_ instance: FakeInstance, _ token: mh_token, _ parameters: Value) throws -> Value? {
        try instance.call("save", token: token, parameters)
        instance.fake.runWork()
        return instance.fake.seen.results[token]?.first
    }

    @Test(arguments: [".mkv", ".mp4", ".ts"])
    func clipHasTheFramesAndExactSteps(_ suffix: String) throws {
        let (instance, tap) = try running()
        let stream = try EncodedStream.h264(frames: 150)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        stream.feed(tap, offset: 7 * second)
        tap.endOfStream()
        let path = "\(directory)/clip \"one\"\(suffix)"
        let result = try #require(try save(instance, 1, ["last": .int(second), "to": .string(path)]))
        // Half-second GOPs: the last second is exactly two of them.
        #expect(result["frames"]?.int == 30)
        #expect(result["key_frames"]?.int == 2)
        #expect(result["first_pts"]?.int == 11 * second)
        #expect(result["complete"]?.bool == true)
        let duration = try #require(result["duration"]?.int)
        #expect(abs(duration - second) < 1_000_000)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(result["bytes"]?.int == size.map { Int64($0) })
        let simple = "\(directory)/clip\(suffix)"
        try FileManager.default.moveItem(atPath: path, toPath: simple)
        let clip = try EncodedStream.clip(simple)
        #expect(clip.units.count == 30)
        #expect(clip.units.first?.isDelta == false)
        let times = clip.units.map(\.pts).sorted()
        if suffix != ".ts" { #expect(times.first == 0) }
        for (number, time) in times.enumerated() {
            #expect(abs(time - times[0] - Int64(number) * second / 30) < 1_500_000, "\(suffix) frame \(number)")
        }
        #expect(try EncodedStream.pictures(simple).units.count == 30)
        finish(instance, tap)
    }

    @Test func clipAcrossAPauseStepsOneFrame() throws {
        let (instance, tap) = try running()
        let stream = try EncodedStream.h264(frames: 60)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        stream.feed(tap)
        tap.endOfStream()
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 5, state: 1)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_PAUSE), token: 0, state: 1)
        #expect(instance.fake.seen.acknowledgements == [5: [0]])
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 6)
        // The host's media time: the next run begins where the last one ended.
        tap.startEpoch(2, offset: 2 * second)
        tap.setFormat(stream.caps)
        stream.feed(tap, offset: 2 * second)
        let path = "\(directory)/over.mkv"
        let result = try #require(try save(instance, 1, ["last": .int(3 * second), "to": .string(path)]))
        #expect(result["frames"]?.int == 90)
        #expect(result["complete"]?.bool == true)
        let times = try EncodedStream.clip(path).units.map(\.pts).sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - second / 30) < 1_500_000 })
        #expect(try EncodedStream.pictures(path).units.count == 90)
        finish(instance, tap)
    }

    /// A place where no file can be was taken for a broken disk: `save` to a file below a file answered 500, as if the host had failed.
    @Test func aPlaceWhereNoFileCanBeIsTheCallersMistake() throws {
        let (instance, tap) = try running()
        let stream = try EncodedStream.h264(frames: 60)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        stream.feed(tap)
        try Data().write(to: URL(fileURLWithPath: "\(directory)/file"))
        try FileManager.default.createDirectory(atPath: "\(directory)/folder.mkv", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/loop", withDestinationPath: "loop")
        let invalid = mh_status(MH_E_INVALID)
        let places: [(String, Value, mh_status)] = [
            ("file/clip.mkv", false, invalid), ("loop/clip.mkv", false, invalid), ("folder.mkv", true, invalid),
            (String(repeating: "x", count: 300) + ".mkv", false, invalid),
            ("nowhere/clip.mkv", false, mh_status(MH_E_NOT_FOUND)),
        ]
        for (number, (name, overwrite, status)) in places.enumerated() {
            let token = mh_token(number + 1)
            let result = try save(instance, token, ["to": .string("\(directory)/\(name)"), "overwrite": overwrite])
            let seen = instance.fake.seen
            #expect(result == nil && seen.rejectionStatus[token] == status, "\(name): \(seen.rejections[token] ?? [])")
            #expect(seen.rejectionParameters[token] == "to", "\(name)")
        }
        finish(instance, tap)
    }

    @Test(arguments: [".mkv", ".mp4"])
    func closedGapsLoseNoReorderedPicture(_ suffix: String) throws {
        let (instance, tap) = try running()
        let stream = try NumberedPictures.h264(100, gop: 50, bFrames: 3)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        // Nothing for 4 s in the middle of a GOP.
        let (after, length) = (70 * NumberedPictures.step, 4 * second)
        for unit in stream.units {
            tap.push(
                unit.bytes, pts: unit.pts + (unit.pts >= after ? length : 0),
                dts: unit.dts.map { $0 + ($0 >= after ? length : 0) } ?? .min, duration: NumberedPictures.step,
                isDelta: unit.isDelta)
        }
        let path = "\(directory)/closed\(suffix)"
        let result = try #require(try save(instance, 1, ["to": .string(path), "gaps": "close"]))
        #expect(result["frames"]?.int == 100 && result["duration"]?.int == 5 * second)
        #expect(try NumberedPictures.numbers(path) == Array(0..<100))
        let times = try EncodedStream.clip(path).units.map(\.pts).sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - NumberedPictures.step) < 1_500_000 })
        finish(instance, tap)
    }

    @Test func refusalsSayWhatToDoAndLeaveNothing() throws {
        let (instance, tap) = try running()
        let empty = "\(directory)/clip.mkv"
        #expect(try save(instance, 1, ["to": .string(empty)]) == nil)
        let stream = try EncodedStream.h264(frames: 30)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        stream.feed(tap)
        #expect(try save(instance, 2, ["to": "/tmp/clip.avi"]) == nil)
        #expect(try save(instance, 3, ["to": .string("\(directory)/no/clip.mkv")]) == nil)
        #expect(try save(instance, 4, ["to": .string(empty)]) != nil)
        #expect(try save(instance, 5, ["to": .string(empty)]) == nil)
        #expect(try save(instance, 6, ["to": .string(empty), "overwrite": true]) != nil)
        #expect(try save(instance, 7, [:]) == nil)
        #expect(try save(instance, 8, ["to": "/dev/full/x.mkv"]) == nil)
        let texts = instance.fake.seen.rejections.mapValues { $0.joined() }
        #expect(texts[1] == "cannot save \(empty): the buffer is empty; nothing has come from cam/encoded.src yet")
        #expect(texts[2] == "cannot save /tmp/clip.avi: the name must end in one of .mkv, .mp4, .ts")
        #expect(
            texts[3]
                == "cannot save \(directory)/no/clip.mkv: the directory \(directory)/no does not exist; make it, or save elsewhere"
        )
        #expect(texts[5] == "cannot save \(empty): it exists; choose another name or pass overwrite=true")
        #expect(texts[7] == #""to" is missing"#)
        #expect(texts[8]?.contains("Not a directory") == true)
        finish(instance, tap)
    }

    @Test func unknownCapsAreNamed() throws {
        let (instance, tap) = try running()
        tap.startEpoch(1)
        tap.setFormat("video/x-theora, width=(int)16")
        tap.push([1], pts: 0)
        #expect(try save(instance, 1, ["to": .string("\(directory)/a.mkv")]) == nil)
        #expect(
            instance.fake.seen.rejections[1]?.first?.hasPrefix("cannot save a clip of video/x-theora; known") == true)
        tap.setFormat("video/x-vp8, width=(int)16")
        tap.push([1], pts: second)
        #expect(try save(instance, 2, ["to": .string("\(directory)/a.mp4")]) == nil)
        #expect(instance.fake.seen.rejections[2] == [".mp4 cannot hold video/x-vp8; save to .mkv"])
        finish(instance, tap)
    }

    @Test func aDamagedStreamFailsTheSaveAndLeavesNoFile() throws {
        let (instance, tap) = try running()
        tap.startEpoch(1)
        tap.setFormat("video/x-h264, stream-format=(string)byte-stream, alignment=(string)au")
        for number in 0..<10 { tap.push([9, 9, 9, 9], pts: Int64(number) * second, isDelta: number > 0) }
        let path = "\(directory)/bad.mp4"
        #expect(try save(instance, 1, ["to": .string(path)]) == nil)
        #expect(instance.fake.seen.rejections[1]?.first?.hasPrefix("writing the clip failed") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
        finish(instance, tap)
    }

    @Test func statusTellsWhatIsKeptAndLossIsLoggedOnce() throws {
        let (instance, tap) = try running(["video": "cam/encoded.src", "memory": 1_048_576, "window": .int(2 * second)])
        tap.startEpoch(1)
        tap.setFormat("video/x-h264")
        tap.push([1], pts: 0, isDelta: true)
        for number in 0..<50 {
            tap.push(
                [UInt8](repeating: 7, count: 1000), pts: Int64(number) * second / 10, duration: second / 10,
                isDelta: number % 10 != 0)
        }
        try instance.call("status", token: 1)
        let status = try #require(instance.fake.seen.results[1]?.first)
        #expect(status["gops"]?.int == 2)
        #expect(status["frames"]?.int == 20)
        #expect(status["bytes"]?.int == 20_000)
        #expect(status["duration"]?.int == 2 * second)
        #expect(status["newest"]?.int == 5 * second)
        #expect(status["dropped"]?["before_key_frame"]?.int == 1)
        let large = [UInt8](repeating: 7, count: 2_000_000)
        for number in 50..<60 { tap.push(large, pts: Int64(number) * second / 10, isDelta: number % 2 == 1) }
        #expect(instance.fake.seen.mainRequests >= 1)
        instance.callMain()
        instance.callMain()
        #expect(instance.fake.seen.log.count == 1)
        #expect(instance.fake.seen.log.first?.contains("needs more than memory=1MiB,") == true)
        finish(instance, tap)
    }

    @Test func aLossIsToldAgainAfterAMinute() throws {
        let (instance, tap) = try running(["video": "cam/encoded.src", "memory": 1_048_576])
        tap.startEpoch(1)
        tap.setFormat("video/x-h264")
        var number = Int64(0)
        func lose() throws {
            tap.push([UInt8](repeating: 7, count: 2_000_000), pts: number * second, duration: second)
            number += 1
            instance.settle()
        }
        func told() -> Int { instance.fake.seen.posted.count { $0.name == "org.mediahost.replay-buffer.lost" } }
        for _ in 0..<10 {
            try lose()
            try instance.advance(by: .seconds(5))
        }
        #expect(told() == 1 && instance.fake.seen.log.count == 1)
        try instance.advance(by: .seconds(20))
        #expect(told() == 2)
        // Nothing more was lost since.
        try instance.advance(by: .seconds(600))
        #expect(told() == 2)
        try lose()
        #expect(told() == 3 && instance.fake.seen.log.count == 3)
        finish(instance, tap)
    }

    @Test func configIsChecked() throws {
        let cases: [(Value, String)] = [
            ([:], #""video" is missing"#),
            (["video": "a/b.src", "window": 0], #""window" must be at least 1ns, not 0s"#),
            (["video": "a/b.src", "memory": 1000], #""memory" must be at least 1MiB, not 1kB"#),
        ]
        for (config, text) in cases {
            let instance = try FakeInstance(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self))
            #expect(instance.start(config) == mh_status(MH_E_INVALID))
            #expect(instance.fake.seen.log == [text])
            instance.destroy()
        }
    }
}
