import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct FlightRecorderTests {
    init() { MainLoopThread.start() }

    @Test func stateDirectoryIsTheFirstThatIsAbsolute() {
        func path(_ environment: [String: String]) -> String? { StateDirectory.path(environment: environment) }
        #expect(path(["STATE_DIRECTORY": "/var/lib/mediahost:/var/lib/x", "HOME": "/root"]) == "/var/lib/mediahost")
        #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/mediahost")
        #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/mediahost")
        #expect(path(["HOME": ""]) == nil)
    }

    @Test func oldestFilesGoWhenTheyAreTooManyOrTooLarge() {
        func file(_ index: Int, _ bytes: Int64 = 1) -> FailureFiles.File {
            .init(name: "f\(index)", bytes: bytes, modified: Int64(index))
        }
        #expect(FailureFiles.surplus((1...20).map { file($0) }, newest: "f20").isEmpty)
        #expect(FailureFiles.surplus((1...23).map { file($0) }, newest: "f23") == ["f1", "f2", "f3"])
        // On a board without a battery the newest may look the oldest.
        #expect(FailureFiles.surplus((1...21).map { file($0) }, newest: "f1") == ["f2"])
        let large = [file(1, 30 << 20), file(2, 30 << 20), file(3, 10 << 20)]
        #expect(FailureFiles.surplus(large, newest: "f3") == ["f1"])
        #expect(FailureFiles.surplus([file(1, 80 << 20)], newest: "f1").isEmpty)
    }

    @Test func aFailureIsWrittenOnceMaskedAndAtAPace() async throws {
        let directory = NSTemporaryDirectory() + "flight-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (entries, feed) = AsyncStream<LogEntry>.makeStream()
        let log = Log { feed.yield($0) }
        log.mask.set { $0.split(separator: "s3cret", omittingEmptySubsequences: false).joined(separator: "***") }
        let clock = VirtualClock()
        let recorder = FlightRecorder(
            directory: directory, clock: clock, workers: WorkerPool(), log: log,
            recorded: { ["one s3cret line\n", "of another thread\n"] })
        var iterator = entries.makeAsyncIterator()
        recorder.dump(pipeline: "porch/../x", failure: "rtsp://s3cret@camera is gone")
        let first = await iterator.next()
        #expect(
            first?.text.hasPrefix("what GStreamer logged before porch/../x failed is in \(directory)/failures/") == true
        )
        recorder.dump(pipeline: "porch/../x", failure: "again")  // within the pace: not written
        await advance(clock, by: FlightRecorder.pace)
        recorder.dump(pipeline: "porch/../x", failure: "later")
        _ = await iterator.next()
        let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/failures").sorted()
        #expect(files == ["porch____x-20231114T223000.000Z.log", "porch____x-20231114T223010.000Z.log"])
        let text = try String(contentsOfFile: "\(directory)/failures/\(files[0])", encoding: .utf8)
        #expect(text.contains("rtsp://***@camera is gone"))
        #expect(text.contains("--- thread 1\none *** line") && text.contains("--- thread 2\nof another thread"))
    }

    @HostActor private func advance(_ clock: VirtualClock, by span: ClockTime) { clock.advance(by: span) }

    @Test func aDirectoryThatCannotBeMadeIsAWarning() async {
        let (entries, feed) = AsyncStream<LogEntry>.makeStream()
        let recorder = FlightRecorder(
            directory: "/proc/nowhere", clock: VirtualClock(), workers: WorkerPool(), log: Log { feed.yield($0) },
            recorded: { ["line"] })
        recorder.dump(pipeline: "porch", failure: "gone")
        var iterator = entries.makeAsyncIterator()
        let entry = await iterator.next()
        #expect(entry?.level == .warning)
        #expect(entry?.text.contains("cannot make /proc/nowhere/failures: ") == true)
    }
}
