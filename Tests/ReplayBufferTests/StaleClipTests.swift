import Foundation
import Glibc
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// What a killed process leaves of its clips goes, and nothing else does.
@Suite struct StaleClipTests {
    private let directory = NSTemporaryDirectory() + "stale-\(UUID().uuidString)"

    private func names(_ path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }

    @Test func onlyOwnFilesThatNobodyWritesGo() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let stale = [".a.mp4.4711-1.part", ".a b.c.mkv.1-99.part", ".x.\(getpid())-77.part"]
        let others = ["a.mp4", ".a.mp4.part", ".a.mp4.12.part", ".a.mp4.x-1.part", "a.4711-1.part", ".a.mp4.1-2.party"]
        for name in stale + others { try Data([1]).write(to: URL(fileURLWithPath: "\(directory)/\(name)")) }
        // One of another that is just being written, a directory, and a link.
        let file = try ClipFile(path: "\(directory)/b.mkv", overwrite: false)
        try FileManager.default.createDirectory(
            atPath: "\(directory)/.d.1-1.part", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory)/.l.1-1.part", withDestinationPath: "\(directory)/a.mp4")
        let writing = try #require(try names(directory).first { $0.hasPrefix(".b.mkv.") })
        #expect(StaleClips.remove(from: directory) == stale.count)
        #expect(try Set(names(directory)) == Set(others + [writing, ".d.1-1.part", ".l.1-1.part"]))
        try file.commit()
        #expect(try names(directory).contains("b.mkv") && !names(directory).contains(writing))
        #expect(StaleClips.remove(from: directory + "/none") == 0)
    }

    private func running(_ state: String?) throws -> FakeInstance {
        let fake = FakeHost()
        fake.setStateDirectory(state)
        return try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: ["video": "cam/v.src"], in: fake)
    }

    @Test(arguments: [true, false])
    func whatAFormerRunLeftGoesAtStartUpOrWithTheNextClip(hasState: Bool) throws {
        let (state, clips) = (directory + "/state", directory + "/clips")
        for path in [state, clips] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let left = "\(clips)/.old.mkv.4711-3.part"
        for run in 0..<3 {
            let instance = try running(hasState ? state : nil)
            instance.settle()
            let isThere = FileManager.default.fileExists(atPath: left)
            #expect(isThere == (run > 0 && !hasState))
            let tap = try instance.tap("cam/v.src")
            tap.startEpoch(1)
            tap.setFormat("video/x-vp8, width=(int)16, height=(int)16")
            tap.push([1, 2, 3], pts: 0, duration: second)
            _ = try instance.ask("save", ["to": .string("\(clips)/\(run).mkv")])
            #expect(!FileManager.default.fileExists(atPath: left))
            #expect(
                instance.fake.seen.log
                    == (run > 0 ? ["removed 1 unfinished clip that a former run left behind"] : []))
            instance.end()
            try Data([1]).write(to: URL(fileURLWithPath: left))
        }
    }
}
