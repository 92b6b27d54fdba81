import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct SpareMemoryTests {
    init() throws {
        try GStreamer.start()
        MainLoopThread.start()
    }

    @Test @HostActor func isDoneAfterTheStartAndAfterRebuildsAtAPace() async {
        let clock = VirtualClock()
        let events = EventHub(clock: clock)
        let (calls, called) = AsyncStream.makeStream(of: Void.self)
        let memory = SpareMemory(clock: clock, workers: WorkerPool()) { called.yield() }
        var done = calls.makeAsyncIterator()
        memory.follow(events)
        clock.advance(by: .milliseconds(1999))
        #expect(clock.pendingCount == 1)
        clock.advance(by: .milliseconds(1))
        await done.next()
        #expect(clock.pendingCount == 0)

        events.post("pipeline.state", source: "a", ["state": "playing"])
        #expect(clock.pendingCount == 0)
        for _ in 0..<1000 {
            events.post("pipeline.state", source: "a", ["state": "recovering"])
            clock.advance(by: .milliseconds(9))
        }
        // 9 s after the last time, whatever happened.
        #expect(clock.pendingCount == 1)
        clock.advance(by: .seconds(1))
        await done.next()
        #expect(clock.pendingCount == 0)
        events.post("config.reloaded", source: "host", [:])
        #expect(clock.pendingCount == 1)
        clock.advance(by: .seconds(10))
        await done.next()
        events.post("pipeline.mode", source: "a", ["mode": "video", "sinks": .list([])])
        #expect(clock.pendingCount == 0)
        events.post("pipeline.mode", source: "a", ["mode": "audio", "sinks": .list(["view"])])
        #expect(clock.pendingCount == 1)
    }

    /// The symbols of libgstreamer are in memory once one was looked up by name, then they are not, and are found again.
    @Test func tablesLeaveTheProcessAndComeBack() throws {
        func find() -> Bool {
            // Each of a first letter: the hash spreads them over the table.
            let names = ["gst_bin_new", "gst_pad_new", "gst_caps_new_any", "gst_uri_new", "gst_tag_exists"]
            return names.allSatisfy { name in dlsym(nil, name) != nil }
        }
        #expect(find())
        var least = Int.max
        // Other tests, and the run time itself, bind symbols meanwhile.
        for _ in 0..<20 {
            SpareMemory.release()
            least = min(least, try Self.residentTables(of: "libgstreamer-1.0.so"))
        }
        #expect(least <= 32, "\(least) KiB stayed")
        #expect(find())
    }

    /// KiB of a library's first, read-only mapping that are in memory.
    private static func residentTables(of library: String) throws -> Int {
        // Not by its path: Foundation would believe the size that the kernel gives, 0, and stop after a page.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let text = try #require(try file.readToEnd())
        let maps = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let start = try #require(maps.firstIndex { $0.contains("r--p 00000000") && $0.contains(library) })
        let line = try #require(maps[start...].first { $0.hasPrefix("Rss:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
}
