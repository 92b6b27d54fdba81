import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Broken configuration files by the million: each ends in a configuration or in errors that lie in the file.
///
/// Mutational: bytes, words and pieces of the seeds are put together at random; an input whose diagnostics read like none
/// before is mutated further. The input under way stands in `config-fuzz-<process>-<worker>.yaml` of the temporary directory,
/// where it survives a crash; one that takes too long is ended by SIGALRM.
@Suite struct ConfigurationFuzzCampaign {
    @Test func loaderTakesAnyBytes() async {
        let campaign = Campaign(rounds: 4_000)
        print("config-fuzz: \(campaign.note)")
        let workers = 2
        let start = ContinuousClock.now
        // Threads of their own: the tasks of the other tests would wait for these.
        let results = await withTaskGroup(of: ConfigurationFuzzer.Result.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let fuzzer = ConfigurationFuzzer(campaign.worker(worker), worker: worker)
                            continuation.resume(returning: fuzzer.run(rounds: campaign.rounds / workers))
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        alarm(0)
        let seconds = Double((ContinuousClock.now - start).components.seconds) + 1
        let rounds = results.reduce(0) { $0 + $1.rounds }
        for fault in results.flatMap(\.faults).prefix(5) { Issue.record("\(fault); \(campaign.note)") }
        #expect(rounds >= campaign.rounds / workers * workers)
        #expect(results.allSatisfy { $0.kept > 0 })
        // About one input in eighty is a sound configuration: few rounds may have none.
        if rounds >= 2000 { #expect(results.contains { $0.sound > 0 }) }
        for result in results where result.slowest > .seconds(1) {
            let text = String(decoding: result.slowestInput, as: UTF8.self).debugDescription
            Issue.record("\(result.slowest) for \(text); \(campaign.note)")
        }
        print(
            "config-fuzz: \(rounds) executions, about \(Int(Double(rounds) / seconds))/s, "
                + "\(results.reduce(0) { $0 + $1.sound }) sound, \(results.reduce(0) { $0 + $1.kept }) kept, "
                + "\(results.reduce(0) { $0 + $1.messages }) kinds of messages, slowest \(results.map(\.slowest).max() ?? .zero)"
        )
    }
}

/// One worker of the campaign.
private struct ConfigurationFuzzer {
    struct Result: Sendable {
        var rounds = 0
        var sound = 0
        var kept = 0
        var messages = 0
        /// Of this thread's processor time: others may be let through.
        var slowest = Duration.zero
        var slowestInput: [UInt8] = []
        var faults: [String] = []
    }

    private var random: Campaign
    private var corpus: [[UInt8]]
    private var seen = Set<Int>()
    private let path: String
    private let slot: UnsafeMutableRawPointer?
    private static let largest = 2048

    init(_ random: Campaign, worker: Int) {
        self.random = random
        corpus = Self.seeds
        path = NSTemporaryDirectory() + "config-fuzz-\(getpid())-\(worker).yaml"
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        ftruncate(file, off_t(Self.largest))
        let memory = mmap(nil, Self.largest, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        slot = memory == MAP_FAILED ? nil : memory
    }

    consuming func run(rounds: Int) -> Result {
        var result = Result()
        let catalog = TestCatalog()
        for round in 0..<rounds {
            // No thousand of small files takes that long.
            if round % 1000 == 0 { alarm(300) }
            let input = mutated()
            if let slot {
                memset(slot, 0, Self.largest)
                input.withUnsafeBytes {
                    slot.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(slot), byteCount: $0.count)
                }
            }
            let start = Self.processorTime()
            let (configuration, found) = ConfigurationLoader.load(
                SourceFile(path: "fuzz.yaml", bytes: input), environment: ["HOME": "/h"], catalog: catalog)
            let time = Self.processorTime() - start
            if time > result.slowest {
                result.slowest = time
                result.slowestInput = input
            }
            result.rounds += 1
            let hasErrors = found.contains { $0.severity == .error }
            if configuration != nil { result.sound += 1 }
            let isInside = found.allSatisfy { $0.span.map { $0.range.upperBound <= input.count } ?? true }
            if hasErrors == (configuration != nil) || !isInside {
                result.faults.append("round \(round): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
            if isNew(found), corpus.count < 4000 {
                corpus.append(input)
                result.kept += 1
            }
        }
        result.messages = seen.count
        if let slot { munmap(slot, Self.largest) }
        unlink(path)
        return result
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Whether a message of a new shape is among them: its words before and behind what it quotes.
    private mutating func isNew(_ found: [Diagnostic]) -> Bool {
        var isNew = false
        for diagnostic in found.prefix(8) {
            let message = diagnostic.message.utf8
            let words = [
                message.prefix { $0 != 0x22 },
                message.lastIndex { $0 == 0x22 }.map { message[$0...] } ?? message[message.endIndex...],
            ]
            var hash = 5381
            for byte in words.joined() where !(0x30...0x39).contains(byte) { hash = hash &* 33 &+ Int(byte) }
            if seen.insert(hash).inserted { isNew = true }
        }
        return isNew
    }

    private mutating func mutated() -> [UInt8] {
        var bytes = corpus[pick(pick(2) == 0 ? Self.seeds.count : corpus.count)]
        for _ in 0...pick(3) {
            let at = pick(bytes.count + 1)
            switch pick(8) {
            case 0: bytes.insert(UInt8(pick(256)), at: at)
            case 1 where at < bytes.count: bytes[at] = UInt8(pick(256))
            case 2 where at < bytes.count: bytes.removeSubrange(at..<min(bytes.count, at + 1 + pick(20)))
            case 3 where at < bytes.count:
                let piece = Array(bytes[at..<min(bytes.count, at + 1 + pick(40))])
                bytes.insert(contentsOf: piece, at: pick(bytes.count + 1))
            case 4:
                let other = corpus[pick(corpus.count)]
                guard !other.isEmpty else { continue }
                let from = pick(other.count)
                bytes.insert(contentsOf: other[from..<min(other.count, from + 1 + pick(60))], at: at)
            case 5: bytes.removeSubrange(at...)
            case 6 where at < bytes.count: bytes[at] ^= 1 << UInt8(pick(8))
            default: bytes.insert(contentsOf: Self.words[pick(Self.words.count)], at: at)
            }
        }
        return bytes.count > Self.largest ? Array(bytes[..<Self.largest]) : bytes
    }

    private mutating func pick(_ count: Int) -> Int { Int(truncatingIfNeeded: random.next() >> 1) % max(count, 1) }

    private static let words = [
        "${", "}", "$${", "${A:-", ":?", "${secret:", "\"", "'", "!", "! ", "(", ")", "\t", "\n", "\n  ", "\r\n", ": ",
        "- ", "&a ",
        "*a", "#", " # ", "\\", "=", ":", ";", ",", "[", "]", "{", "|\n", ">\n", ">-\n", "|2\n", "\u{FEFF}", "é", "😀",
        "\0", "---\n",
        "...\n", "%YAML 1.1\n", "? ", "!!str ", "!!binary ", "~", "video/x-raw,", "file://", "@preset=", "<<: ",
        "bin.(", "name=",
        "t.", ".src", "caps=", "format={I420,NV12}", "99999999999999999999", "-1", "0x10", "1e999", "nan", "5s", "1min",
        "64MiB",
        "pipelines:", "plugins:", "launch: ", "vars:", "module: ", "warm-up:", "background:", "on-eos:", "control:",
        "include:",
        "templates:", "restart:", "settable:", "autostart:", "latency:", "mediahost: 1\n", "\\ud83d\\ude00", "\"\\x",
        "\"\\u12",
    ].map { Array($0.utf8) }

    /// The example configs, the files of the message tests, and launch texts of the corpus.
    private static let seeds: [[UInt8]] = {
        var seeds = [Array(ConfigurationLoaderTests.example.utf8)]
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for name in ["live-test", "play-file"] {
            if let data = try? Data(contentsOf: root.appendingPathComponent("examples/\(name).yaml")) {
                seeds.append(Array(data.prefix(largest)))
            }
        }
        seeds += ConfigurationMessagesTests.cases.map { Array($0.file.utf8) }
        seeds += LaunchCorpus.handWritten.enumerated().filter { $0.offset % 4 == 0 }.map {
            Array("mediahost: 1\npipelines:\n  a:\n    launch: >\n      \($0.element.launch)\n".utf8)
        }
        seeds.append(Array(#"{"mediahost":1,"pipelines":{"a":{"launch":"fakesrc ! fakesink","on-eos":"exit"}}}"#.utf8))
        return seeds
    }()
}
