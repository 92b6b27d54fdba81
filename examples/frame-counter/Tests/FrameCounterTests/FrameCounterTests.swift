import FrameCounter
import Foundation
import Synchronization
import Testing

@Test func countsAndTellsEveryThird() {
    let told = Told()
    let counter = BufferCounter(every: 3) { told.times.add(1, ordering: .relaxed) }
    for _ in 1...7 { counter.add() }
    #expect(counter.buffers == 7)
    #expect(told.times.load(ordering: .relaxed) == 2)
}

/// The host tries the library in a process of its own, as it does before it loads it.
@Test func hostLoadsTheLibrary() throws {
    let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let library = URL(fileURLWithPath: test).deletingLastPathComponent().appending(path: "libFrameCounter.so").path
    let host = Process()
    host.executableURL = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["MEDIAHOST"] ?? "/usr/local/bin/mediahost")
    host.arguments = ["plugin", "info", library]
    try host.run()
    host.waitUntilExit()
    #expect(host.terminationStatus == 0)
}

private final class Told: Sendable {
    let times = Atomic<Int>(0)
}
