import Foundation
import Glibc
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// A ring on a disk or in memory, the processes that fill it and are killed, and what they leave.
final class KillScene {
    struct Found {
        var newest: UInt64
        var problems: [String]
    }

    static var config: [Value.Member] {
        [
            .init("video", "cam/encoded.src"), .init("audio", ["cam/voice.src"]), .init("memory", "4MiB"),
            .init("size", "4MiB"), .init("window", "60s"),
        ]
    }

    private let storage: String
    private let directory = NSTemporaryDirectory() + "kill-\(UUID().uuidString)"
    private let files = FakeFileStore()
    private let report: UnsafeMutablePointer<UInt64>
    private var next: UInt64 = 1
    private static let program = URL(
        fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    ).deletingLastPathComponent().appendingPathComponent("RingVictim").path

    init(_ storage: String) throws {
        self.storage = storage
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let file = Glibc.open(directory + "/report", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        ftruncate(file, 16)
        let memory = try #require(mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
        close(file)
        report = memory.assumingMemoryBound(to: UInt64.self)
        // The file in memory is made by the plugin; this process stands for the service manager that holds it.
        if storage == "memfd" { try instance().end() }
    }

    deinit {
        munmap(report, 16)
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func instance() throws -> FakeInstance {
        let fake = FakeHost()
        fake.setNow(1_000_000_000)
        fake.setStateDirectory(directory)
        fake.setFileStore(files)
        return try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: .map(Self.config + [.init("storage", .string(storage))]), in: fake)
    }

    // MARK: The victim

    func runAndKill(_ random: inout Campaign) throws -> (last: UInt64, count: UInt64) {
        (report[0], report[1]) = (next - 1, 0)
        let kept = storage == "memfd" ? try #require(files.take("ring")) : -1
        defer { if kept >= 0 { close(kept) } }
        let child = try start(kept, seed: UInt64.random(in: 0..<1 << 32, using: &random))
        // As many frames as may be, and then a little: somewhere within the next one.
        let wanted = UInt64.random(in: 1...600, using: &random)
        let deadline = ContinuousClock.now + .seconds(60)
        while seen < wanted, ContinuousClock.now < deadline, waitpid(child, nil, WNOHANG) == 0 { sched_yield() }
        for _ in 0..<Int.random(in: 0..<2000, using: &random) { _ = seen }
        kill(child, SIGKILL)
        var status: Int32 = 0
        waitpid(child, &status, 0)
        try #require(seen >= wanted, "the victim did not write; what it said is above")
        return (report[0], report[1])
    }

    /// Another process writes it.
    @inline(never) private var seen: UInt64 {
        var word: UInt64 = 0
        memcpy(&word, report + 1, 8)
        return word
    }

    private func start(_ kept: Int32, seed: UInt64) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if kept >= 0 { posix_spawn_file_actions_adddup2(&actions, kept, 9) }
        let words = [
            Self.program, storage, storage == "memfd" ? "9" : directory, directory + "/report", "\(next)", "\(seed)",
        ]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, Self.program, &actions, nil, &arguments, environ)
        try #require(error == 0, "cannot start \(Self.program): \(String(cString: strerror(error)))")
        return child
    }

    // MARK: What is left

    /// All frames of the ring, by the layout alone.
    func look() throws -> Found {
        let opened = try open()
        let store = ReplayStore(opened)
        var problems = opened.remarks
        var (chunk, scratch, last): ([Frame], [UInt8], UInt64) = ([], [], 0)
        guard case .clip(let clip) = store.pin(last: nil) else { return Found(newest: 0, problems: ["it is empty"]) }
        defer { store.unpin(clip) }
        var sequence = clip.first
        var end: Int64?
        while sequence < clip.end {
            store.read(clip, from: sequence, into: &chunk)
            for frame in chunk {
                let number = store.withBytes(of: frame, scratch: &scratch) { Self.number($0) }
                if let number {
                    if last > 0, number != last + 1 { problems.append("\(number) follows \(last)") }
                    last = number
                } else {
                    problems.append("after \(last) the bytes of a frame are not whole")
                }
                if frame.track == 0 {
                    if let end, abs(frame.pts - end) > 2 { problems.append("\(frame.pts) follows \(end)") }
                    end = frame.pts + frame.duration
                }
            }
            sequence += UInt64(chunk.count)
        }
        next = last + 1
        return Found(newest: last, problems: problems)
    }

    private func open() throws -> OpenedRing {
        var boot = ""
        if let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) {
            boot = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let request = RingRequest(
            total: 4 << 20, wantedFrames: 61 * 360 + 1024, window: 60 * second,
            pads: ["cam/encoded.src", "cam/voice.src"], boot: boot, key: "size")
        if storage == "disk" { return try RingDisk.open(in: directory, request) }
        let file = try #require(files.take("ring"))
        let layout = try request.layout()
        let mapping = try #require(RingMapping(file: file, length: layout.total))
        guard case .opened(let opened) = request.look(RingPlace(mapping, layout)) else {
            throw StoredRing.NotThere(description: "\(request.look(RingPlace(mapping, layout)))")
        }
        return opened
    }

    /// The number of a victim's frame (`VictimFrame.fill`), where all of it is whole.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard bytes.count > 8 else { return nil }
        let number = bytes.loadUnaligned(as: UInt64.self)
        for index in 8..<bytes.count
        where bytes[index] != UInt8(truncatingIfNeeded: (UInt64(index) &* 31) ^ (number &* 131)) { return nil }
        return number
    }

    /// The next instance saves a clip of all there is, before anything comes.
    /// - Returns: how long that took from the start of the instance.
    func save(_ note: String) throws -> Duration {
        let clip = directory + "/clip.mkv"
        let began = ContinuousClock.now
        let instance = try instance()
        let saved = try instance.ask("save", ["to": .string(clip), "overwrite": true])
        let took = ContinuousClock.now - began
        #expect(saved["frames"]?.int ?? 0 > 0, "\(note)")
        let size = try FileManager.default.attributesOfItem(atPath: clip)[.size] as? Int
        #expect(size ?? 0 > 1000, "\(note)")
        instance.end()
        return took
    }
}
