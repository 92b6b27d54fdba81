import Foundation
import Testing

/// `mediahost status`: a table for people, the same values as ever for scripts.
@Suite(.timeLimit(.minutes(10)))
struct StatusTests {
    private static let config = """
        mediahost: 1
        pipelines:
          camera: { launch: "videotestsrc is-live=true ! fakesink" }
          lost: { launch: "filesrc location=/nowhere/clip-with-a-rather-long-name-that-fits-no-line.mp4 ! fakesink", restart: never }
        """

    /// The second line was as if the host had said it.
    @Test func textsOfOthersForgeNoLine() async throws {
        let config = #"""
            mediahost: 1
            pipelines:
              camera: { launch: "videotestsrc is-live=true ! fakesink" }
              lost: { launch: "filesrc location=\"/nowhere/clip\nforged: yes\e[31m\" ! fakesink", restart: never }
            """#
        try await withHost(config, in: Workplace()) { host in
            try await host.log.next(containing: "pipeline lost: failed")
            let plain = try await host.ask("status").output
            #expect(plain.contains("clip forged: yes?[31m") && !plain.contains("\u{1b}"), "\(plain)")
            let refused = try await host.ask("interrupt", "begin", "--source", "call\nstate: running")
            #expect(
                refused.ending == .exit(1) && refused.errors.contains("\"source\" must be a line of text"), "\(refused)"
            )
            try await host.terminate()
        }
    }

    @Test func peopleGetATableAndScriptsWhatTheyHad() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await Deadline.poll("one that plays, and one that failed") {
                ["camera: playing", "lost: failed"].allSatisfy { host.log.text.contains("pipeline \($0)") } ? true : nil
            }
            let table = try await host.ask("status", "--table").output.split(separator: "\n").map(String.init)
            #expect(table.first == "mediahost  running")
            #expect(table.contains { $0.hasPrefix("camera") && $0.hasSuffix("buffers pass") }, "\(table)")
            #expect(table.contains { $0.hasPrefix("lost") && $0.contains("failed   bad") })

            let plain = try await host.ask("status").output
            #expect(plain.contains("\npipelines:\n  camera:\n    state: playing\n"), "\(plain)")
            let both = try await host.ask("status", "--table", "--json")
            #expect(both.ending == .exit(2) && both.errors.contains("--table and --json contradict each other"))
            try await host.terminate()
        }
    }

    /// `script` (bsdutils) gives a command a terminal.
    @Test func aTerminalGetsTheTableInItsWidth() async throws {
        let place = try Workplace()
        try await withHost(Self.config, in: place) { host in
            try await Deadline.poll("one that plays, and one that failed") {
                ["camera: playing", "lost: failed"].allSatisfy { host.log.text.contains("pipeline \($0)") } ? true : nil
            }
            func shown(_ environment: [String: String]) async throws -> [String] {
                let words = "stty cols 60 rows 20; \(Workplace.mediahost) status --socket \(host.socket)"
                let result = try await Tool.run(
                    "script", ["-qec", words, "/dev/null"],
                    environment: ["NO_COLOR": ""].merging(environment) { $1 }, in: place.directory)
                #expect(result.ending == .exit(0), "\(result)")
                return result.output.split(whereSeparator: \.isNewline).map(String.init)
            }
            let plain = try await shown(["TERM": "xterm", "NO_COLOR": "1"])
            #expect(plain.allSatisfy { $0.count <= 60 && !$0.contains("\u{1B}") }, "\(plain)")
            #expect(plain.contains { $0.hasPrefix("lost") && $0.hasSuffix("…") })
            let coloured = try await shown(["TERM": "xterm"])
            #expect(coloured.contains { $0.contains("\u{1B}[32mplaying\u{1B}[0m") }, "\(coloured)")
            try await host.terminate()
        }
    }
}
