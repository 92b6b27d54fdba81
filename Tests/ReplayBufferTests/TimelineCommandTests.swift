import Foundation
import HostCore
import HostTestKit
import PluginABI
import PluginKit
import Testing

@testable import ReplayBuffer

/// Position, markers, triggers and ranges through the plugin's C tables.
@Suite struct TimelineCommandTests {
    private let directory = URL(fileURLWithPath: NSTemporaryDirectory())
        .appendingPathComponent("timeline-\(UUID().uuidString)").path
    private static let step = NumberedPictures.step

    private func running(_ config: Value = ["video": "cam/v.src"]) throws -> (FakeInstance, FakeTap) {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let fake = FakeHost()
        fake.setNow(1000 * second)
        let instance = try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self), config: config,
            in: fake)
        let tap = try instance.tap("cam/v.src")
        tap.startEpoch(1)
        tap.setFormat(try Self.stream.caps)
        return (instance, tap)
    }

    private static var stream: EncodedStream { get throws { try NumberedPictures.h264(60, gop: 10, bFrames: 0) } }

    /// Frames as they come: the clock goes on with each.
    private func feed(
        _ instance: FakeInstance, _ tap: FakeTap, _ units: [EncodedStream.Unit], offset: Int64 = 0
    ) throws {
        for unit in units {
            tap.push(
                unit.bytes, pts: unit.pts + offset, duration: Self.step, isDelta: unit.isDelta)
            try instance.advance(by: .nanoseconds(Self.step))
        }
    }

    private func end(_ instance: FakeInstance) {
        instance.end()
        #expect(
            (try? FileManager.default.contentsOfDirectory(atPath: directory))?.allSatisfy { !$0.hasPrefix(".") }
                != false)
        try? FileManager.default.removeItem(atPath: directory)
    }

    @Test func positionOverAPauseIsBitIdentical() throws {
        let (instance, tap) = try running()
        let units = try Self.stream.units
        try feed(instance, tap, units)
        _ = try instance.ask("seek", ["delay": "500ms"])
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 5, state: 1)
        tap.endOfStream()
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_PAUSE), token: 0, state: 1)
        let before = try instance.ask("position")
        #expect(before["delay"]?.int == second / 2 && before["viewer"] == "held" && before["held"] == true)
        for _ in 0..<5 {
            try instance.advance(by: .seconds(1))
            let now = try instance.ask("position")
            for key in ["now", "delay", "position", "next_start", "segment_index", "scrub"] {
                #expect(now[key] == before[key], "\(key)")
            }
        }
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 6)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_RESUME), token: 0)
        #expect(try instance.ask("position")["delay"] == before["delay"])
        tap.startEpoch(2, offset: 3 * second)
        tap.setFormat(try Self.stream.caps)
        try feed(instance, tap, units, offset: 3 * second)
        let after = try instance.ask("position")
        #expect(after["delay"]?.int == second / 2 && after["viewer"] == "playing" && after["held"] == false)
        #expect(after["epoch"]?.int == 2 && after["segment_index"]?.int == 6)
        #expect(after["segments"]?.list?.map { $0["epoch"]?.int } == [1, 1, 1, 2, 2, 2])
        #expect(after["gaps"]?.list == [])
        end(instance)
    }

    @Test func aSourceThatIsStoppedAloneHoldsThePosition() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        _ = try instance.ask("seek", ["delay": "1s"])
        instance.deliver(FakeEvent(name: "pipeline.state", payload: ["state": "stopped"]), from: "other")
        #expect(try instance.ask("position")["held"] == false)
        instance.deliver(FakeEvent(name: "pipeline.state", payload: ["state": "stopped"]), from: "cam")
        let before = try instance.ask("position")
        try instance.advance(by: .seconds(60))
        let after = try instance.ask("position")
        #expect(after["held"] == true && after["delay"] == before["delay"] && after["now"] == before["now"])
        end(instance)
    }

    @Test func markersNamePlacesAndClipsBeginThere() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        #expect(try instance.ask("mark", ["name": "goal", "delay": "1s"])["time"]?.int == 2 * second)
        #expect(try instance.ask("mark")["name"] == "2")
        #expect(
            instance.fake.seen.posted.map(\.name) == [
                "org.mediahost.replay-buffer.marked", "org.mediahost.replay-buffer.marked",
            ])
        let clip = try instance.ask("save", ["marker": "goal", "to": .string("\(directory)/goal.mkv")])
        #expect(clip["first_pts"]?.int == 2 * second && clip["frames"]?.int == 20)
        #expect(try NumberedPictures.numbers("\(directory)/goal.mkv") == Array(40..<60))
        _ = try instance.ask("unmark", ["marker": "1"])
        #expect(try instance.ask("position")["markers"]?.list?.map { $0["name"] } == ["2"])
        #expect(throws: FakeInstance.Broken.self) { try instance.ask("mark", ["at": "9s"]) }
        #expect(throws: FakeInstance.Broken.self) { try instance.ask("seek", ["marker": "goal"]) }
        _ = try instance.ask("reset")
        #expect(try instance.ask("position")["markers"]?.list == [])
        end(instance)
    }

    /// A pipeline that is paused and not stopped goes on in the same epoch.
    @Test func restoredGapsHaveThePauseOfAPipelineThatWasPaused() throws {
        let (instance, tap) = try running()
        let units = try Self.stream.units
        try feed(instance, tap, Array(units[..<35]))
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 5, state: 1)
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_PAUSE), token: 0, state: 1)
        try instance.advance(by: .seconds(4))
        try instance.suspend(for: .seconds(3))
        try instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 6)
        _ = try instance.ask("play")
        try feed(instance, tap, Array(units[35...]))
        let path = "\(directory)/a.mkv"
        let clip = try instance.ask("save", ["gaps": "restore", "to": .string(path)])
        #expect(clip["duration"]?.int == 10 * second)
        let times = try EncodedStream.clip(path).units.map(\.pts)
        #expect(times.count == 60 && times[35] - times[34] == 7 * second + Self.step)
        let kept = try instance.ask("save", ["to": .string("\(directory)/b.mkv")])
        #expect(kept["duration"]?.int == 3 * second)
        end(instance)
    }

    @Test func aTriggerHasWhatWasBeforeAndWhatComesAfter() throws {
        let (instance, tap) = try running()
        let units = try Self.stream.units
        try feed(instance, tap, units)
        let path = "\(directory)/event.mp4"
        try instance.call(
            "trigger", token: 1,
            ["pre": .int(second), "post": .int(second / 2), "to": .string(path), "overwrite": false, "gaps": "keep"])
        instance.settle()
        #expect(try instance.ask("status")["waiting"]?.int == 1)
        #expect(instance.fake.seen.results[1] == nil)
        try feed(instance, tap, Array(units[..<9]), offset: 3 * second)
        instance.settle()
        #expect(instance.fake.seen.results[1] == nil)
        try feed(instance, tap, [units[9]], offset: 3 * second)
        instance.settle()
        let clip = try #require(instance.fake.seen.results[1]?.first)
        #expect(clip["complete"] == true && clip["frames"]?.int == 30 && clip["first_pts"]?.int == 2 * second)
        #expect(try NumberedPictures.numbers(path) == Array(40..<60) + Array(0..<10))
        end(instance)
    }

    /// The host ends a command that says nothing for 120 s.
    @Test func aLongPostRollGivesSignsOfLife() throws {
        let (instance, tap) = try running(["video": "cam/v.src", "window": "10min"])
        let units = try Self.stream.units
        try feed(instance, tap, units)
        try instance.call("trigger", token: 1, ["post": .int(300 * second), "to": .string("\(directory)/a.mkv")])
        for _ in 0..<24 { try instance.advance(by: .seconds(5)) }
        #expect((instance.fake.seen.progress[1]?.count ?? 0) >= 12)
        end(instance)
        #expect(instance.fake.seen.rejections[1]?.first?.contains("the instance ends") == true)
    }

    @Test func aTriggerThatIsCancelledGivesItsPlaceBack() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        func trigger(_ token: UInt64) throws {
            try instance.call(
                "trigger", token: token, ["post": .int(9 * second), "to": .string("\(directory)/\(token).mkv")])
        }
        for token in 1...UInt64(PinSet.limit) { try trigger(token) }
        try trigger(90)
        #expect(instance.fake.seen.rejections[90]?.first?.contains("triggers are waiting") == true)
        try instance.table(MH_EXT_COMMANDS, as: mh_commands_plugin_1.self).pointee.cancel?(instance.plugin, 3)
        try trigger(91)
        #expect(instance.fake.seen.rejections[91] == nil)
        #expect(instance.fake.seen.rejections[3]?.first?.contains("was cancelled") == true)
        #expect(try instance.ask("status")["waiting"]?.int == Int64(PinSet.limit))
        end(instance)
        #expect(instance.fake.seen.rejections.count == PinSet.limit + 2)
    }

    @Test func aTriggerThatThePipelineEndsUnderHasWhatThereIs() throws {
        let (instance, tap) = try running()
        let units = try Self.stream.units
        try feed(instance, tap, units)
        try instance.call("trigger", token: 1, ["post": .int(9 * second), "to": .string("\(directory)/a.mkv")])
        try instance.call("trigger", token: 2, ["post": .int(90 * second), "to": .string("\(directory)/b.mkv")])
        tap.endOfStream()
        instance.settle()
        let clip = try #require(instance.fake.seen.results[1]?.first)
        #expect(clip["complete"] == false && clip["frames"]?.int == 60)
        #expect(instance.fake.seen.rejections[2]?.first?.contains("longer than window=60s") == true)
        end(instance)
    }

    @Test func clipsThatMayNotOverlapFollowEachOther() throws {
        let (instance, tap) = try running()
        let units = try Self.stream.units
        try feed(instance, tap, Array(units[..<45]))
        let first = try instance.ask("save", ["no-overlap": true, "to": .string("\(directory)/1.mkv")])
        #expect(first["frames"]?.int == 45)
        #expect(throws: FakeInstance.Broken.self) {
            try instance.ask("save", ["no-overlap": true, "to": .string("\(directory)/2.mkv")])
        }
        try feed(instance, tap, Array(units[45...]))
        let second = try instance.ask("save", ["no-overlap": true, "to": .string("\(directory)/2.mkv")])
        #expect(second["frames"]?.int == 10 && second["complete"] == true)
        #expect(try NumberedPictures.numbers("\(directory)/2.mkv") == Array(50..<60))
        end(instance)
    }

    @Test func aClipThatFailedIsNotTakenForSaved() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        #expect(throws: FakeInstance.Broken.self) {
            try instance.ask("save", ["no-overlap": true, "to": .string("\(directory)/none/1.mkv")])
        }
        // While one is written the next one begins behind it.
        try instance.call("save", token: 1, ["no-overlap": true, "to": .string("\(directory)/1.mkv")])
        try instance.call("save", token: 2, ["no-overlap": true, "to": .string("\(directory)/2.mkv")])
        instance.settle()
        #expect(instance.fake.seen.results[1]?.first?["frames"]?.int == 60)
        #expect(instance.fake.seen.rejections[2]?.first?.contains("nothing has begun since") == true)
        end(instance)
    }

    @Test func whatDoesNotGoTogetherIsRefused() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        let path = Value.string("\(directory)/x.mkv")
        let cases: [(Value, String)] = [
            (["last": "1s", "marker": "a", "to": path], "give one of last, from and marker"),
            (["until": "1s", "to": path], "until goes with from or marker"),
            (["from": "1s", "until": "1s", "to": path], "must be after the beginning"),
            (["marker": "a", "to": path], #"there is no marker "a""#),
            (["from": "9s", "to": path], "the buffer has"),
        ]
        for (parameters, text) in cases {
            let error = #expect(throws: FakeInstance.Broken.self) { try instance.ask("save", parameters) }
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
        end(instance)
    }

    /// Numbers that have no sum end no process.
    @Test func numbersBeyondAllTimeAreRefused() throws {
        let most = Value.string("\(Int64.max)ns")
        let (instance, tap) = try running(["video": "cam/v.src", "window": most])
        try feed(instance, tap, try Self.stream.units)
        let path = "\(directory)/x.mkv"
        func refused(_ command: String, _ parameters: Value, _ text: String) {
            let error = #expect(throws: FakeInstance.Broken.self) { try instance.ask(command, parameters) }
            #expect(error?.description.contains(text) == true, "\(command): \(error?.description ?? "")")
        }
        refused("trigger", ["pre": "0s", "post": most, "to": .string(path)], "beyond the end of all time")
        refused("seek", ["delay": most], "the buffer has 0s to 3s")
        refused("play", ["at": most], "the buffer has 0s to 3s")
        refused("mark", ["delay": most], "the buffer has 0s to 3s")
        refused("save", ["from": most, "to": .string(path)], "the buffer has 0s to 3s")
        let all = try instance.ask("save", ["from": "0s", "until": most, "to": .string(path)])
        #expect(all["frames"]?.int == 60 && all["complete"] == false)
        refused(
            "save", ["last": most, "no-overlap": true, "to": .string("\(directory)/y.mkv")], "has begun since")
        end(instance)
    }

    @Test func soundOfAnotherPipelineIsRefused() throws {
        let cases: [(Value, String)] = [
            (["mic/a.src"], "mic/a.src is not of pipeline cam"), (["cam/v.src"], "cam/v.src is named twice"),
            (["cam/a.src", "cam/a.src"], "cam/a.src is named twice"),
        ]
        for (audio, text) in cases {
            let error = #expect(throws: FakeInstance.Broken.self) {
                try FakeInstance.running(
                    ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                    config: ["video": "cam/v.src", "audio": audio])
            }
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
    }

    @Test func numbersAreMetrics() throws {
        let (instance, tap) = try running()
        try feed(instance, tap, try Self.stream.units)
        _ = try instance.ask("save", ["to": .string("\(directory)/x.mkv")])
        try instance.advance(by: .seconds(11))
        let metrics = instance.fake.metrics
        #expect(metrics["frames"] == 60 && metrics["kept_seconds"] == 3)
        #expect(metrics[#"clips_total{result="saved"}"#] == 1)
        end(instance)
    }
}
