import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// The calling thread's count of allocations, where a counting allocator is preloaded (Tests/Support/counting-malloc.c).
private let countAllocations: (@convention(c) () -> Int)? = {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "mh_test_mallocs") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
}()

@Suite struct StreamCostTests {
    @Test(
        .enabled(if: countAllocations != nil, "no counting allocator is preloaded: plain `make test` does so"),
        arguments: ["memory", "memfd", "disk"])
    func aBufferCostsNoAllocation(storage: String) throws {
        let count = try #require(countAllocations)
        let directory = NSTemporaryDirectory() + "cost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let fake = FakeHost()
        fake.setStateDirectory(directory)
        fake.setFileStore(FakeFileStore())
        let instance = try FakeInstance(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self), in: fake)
        #expect(
            instance.start([
                "video": "cam/encoded.src", "audio": ["cam/voice.src"],
                "memory": storage == "memory" ? 2_000_000 : 4_194_304,
                "window": .int(second), "storage": .string(storage), "size": 4_194_304,
            ]) == 0)
        #expect(instance.activate() == 0)
        let (tap, sound) = (try instance.tap("cam/encoded.src"), try instance.tap("cam/voice.src"))
        tap.startEpoch(1)
        tap.setFormat("video/x-h264")
        sound.startEpoch(1)
        sound.setFormat("audio/x-opus")
        let bytes = [UInt8](repeating: 5, count: 20_000)
        func push(_ numbers: Range<Int>) {
            bytes.withUnsafeBytes { bytes in
                for number in numbers {
                    tap.push(
                        bytes, pts: Int64(number) * second / 30, duration: second / 30, flags: number % 30 == 0 ? 0 : 1)
                    // Ahead of the pictures, so that there is a lead to look for.
                    sound.push(
                        UnsafeRawBufferPointer(rebasing: bytes[..<100]), pts: Int64(number + 10) * second / 30,
                        duration: second / 30)
                }
            }
        }
        // The first calls initialise lazily (6 allocations, once, in a debug build); then wrap-around, both bounds and eviction are all passed many times.
        push(0..<300)
        let before = count()
        push(300..<20_000)
        let after = count()
        #expect(after - before == 0)
        let probe = [Int](repeating: before, count: 100)
        #expect(count() > after, "the counting allocator does not count \(probe.count)")
        instance.deactivate()
        tap.detach()
        sound.detach()
        instance.destroy()
    }
}
