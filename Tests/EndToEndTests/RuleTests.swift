import Foundation
import Glibc
import Testing

/// Rules of a running host, from outside: events of pipelines and plugins, and what is done for them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RuleTests {
    private static let pipelines = """
        mediahost: 1
        pipelines:
          short: { launch: videotestsrc num-buffers=5 ! fakesink }
          camera: { launch: videotestsrc is-live=true ! fakesink, autostart: false }
        plugins:
          echo: { module: Echo }

        """

    /// What `mediahost rules` says of one.
    private func rule(_ name: String, _ host: MediahostProcess) async throws -> JSON {
        try #require(try await host.answer("rules").list.first { $0["name"].string == name })
    }

    private func fired(_ name: String, _ count: Int, _ host: MediahostProcess) async throws {
        try await Deadline.poll("\(name) to fire") {
            try await rule(name, host)["fired"].int == count ? true : nil
        }
    }

    private func text(_ name: String, in place: Workplace) async throws -> String {
        try await Deadline.poll("\(name) to be written") {
            place.exists(name) ? try String(contentsOfFile: place.path(name), encoding: .utf8) : nil
        }
    }

    @Test func anEventDoesAllThatARuleCanDo() async throws {
        let place = try Workplace()
        try await place.writeExecutable(
            "#!/bin/sh\nenv > env.new && cat > stdin.new && printf '%s\\n' \"$@\" > words.new\n"
                + "mv stdin.new stdin && mv words.new words && mv env.new env\n", to: "note.sh")
        let rules = """
            rules:
              - name: ended
                when: pipeline.state
                source: short
                if: { state: finished }
                do:
                  - call: echo.say
                    with: { words: "$(source) is $(payload.state)" }
                  - pipeline: { start: camera }
                  - lifecycle: low-power-on
              - name: heard
                when: org.example.echo.said
                exec: [./note.sh, "$(payload.words)", "a  b; exit 1"]
                stdin: json

            """
        try await withHost(Self.pipelines + rules, in: place, plugins: ThirdParty.plugins()) { host in
            let variables = try await text("env", in: place).split(separator: "\n").map(String.init)
            #expect(variables.contains("MEDIAHOST_RULE=heard"))
            #expect(variables.contains("MEDIAHOST_EVENT_NAME=org.example.echo.said"))
            #expect(variables.contains("MEDIAHOST_EVENT_SOURCE=echo"))
            #expect(variables.contains(#"MEDIAHOST_EVENT_PAYLOAD={"words":"short is finished"}"#))
            #expect(variables.contains("MEDIAHOST_SOCKET=\(host.socket)"))
            #expect(try await text("words", in: place) == "short is finished\na  b; exit 1\n")
            let event = try JSON(await text("stdin", in: place))
            #expect(event["rule"].string == "heard" && event["name"].string == "org.example.echo.said")
            #expect(event["payload"]["words"].string == "short is finished")
            try await Deadline.poll("what the rule does") {
                let status = try await host.answer("status")
                let isDone =
                    status["pipelines"]["camera"]["state"].string == "playing"
                    && status["lifecycle"]["desired"].list.map(\.string) == ["low-power"]
                return isDone ? true : nil
            }
            let shown = try await rule("ended", host)
            #expect(shown["fired"].int == 1 && shown["failed"].int == 0)
            #expect(shown["does"].list.count == 3)
            #expect(try await host.answer("status")["rules"]["heard"]["fired"].int == 1)
            #expect(
                try await host.ask("metrics").output.contains(#"mediahost_rule_fired_total{rule="ended"} 1"#))
            try await host.terminate()
        }
    }

    @Test func aCircleThroughAPluginIsCutAndToldOnce() async throws {
        let rules = """
            rules:
              - { name: begin, when: lifecycle.locked, call: echo.say, with: { words: first } }
              - { name: again, when: org.example.echo.said, call: echo.say, with: { words: $(payload.words) } }

            """
        try await withHost(Self.pipelines + rules, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            #expect(try await host.ask("lock").ending == .exit(0))
            try await host.log.next(containing: "a loop")
            let shown = try await rule("again", host)
            // begin (1) ▸ said (2) ▸ again (3) ▸ said ▸ (5) ▸ said ▸ (7) ▸ said, the eighth.
            #expect(shown["fired"].int == 3, "\(host.log.text)")
            try await host.terminate()
            #expect(host.log.text.components(separatedBy: "a loop").count == 2, "\(host.log.text)")
        }
    }

    /// What a program asks for with `mediahost` follows from the rule that runs it.
    @Test func aCircleThroughProgramsIsCut() async throws {
        let rules = """
            rules:
              - { name: opens, when: lifecycle.locked, exec: [\(Workplace.mediahost), unlock] }
              - { name: closes, when: lifecycle.unlocked, exec: [\(Workplace.mediahost), lock] }

            """
        try await withHost(Self.pipelines + rules, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            #expect(try await host.ask("lock").ending == .exit(0))
            try await host.log.next(containing: "a loop")
            #expect(try await rule("opens", host)["fired"].int == 2, "\(host.log.text)")
            #expect(try await rule("closes", host)["fired"].int == 2, "\(host.log.text)")
            // Its user's own word is no part of it.
            let isLocked = try await host.answer("status")["lifecycle"]["desired"].list.contains {
                $0.string == "locked"
            }
            #expect(try await host.ask(isLocked ? "unlock" : "lock").ending == .exit(0))
            try await fired(isLocked ? "closes" : "opens", isLocked ? 4 : 3, host)
            try await host.terminate()
        }
    }

    @Test func aCommandOfARuleIsAJobThatCanBeCancelled() async throws {
        let config = """
            mediahost: 1
            pipelines:
              camera: { launch: videotestsrc is-live=true ! fakesink }
            plugins:
              dog: { module: Walker }
            rules:
              - { name: walks, when: lifecycle.locked, call: dog.walk, with: { steps: 1000000, every: 2ms } }

            """
        try await withHost(config, in: Workplace(), plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            #expect(try await host.ask("lock").ending == .exit(0))
            let job = try await Deadline.poll("the job") { try await host.answer("jobs").list.first }
            #expect(job["command"].string == "walk" && job["state"].string == "running")
            let id = try #require(job["id"].string)
            _ = try await host.ask("jobs", "cancel", id)
            try await host.log.next(containing: "rule walks: error: ")
            // Who has asked about it learns what became of it.
            #expect(try await host.answer("jobs", "show", id)["state"].string == "cancelled")
            #expect(try await rule("walks", host)["failed"].int == 1)
            try await host.terminate()
        }
    }

    @Test func aHangingProgramIsEndedWithItsChildren() async throws {
        let place = try Workplace()
        let rules = """
            rules:
              - name: hang
                when: lifecycle.locked
                exec: [sh, -c, "sleep 1000 & echo $! > child.new; echo waiting >&2; mv child.new child; wait"]
                timeout: 10s

            """
        try await withHost(Self.pipelines + rules, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            #expect(try await host.ask("lock").ending == .exit(0))
            let child = try #require(
                pid_t(try await text("child", in: place).trimmingCharacters(in: .whitespacesAndNewlines)))
            // Nobody waits for it meanwhile.
            #expect(try await host.ask("status").ending == .exit(0))
            try await host.log.next(
                containing: "rule hang: error: exec sh: took longer than 10s and was ended: waiting")
            try await Deadline.poll("its child to be gone") { Self.isGone(child) ? true : nil }
            let shown = try await rule("hang", host)
            #expect(shown["failed"].int == 1)
            #expect(shown["last_failure"].string == "exec sh: took longer than 10s and was ended: waiting")
            try await host.terminate()
        }
    }

    @Test func theEndOfTheHostLeavesNoProgram() async throws {
        let place = try Workplace()
        let rules = """
            rules:
              - name: linger
                when: lifecycle.locked
                exec: [sh, -c, "trap '' TERM; sleep 1000 & echo $! > child.new; mv child.new child; wait"]
                timeout: 1h

            """
        try await withHost(Self.pipelines + rules, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "mediahost 0.")
            #expect(try await host.ask("lock").ending == .exit(0))
            let child = try #require(
                pid_t(try await text("child", in: place).trimmingCharacters(in: .whitespacesAndNewlines)))
            try await host.terminate()
            // What became of it is the last that is said.
            #expect(host.log.text.contains("was ended by signal 9"), "\(host.log.text)")
            try await Deadline.poll("its child to be gone") { Self.isGone(child) ? true : nil }
        }
    }

    @Test func aReloadKeepsAndChangesRules() async throws {
        let place = try Workplace()
        let kept = "rules:\n  - { name: kept, when: lifecycle.locked, call: echo.say, with: { words: one } }\n"
        let other = "  - { name: other, when: lifecycle.unlocked, lifecycle: low-power-on }\n"
        try await withHost(Self.pipelines + kept + other, in: place, plugins: ThirdParty.plugins()) { host in
            try await host.log.next(containing: "2 pipelines, 1 plugin, 2 rules")
            _ = try await host.ask("lock")
            try await fired("kept", 1, host)
            try place.write(
                Self.pipelines + kept + other.replacingOccurrences(of: "power-on", with: "power-off"),
                to: "config.yaml")
            let answer = try await host.answer("reload")
            #expect(answer["applied"].bool == true)
            #expect(answer["rules"]["changed"].list.map(\.string) == ["other"])
            #expect(answer["rules"]["unchanged"].int == 1)
            try await fired("kept", 1, host)

            // A command and parameters that the running plugin does not have: nothing is touched.
            let wrong = kept.replacingOccurrences(of: "echo.say, with: { words: one }", with: "echo.sya")
            try place.write(Self.pipelines + wrong, to: "config.yaml")
            let refused = try await host.ask("reload")
            #expect(refused.ending == .exit(3))
            #expect(refused.errors.contains("plugin \"echo\" has no command \"sya\""), "\(refused.errors)")
            #expect(refused.errors.contains("did you mean \"echo.say\"?"))
            try place.write(Self.pipelines + kept.replacingOccurrences(of: "words:", with: "wrods:"), to: "config.yaml")
            let misspelt = try await host.ask("reload")
            #expect(misspelt.errors.contains("unknown key \"wrods\""), "\(misspelt.errors)")
            #expect(misspelt.errors.contains("missing key \"words\""))
            #expect(try await host.answer("rules").list.count == 2)
            try await host.terminate()
        }
    }

    @Test func aCommandThatIsNotThereIsSaidByRun() async throws {
        let place = try Workplace()
        let rules = "rules: [{ when: lifecycle.locked, call: echo.shout }]\n"
        let config = try place.write(Self.pipelines + rules, to: "config.yaml")
        let host = try MediahostProcess(config, in: place, plugins: await ThirdParty.plugins())
        let ending = try await host.child.end()
        #expect(ending == .exit(3), "\(host.log.text)")
        #expect(
            host.log.text.contains(
                "config.yaml:7:41: error: plugin \"echo\" has no command \"shout\""), "\(host.log.text)")
    }

    /// Without running anything: commands, what they are given, and fields of events.
    @Test func checkKnowsWhatARuleCallsAndReads() async throws {
        let place = try Workplace()
        let plugins = ["MEDIAHOST_PLUGIN_PATH": try await ThirdParty.plugins()]
        let rules = """
            rules:
              - { when: lifecycle.locked, call: echo.shout }
              - when: [pipeline.state, pipeline.mode]
                if: { stat: failed, error.code: { not: x }, mode: audio }
                do:
                  - call: echo.say
                    with: { word: "$(payload.nothing.inside)", words: "$(payload.state)" }
                  - call: echo.say
                    with: { words: hello, times: often }
              - { when: org.example.other.thing, call: echo.say, with: { words: "$(payload.anything)" } }

            """
        try place.write(Self.pipelines + rules, to: "config.yaml")
        let check = try await Tool.run(
            Workplace.mediahost, ["check", "config.yaml"], environment: plugins, in: place.directory)
        #expect(check.ending == .exit(3))
        for line in [
            "config.yaml:8:37: error: plugin \"echo\" has no command \"shout\"",
            "config.yaml:10:11: warning: the payload of pipeline.state, pipeline.mode has no field \"stat\"",
            "config.yaml:13:17: error: unknown key \"word\"",
            "config.yaml:13:23: warning: the payload of pipeline.state, pipeline.mode has no field \"nothing\"",
            "config.yaml:15:38: error: \"times\"",
        ] { #expect(check.errors.contains(line), "\(line) in \(check.errors)") }
        let count = check.errors.components(separatedBy: "config.yaml:").count - 1
        #expect(count == 5, "\(check.errors)")
        let good = "rules: [{ when: lifecycle.locked, call: echo.say, with: { words: hello, times: 2 } }]\n"
        try place.write(Self.pipelines + good, to: "config.yaml")
        let sound = try await Tool.require(
            Workplace.mediahost, ["check", "config.yaml"], environment: plugins, in: place.directory)
        #expect(sound.output.contains("1 rule"))
    }

    private static func isGone(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        // Its parent is gone, too: whoever collects it may take a moment.
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return text.components(separatedBy: ") ").last?.hasPrefix("Z") == true
    }
}
