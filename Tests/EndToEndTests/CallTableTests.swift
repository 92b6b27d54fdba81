import Foundation
import Testing

/// Answers of plugins' commands as tables, once and in place: `mediahost call laundry.list`, `--table`, `--watch`.
@Suite(.timeLimit(.minutes(10)))
struct CallTableTests {
    private func withHost(_ body: (Workplace, MediahostProcess) async throws -> Void) async throws {
        let place = try Workplace()
        let config = """
            mediahost: 1
            notifications: off
            plugins:
              laundry: { module: LaundryTimers, pets: [{ id: snowy }, { id: fluffy }, { id: rex }] }
            """
        try await EndToEndTests.withHost(config, in: place, environment: ["XDG_STATE_HOME": place.path("state")]) {
            host in
            try await host.log.next(containing: "mediahost 0.")
            _ = try await host.answer("call", "laundry.start", "pet=snowy", "kind=wash", "duration=5h")
            _ = try await host.answer("call", "laundry.start", "pet=fluffy", "kind=dry", "duration=48h")
            try await body(place, host)
        }
    }

    @Test func aTableWhereItIsAskedForAndAsEverElsewhere() async throws {
        try await withHost { _, host in
            _ = try await host.answer("call", "laundry.start", "pet=rex", "kind=cycle", "duration=1ms")
            try await Deadline.poll("the end of a cycle") {
                try await host.answer("call", "laundry.list")["due"].int == 1 ? true : nil
            }
            let table = try await host.ask("call", "laundry.list", "--table")
            #expect(table.ending == .exit(0) && !table.output.contains("\u{1B}"), "\(table)")
            let lines = table.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(lines.first == "running 2   paused 0   waiting for clock 0   due 1")
            #expect(
                lines.contains { $0.hasPrefix("PET     TITLE    STATUS   PROGRESS") && $0.hasSuffix("ENDS AT") },
                "\(lines)")
            let snowy = try #require(lines.first { $0.hasPrefix("snowy") })
            let bar = "Washing  running  [--------------------]   0 %  "
            let left = try #require(snowy.split(separator: bar, maxSplits: 1).last).drop { $0 == " " }
            #expect(snowy.contains(bar) && left.hasPrefix("4 h 5"), "\(snowy)")
            #expect(
                lines.contains { $0.hasPrefix("rex") && $0.contains("Laundry Time!") && $0.contains("start-wash") },
                "\(lines)")

            // Without a terminal a value a line, with --json what the API says; both do not change.
            #expect(try await host.ask("call", "laundry.list").output.hasPrefix("running: 2\n"))
            let json = try await host.ask("call", "laundry.list", "--json")
            #expect(try JSON(json.output)["timers"].list.first?["pet"].string == "snowy")
            // What declares no table is as it was.
            #expect(
                try await host.ask("call", "laundry.status", "pet=snowy", "--table").output.hasPrefix("pet: snowy\n"))
            let both = try await host.ask("call", "laundry.list", "--table", "--json")
            #expect(both.ending == .exit(2) && both.errors.contains("contradict"))
            let blind = try await host.ask("call", "laundry.list", "--watch")
            #expect(blind.ending == .exit(2) && blind.errors.contains("leave --watch out for one answer"), "\(blind)")
        }
    }

    /// On a terminal of the test's: what `inside` shows, until it ends.
    private func onATerminal(
        _ words: String, _ place: Workplace, _ host: MediahostProcess, until awaited: String, _ ending: String
    ) async throws -> (shown: String, after: String) {
        try place.write(
            """
            stty cols 120 rows 30
            stty -a > before
            sh -c 'echo $$ > pid; exec \(Workplace.mediahost) call \(words) --socket \(host.socket)'
            echo code $? > after
            stty -a >> after
            """, to: "inside")
        let program = """
            mkfifo keys
            unset NO_COLOR
            TERM=xterm script -qfec 'sh ./inside' shown < keys > /dev/null &
            exec 3> keys
            until grep -qE '\(awaited)' shown 2> /dev/null; do sleep 0.02; done
            \(ending)
            wait %1 2> /dev/null || wait
            """
        _ = try await Tool.run("sh", ["-c", program], in: place.directory)
        return (
            try String(contentsOfFile: place.path("shown"), encoding: .utf8),
            try String(contentsOfFile: place.path("after"), encoding: .utf8)
                .replacingOccurrences(of: try String(contentsOfFile: place.path("before"), encoding: .utf8), with: "")
        )
    }

    /// It goes on by itself, and gives the terminal back as it was.
    @Test(arguments: ["printf q >&3", "kill -INT $(cat pid)"])
    func aViewIsDrawnInPlaceUntilTheUserHasSeenEnough(_ ending: String) async throws {
        try await withHost { place, host in
            _ = try await host.answer("call", "laundry.start", "pet=rex", "kind=cycle", "duration=100s")
            // Until a bar that began empty is not.
            let (shown, after) = try await onATerminal(
                "laundry.list --watch -i 0.1", place, host, until: #"\[#"#, ending)
            #expect(after == "code 0\n", "\(after)")
            #expect(shown.contains("\u{1B}[?1049h") && shown.contains("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(shown.contains("PROGRESS") && shown.contains("[--"), "\(shown.suffix(2000))")
        }
    }

    /// A picture each 5 s, unless the user says how often.
    @Test func whereEnergyIsSavedAViewIsDrawnLessOften() async throws {
        let twoPictures = #"until [ "$(grep -oF "$(printf '\033[H')" shown | wc -l)" -gt 1 ]; do :; done; printf q >&3"#
        try await withHost { place, host in
            _ = try await host.answer("low-power", "on")
            let start = ContinuousClock.now
            let (_, after) = try await onATerminal(
                "laundry.list --watch", place, host, until: "each 5 s, to save energy", twoPictures)
            #expect(after == "code 0\n" && start.duration(to: .now) > .seconds(5), "\(after)")
        }
        try await withHost { place, host in
            _ = try await host.answer("low-power", "on")
            let (shown, after) = try await onATerminal(
                "laundry.list --watch -i 0.1", place, host, until: "PROGRESS", twoPictures)
            #expect(after == "code 0\n" && !shown.contains("to save energy"), "\(after) \(shown.suffix(2000))")
        }
    }

    @Test func whatDoesSomethingIsNotAskedAgainAndAgain() async throws {
        try await withHost { place, host in
            let (shown, after) = try await onATerminal(
                "laundry.stop pet=snowy --watch", place, host, until: "declares no table", ":")
            #expect(after == "code 1\n" && !shown.contains("\u{1B}[?1049h"), "\(after) \(shown)")
            #expect(try await host.answer("call", "laundry.list")["running"].int == 2)
        }
    }

    @Test func onATerminalAnAnswerIsATable() async throws {
        try await withHost { place, host in
            let (shown, _) = try await onATerminal("laundry.list", place, host, until: "ENDS AT", ":")
            #expect(shown.contains("\u{1B}[1mPET") && shown.contains("[----"), "\(shown)")
        }
    }
}
