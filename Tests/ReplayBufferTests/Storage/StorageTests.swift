import Foundation
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// The plugin on a ring that outlives its process, one instance after the other.
@Suite struct StorageTests {
    /// Ten frames a second, a key frame each second, and sound; of a host whose media time begins with 0.
    private static func record(_ instance: FakeInstance, seconds: Int64, from start: Int64 = 0) throws {
        let tap = try instance.tap("cam/v.src")
        let sound = try? instance.tap("cam/a.src")
        tap.startEpoch(1)
        tap.setFormat("video/x-vp8, width=(int)16, height=(int)16, framerate=(fraction)10/1")
        sound?.startEpoch(1)
        sound?.setFormat("audio/x-opus, rate=(int)48000, channels=(int)1, channel-mapping-family=(int)0")
        for number in 0..<seconds * 10 {
            let time = start + number * second / 10
            tap.push([1, 2, 3, UInt8(number % 200)], pts: time, duration: second / 10, isDelta: number % 10 != 0)
            sound?.push([4, 5], pts: time, duration: second / 10)
        }
    }

    @Test(arguments: ["disk", "memfd"])
    func theNextInstanceGoesOnWhereTheLastOneEnded(storage: String) throws {
        let house = try StorageHouse()
        let first = try house.instance(storage)
        try Self.record(first, seconds: 5)
        _ = try first.ask("mark", ["name": "goal", "delay": "2s"])
        let before = try first.ask("position")
        first.end()

        let second = try house.instance(storage, at: 130 * ReplayBufferTests.second)
        // Before anything comes: all of it is there, and stands.
        let position = try second.ask("position")
        #expect(position["held"]?.bool == true)
        #expect(position["now"]?.int == 5_000_000_000)
        #expect(position["oldest"]?.int == 0 && position["next_start"]?.int == 5_000_000_000)
        #expect(position["segments"] == before["segments"])
        #expect(position["markers"] == before["markers"])
        #expect(try second.ask("status")["frames"]?.int == 100)
        #expect(second.fake.seen.log == ["goes on with 100 frames of a former run, 5s"])
        let clip = house.directory + "/clip.mkv"
        #expect(try second.ask("save", ["to": .string(clip)])["frames"]?.int == 50)

        // Its media time begins with 0 again; the ring's goes on.
        try Self.record(second, seconds: 3)
        let after = try second.ask("position")
        #expect(after["next_start"]?.int == 8_000_000_000)
        #expect(after["epoch"]?.int == 2)
        #expect(after["segment_index"]?.int == 8)
        #expect(after["gaps"] == [])
        let segments = try #require(after["segments"]?.list)
        #expect(segments.map { $0["index"]?.int } == (0..<8).map { Int64($0) })
        #expect(segments.map { $0["epoch"]?.int } == [1, 1, 1, 1, 1, 2, 2, 2])
        let saved = try second.ask("save", ["to": .string(house.directory + "/both.mkv")])
        #expect(saved["frames"]?.int == 80 && saved["audio_frames"]?.int == 80)
        #expect(saved["first_pts"]?.int == 0 && saved["end"]?.int == 8_000_000_000)

        // Emptied: the next one finds nothing.
        _ = try second.ask("reset")
        second.end()
        let third = try house.instance(storage)
        #expect(try third.ask("status")["frames"]?.int == 0)
        #expect(try third.ask("position")["markers"] == [])
        third.end()
    }

