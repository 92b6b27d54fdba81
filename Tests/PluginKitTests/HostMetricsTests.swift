import Foundation
import HostTestKit
import PluginABI
import Testing

@testable import PluginKit

/// The calling thread's count of allocations, where a counting allocator is preloaded (Tests/Support/counting-malloc.c).
private let countAllocations: (@convention(c) () -> Int)? = {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "mh_test_mallocs") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
}()

/// `Host.counter` and `Host.gauge` over the raw table of a fake host.
@Suite struct HostMetricsTests {
    @Test func countersAndGaugesReachTheHost() throws {
        let fake = FakeHost()
        let host = Host(fake.host, pluginID: "org.example.probe")
        let frames = try host.counter("frames", help: "Frames.")
        let late = try host.counter("drops", help: "Drops.", labels: ["why": "late", "where": "sink"])
        let fill = try host.gauge("fill", unit: "bytes", help: "How full it is.")
        frames.add()
        frames.add(2)
        late.add(-1)
        fill.set(10)
        fill.add(-4)
        #expect(fake.metrics == ["frames_total": 3, #"drops_total{why="late",where="sink"}"#: 0, "fill_bytes": 6])
        host.close()
        frames.add()
        #expect(fake.metrics["frames_total"] == 4)
        #expect(throws: PluginError.self) { try host.counter("late", help: "Late.") }
    }

    @Test func whatTheHostDoesNotTakeIsAnError() {
        let fake = FakeHost()
        let host = Host(fake.host, pluginID: "org.example.probe")
        #expect(throws: PluginError("the host did not take metric a-b (status -2)", code: .invalid)) {
            try host.counter("a-b", help: "No.")
        }
        #expect(fake.seen.log.count == 1)
        let without = FakeHost(missing: [MH_EXT_METRICS])
        #expect(throws: PluginError.self) { try Host(without.host, pluginID: "x").gauge("a", help: "A.") }
    }

    @Test(.enabled(if: countAllocations != nil, "no counting allocator is preloaded: plain `make test` does so"))
    func aChangeCostsNoAllocation() throws {
        let count = try #require(countAllocations)
        let fake = FakeHost()
        let host = Host(fake.host, pluginID: "org.example.probe")
        let tap = MeteredTap(
            frames: try host.counter("frames", help: "Frames."), size: try host.gauge("size", help: "The last one's."))
        let client = TapClientHarness(tap)
        client.push(10)
        let before = count()
        client.push(10_000)
        let after = count()
        #expect(after - before == 0)
        #expect(fake.metrics == ["frames_total": 10_010, "size": 3])
        let probe = [Int](repeating: before, count: 100)
        #expect(count() > after, "the counting allocator does not count \(probe.count)")
    }
}

/// What a plugin does with them on a streaming thread.
private final class MeteredTap: StreamTap {
    let frames: Counter
    let size: Gauge

    init(frames: Counter, size: Gauge) {
        self.frames = frames
        self.size = size
    }

    func buffer(_ buffer: borrowing StreamBuffer) {
        frames.add()
        size.set(Double(buffer.byteCount))
    }
}

/// Buffers for a tap, by the way they come from a host.
private struct TapClientHarness {
    private let fake = FakeHost()
    private let tap: FakeTap?

    init(_ tap: any StreamTap) {
        let host = Host(fake.host, pluginID: "org.example.probe")
        _ = try? host.attachTap("cam/encoded.src", tap)
        self.tap = fake.seen.taps.first
    }

    func push(_ count: Int) {
        let bytes: StaticString = "abc"
        for number in 0..<count {
            tap?.push(UnsafeRawBufferPointer(start: bytes.utf8Start, count: 3), pts: Int64(number))
        }
    }
}
