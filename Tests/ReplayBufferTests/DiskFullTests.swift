import Foundation
import Glibc
import HostCore
import HostTestKit
import Locking
import PluginKit
import Testing

@testable import ReplayBuffer

/// Clips that cannot be written: what is said, what is left behind, and that the ring is as before.
@Suite struct DiskFullTests {
    /// A descriptor that says "no space left on device" to every write.
    private static func onFullDisk(_ use: Bool) -> ClipWriterFactory {
        { (descriptor, container, tracks) throws(PluginError) in
            let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
            return FullDisk(try container.writer(use ? full : descriptor, tracks), full)
        }
    }

    /// Closes its descriptor when the writer has stopped.
    private final class FullDisk: ClipWriter {
        private let writer: any ClipWriter
        private let descriptor: Int32

        init(_ writer: any ClipWriter, _ descriptor: Int32) {
            (self.writer, self.descriptor) = (writer, descriptor)
        }

        func write(
            _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track: Int, _ isCancelled: () -> Bool
        ) throws(PluginError) {
            try writer.write(bytes, unit, track: track, isCancelled)
        }
        func end(track: Int) { writer.end(track: track) }
        func finish(_ isCancelled: () -> Bool) throws(PluginError) { try writer.finish(isCancelled) }
        func stop() {
            writer.stop()
            close(descriptor)
        }
    }

    private struct Silent: SaveWatch {
        var isCancelled: Bool { false }
        func progress(_ fraction: Double) {}
    }

    private final class Quits: SaveWatch {
        private let calls = Locked(0)
        var isCancelled: Bool {
            calls.withLock {
                $0 += 1
                return $0 > 1
            }
        }
        func progress(_ fraction: Double) {}
    }

    private func filled() throws -> (ReplayStore, FakeInstance, FakeTap) {
        let slab = try #require(ByteSlab(capacity: 4_000_000))
        let store = ReplayStore(slab: slab, frameCapacity: 2000, window: 3600 * second) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        let stream = try NumberedPictures.h264(400, gop: 10, bFrames: 0)
        tap.startEpoch(1)
        tap.setFormat(stream.caps)
        stream.feed(tap)
        return (store, instance, tap)
    }

    private func job(_ store: ReplayStore, _ path: String, full: Bool) throws -> SaveJob {
        guard case .clip(let clip) = store.pin(last: nil) else { throw PluginError("no clip") }
        return SaveJob(
            store: store, clip: clip, request: SaveTask(path: path, container: try Container(path: path)),
            makeWriter: Self.onFullDisk(full))
    }

    @Test(arguments: [".mkv", ".mp4", ".ts"])
    func aFullDiskIsNamedAndNothingIsLeft(_ suffix: String) throws {
        let directory = NSTemporaryDirectory() + "full-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (store, instance, tap) = try filled()
        let before = store.status
        let error = #expect(throws: PluginError.self) {
            try job(store, "\(directory)/a\(suffix)", full: true).run(Silent())
        }
        #expect(error?.message.contains("No space left") == true, "\(error?.message ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        #expect(store.status == before && store.saves == 0)
        // The next one has all of it.
        let clip = try job(store, "\(directory)/b\(suffix)", full: false).run(Silent())
        #expect(clip.frames == 400)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["b\(suffix)"])
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }

    @Test func aCancelledSaveLeavesNothing() throws {
        let directory = NSTemporaryDirectory() + "cancel-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (store, instance, tap) = try filled()
        let error = #expect(throws: PluginError.self) {
            try job(store, "\(directory)/a.mkv", full: false).run(Quits())
        }
        #expect(error?.code == .cancelled)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        #expect(store.saves == 0)
        instance.deactivate()
        tap.detach()
        instance.destroy()
    }
}
