import Foundation
import Testing

/// Tests/TimerVictim, beside the tests.
private enum Victim {
    private static let program = URL(
        fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    )
    .deletingLastPathComponent().appendingPathComponent("TimerVictim")

    #if THREAD_SANITIZER
        static let canTrace = false
    #else
        static let canTrace = (try? run("--try"))?.code == 0
    #endif

    static func run(_ words: String...) throws -> (code: Int32, lines: [String]) {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        return (process.terminationStatus, text.split(separator: "\n").map(String.init))
    }
}

/// Killed at every system call of start, stop, completion and acknowledgement, and of opening and closing the store: the next host
/// finds what was answered, or one step more; nothing is lost, and nothing is there twice.
@Suite(
    .enabled(
        if: Victim.canTrace,
        """
        this machine lets no process be traced (a container needs --cap-add=SYS_PTRACE, sysctl kernel.yama.ptrace_scope must be \
        below 3), or this is the thread sanitizer, whose processes have threads of its own
        """))
struct SystemCallTests {
    /// One kill, and what the next host said.
    private struct Kill {
        let line: String
        private let words: [String: String]

        init(_ line: String) {
            self.line = line
            words = Dictionary(
                line.split(separator: " ").map { word in
                    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                }
            ) { first, _ in first }
        }

        subscript(word: String) -> String { words[word] ?? "?" }
        var answered: Int { Int(self["answered"]) ?? -1 }
        /// What runs, and what is over.
        var state: String { "\(self["running"])|\(self["finished"])" }
    }

    /// By the number of steps that were answered: what may be in the store.
    private static let states: [[String]] = [
        ["|"],  // killed while it opens
        ["|", "a/1|"],
        ["a/1|", "a/1,b/2|"],
        ["a/1,b/2|", "a/1|"],
        // The wash is over now, whoever ends it.
        ["|a/1"],
        ["|a/1", "|"],
        ["|"],  // while it closes
        ["|"],
    ]

    @Test func killedAtEverySystemCall() throws {
        let folder = try Folder()
        // The address sanitizer makes each kill thirty times as dear: some of them are enough to find bad memory.
        let isThin = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        let (code, lines) = try Victim.run(folder.path, isThin ? "7" : "1")
        #expect(code == 0, "\(lines.last ?? "no word")")
        let kills = lines.map { Kill($0) }
        for kill in kills {
            guard Self.states.indices.contains(kill.answered) else {
                Issue.record("\(kill.line)")
                continue
            }
            #expect(Self.states[kill.answered].contains(kill.state), "\(kill.line)")
            #expect(kill["damaged"] == "no", "\(kill.line)")
            // Told by the next host where nobody noted that it was; once by it, and with the same name.
            let first = kill["before"] == "told" ? [] : ["a/1:1"]
            let mayBeTold = kill.answered == 4 ? first + ["", "a/1:2"] : [""]
            #expect(mayBeTold.contains(kill["told"]), "\(kill.line)")
            // A number that was answered is never used again.
            let used = [0, 0, 1, 2, 2, 2, 2, 2][kill.answered]
            let next = Int(kill["next"].split(separator: "/").last ?? "") ?? 0
            #expect(kill["next"].hasPrefix("c/") && next > used, "\(kill.line)")
        }
        #expect(kills.last?["call"] == "-1" && kills.dropLast().allSatisfy { $0["call"] != "-1" })
        #expect(kills.map(\.answered) == kills.map(\.answered).sorted() && kills.count > 20)
        print("system-calls: killed \(kills.count - 1) times")
        guard !isThin else { return }
        // It was killed in each step, at each of its calls, and once in none.
        #expect(Set(kills.map(\.answered)) == Set(0...7))
        // Also between the telling and its commit, which are a write and a sync at least.
        #expect(kills.count { $0["before"] == "told" && $0["told"] == "a/1:2" } >= 2)
        // Each commit is a write and a sync at least.
        for step in 1...5 { #expect(kills.filter { $0.answered == step }.count >= 3, "step \(step)") }
    }
}
