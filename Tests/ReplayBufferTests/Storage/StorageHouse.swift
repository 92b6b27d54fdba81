import Foundation
import HostCore
import HostTestKit
import PluginKit

@testable import ReplayBuffer

/// Where both kinds find what the one before left.
final class StorageHouse {
    let directory = NSTemporaryDirectory() + "storage-\(UUID().uuidString)"
    let files = FakeFileStore()

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func instance(_ storage: String, _ more: Value = [:], at now: Int64 = 100 * second) throws -> FakeInstance {
        let fake = FakeHost()
        fake.setNow(now)
        fake.setStateDirectory(directory)
        fake.setFileStore(files)
        var config: [Value.Member] = [
            .init("video", "cam/v.src"), .init("audio", ["cam/a.src"]), .init("storage", .string(storage)),
            .init("memory", "4MiB"), .init("size", "4MiB"),
        ]
        for member in more.members ?? [] {
            config.removeAll { $0.key == member.key }
            config.append(member)
        }
        return try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: .map(config), in: fake)
    }
}
