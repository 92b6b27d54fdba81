import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// What waits in memory while a clip is written.
@Suite struct ClipWriterTests {
    private static let video = "video/x-vp8, width=(int)16, height=(int)16, framerate=(fraction)30/1"
    private static let sound =
        "audio/x-raw, format=(string)S16LE, layout=(string)interleaved, rate=(int)48000, channels=(int)2"

    /// Its own file is gone with the descriptor.
    private func writer(_ tracks: [String]) throws -> (PipelineClipWriter, Int32) {
        let path = NSTemporaryDirectory() + "writer-\(UUID().uuidString)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        unlink(path)
        return (try PipelineClipWriter(descriptor: descriptor, container: .matroska, caps: tracks), descriptor)
    }

    @Test func picturesDoNotWaitForSoundThatHasEnded() throws {
        let (writer, descriptor) = try writer([Self.video, Self.sound])
        defer { close(descriptor) }
        let step = second / 30
        let bytes = UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1))
        defer { bytes.deallocate() }
        func write(_ track: Int, _ number: Int, _ size: Int) throws {
            try writer.write(
                UnsafeRawBufferPointer(rebasing: bytes[..<size]),
                ClipUnit(pts: Int64(number) * step, dts: nil, duration: step, isKey: true), track: track
            ) { false }
        }
        for number in 0..<10 {
            try write(0, number, 1000)
            try write(1, number, 6400)
        }
        writer.end(track: 1)
        var most: UInt64 = 0
        for number in 10..<400 {
            try write(0, number, 100_000)
            most = max(most, writer.queuedBytes)
        }
        try writer.finish { false }
        writer.stop()
        #expect(most <= PipelineClipWriter.queueBytes + 200_000, "\(most)")
        #expect(lseek(descriptor, 0, SEEK_END) > 39_000_000)
    }

    /// A pipe that nobody reads: the disk that hangs.
    @Test(arguments: [true, false])
    func aWriterThatWaitsNoticesThatNobodyWants(finishes: Bool) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let writer = try PipelineClipWriter(descriptor: ends[1], container: .matroska, caps: [Self.video])
        let bytes = UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer.allocate(byteCount: 500_000, alignment: 1))
        defer { bytes.deallocate() }
        func write(_ number: Int, _ isCancelled: () -> Bool) throws(PluginError) {
            try writer.write(
                bytes, ClipUnit(pts: Int64(number) * second, dts: nil, duration: second, isKey: true), track: 0,
                isCancelled)
        }
        // It was asked several times, and then somebody gave up.
        var asked = 0
        let givesUp = {
            asked += 1
            return asked > 3
        }
        let error = #expect(throws: PluginError.self) {
            if finishes {
                for number in 0..<3 { try write(number) { false } }
                try writer.finish(givesUp)
            } else {
                for number in 0..<30 { try write(number, givesUp) }
            }
        }
        #expect(error?.code == .cancelled && asked == 4)
        // The write that hangs comes back.
        let reading = ends[0]
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 65536)
            while read(reading, &bytes, bytes.count) > 0 {}
            close(reading)
        }
        writer.stop()
        close(ends[1])
    }

    /// Writes down what it is told.
    private final class Notes: ClipWriter {
        struct Line: Equatable {
            var track: Int
            var pts: Int64?
        }
        var lines: [Line] = []
        func write(
            _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track: Int, _ isCancelled: () -> Bool
        ) throws(PluginError) {
            lines.append(Line(track: track, pts: unit.pts))
        }
        func end(track: Int) { lines.append(Line(track: track)) }
        func finish(_ isCancelled: () -> Bool) throws(PluginError) {}
        func stop() {}
    }

    private struct Silent: SaveWatch {
        var isCancelled: Bool { false }
        func progress(_ fraction: Double) {}
    }

    @Test func aTrackEndsRightBehindItsLastFrame() throws {
        let slab = try #require(ByteSlab(capacity: 100_000))
        let store = ReplayStore(slab: slab, frameCapacity: 500, window: 3600 * second, tracks: 2) {}
        let instance = try StoreProbe.instance(feeding: store)
        let tap = try #require(instance.fake.seen.taps.first)
        tap.startEpoch(1)
        tap.setFormat("video/x-vp8")
        let sound = try instance.tap("cam/sound1.src")
        sound.startEpoch(1)
        sound.setFormat("audio/x-opus")
        for number in Int64(0)..<30 {
            tap.push([1, 2], pts: number * second / 10, duration: second / 10, isDelta: number % 10 != 0)
            if number < 12 { sound.push([3], pts: number * second / 10, duration: second / 10) }
        }
        guard case .clip(let clip) = store.pin(last: nil) else {
            Issue.record("no clip")
            return
        }
        nonisolated(unsafe) let notes = Notes()
        let path = NSTemporaryDirectory() + "notes-\(UUID().uuidString).mkv"
        defer { unlink(path) }
        _ = try SaveJob(store: store, clip: clip, request: SaveTask(path: path, container: .matroska)) {
            (_, _, _) throws(PluginError) in notes
        }.run(Silent())
        let place = try #require(notes.lines.firstIndex(of: .init(track: 1)))
        #expect(notes.lines[place - 1] == .init(track: 1, pts: 11 * second / 10))
        #expect(notes.lines[(place + 1)...].filter { $0.pts != nil }.count == 18)
        instance.end()
    }
}