    @Test func inMemoryNothingIsKept() throws {
        let house = try StorageHouse()
        let first = try house.instance("memory")
        try Self.record(first, seconds: 2)
        first.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.directory) == [])
        #expect(house.files.names == [])
        let second = try house.instance("memory")
        #expect(try second.ask("status")["frames"]?.int == 0)
        second.end()
    }

    @Test func aRunThatWasThereBeforeIsPutBehind() throws {
        let house = try StorageHouse()
        let first = try house.instance("disk")
        try Self.record(first, seconds: 5)
        first.end()
        // The instance is new, the pipeline is not: its media time is far on.
        let second = try house.instance("disk")
        try Self.record(second, seconds: 2, from: 3600 * ReplayBufferTests.second)
        #expect(try second.ask("position")["next_start"]?.int == 7_000_000_000)
        second.end()
    }

    @Test(arguments: ["disk", "memfd"])
    func theFileIsOneHosts(storage: String) throws {
        let house = try StorageHouse()
        let first = try house.instance(storage)
        let error = #expect(throws: FakeInstance.Broken.self) { try house.instance(storage) }
        let what = storage == "disk" ? "\(house.directory)/ring" : "what is kept in memory"
        #expect(
            error?.description
                == "\(what) is in use by another process; end it, or give this instance another name or host a state directory "
                + "of its own")
        try Self.record(first, seconds: 1)
        #expect(try first.ask("status")["frames"]?.int == 20)
        first.end()
    }

    @Test func otherSizesAndPadsBeginAnew() throws {
        let house = try StorageHouse()
        func expect(_ config: Value, _ remark: String) throws {
            let instance = try house.instance("disk", config)
            #expect(instance.fake.seen.log == ["what was kept in \(house.directory)/ring is given up: \(remark)"])
            #expect(try instance.ask("status")["frames"]?.int == 0)
            try Self.record(instance, seconds: 2)
            instance.end()
        }
        let first = try house.instance("disk")
        try Self.record(first, seconds: 2)
        first.end()
        try expect(["size": "8MiB"], "size was 4MiB and is 8MiB now")
        try expect(["size": "8MiB", "audio": []], "it was of cam/v.src, cam/a.src and is to be of cam/v.src")
        // A smaller window is no reason: what is older goes.
        let last = try house.instance("disk", ["size": "8MiB", "audio": [], "window": "1s"])
        #expect(try last.ask("status")["frames"]?.int == 10)
        #expect(try last.ask("position")["oldest"]?.int == 1_000_000_000)
        last.end()
    }

    @Test func whatIsNoBufferIsSetAside() throws {
        let house = try StorageHouse()
        let path = house.directory + "/ring"
        try Data("something else".utf8).write(to: URL(fileURLWithPath: path))
        let instance = try house.instance("disk")
        #expect(
            instance.fake.seen.log == [
                "\(path) cannot be used: it is too short; it is \(path).set-aside now, and a new one begins"
            ])
        #expect(try String(contentsOfFile: path + ".set-aside", encoding: .utf8) == "something else")
        instance.end()
    }

    @Test func whereNobodyHoldsFilesMemfdSaysWhatIsMissing() throws {
        let fake = FakeHost()
        let error = #expect(throws: FakeInstance.Broken.self) {
            try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: ["video": "cam/v.src", "storage": "memfd"], in: fake)
        }
        #expect(
            error?.description
                == "storage: memfd needs somebody who holds it when this process is killed: systemd (a unit as "
                + "packaging/systemd/mediahost.service), or a keeper process, for whose socket XDG_RUNTIME_DIR is to name a "
                + "directory; or use storage: disk")
    }

    @Test func whoKeepsItElsewhereLetsGoOfIt() throws {
        let house = try StorageHouse()
        let first = try house.instance("memfd")
        #expect(house.files.names == ["ring"])
        first.end()
        let second = try house.instance("disk")
        #expect(house.files.names == [])
        second.end()
    }

    @Test func aDiskWithoutRoomIsSaidAtTheStart() throws {
        let house = try StorageHouse()
        let error = #expect(throws: FakeInstance.Broken.self) { try house.instance("disk", ["size": "60000GiB"]) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("there is no room for \(house.directory)/ring, 60000GiB: "), "\(text)")
        #expect(text.hasSuffix("; free some, or give size a smaller size"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.directory) == [])
    }
}
