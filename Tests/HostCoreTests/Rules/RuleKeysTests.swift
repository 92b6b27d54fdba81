import GStreamerKit
import Testing

@testable import HostCore

/// The section `rules` of a file.
@Suite struct RuleKeysTests {
    private static let more = """
        pipelines:
          porch: { launch: fakesrc ! fakesink }
          dim: { launch: videotestsrc name=filter ! fakesink, settable: [filter.pattern] }
        plugins: { replay: { module: ReplayBuffer } }

        """

    @Test func everyKeyIsRead() throws {
        let (rules, messages) = RuleBench.load(
            """
            rules:
              - when: lifecycle.locked
                call: replay.save
                with: { last: 30s, to: $(source) }
              - name: alarm
                when: [pipeline.state, plugin.*]
                source: [porch, replay]
                if:
                  state: [failed, stalled]
                  error.code: { not: not-negotiated, present: true }
                  restarts: { at-least: 3, below: 1min }
                debounce: 2s
                rate: 5 per 1min
                do:
                  - pipeline: { restart: $(source) }
                  - lifecycle: interrupt-begin
                  - { exec: [sh, -c, "echo $$(date)", 5], timeout: 2s, stdin: json }
              - { when: lifecycle.locked, lifecycle: pause }

            """, Self.more)
        #expect(messages == "")
        let found = try #require(rules)
        #expect(found.map(\.name) == ["lifecycle.locked", "alarm", "lifecycle.locked-2"])
        #expect(found[0].actions.map(\.summary) == ["call replay.save"])
        #expect(found[0].rate == .init(count: 100, period: .seconds(10)) && found[0].debounce == .zero)
        let alarm = found[1]
        #expect(alarm.patterns == [.name("pipeline.state"), .prefix("plugin.")])
        #expect(alarm.sources == ["porch", "replay"])
        #expect(alarm.debounce == .seconds(2) && alarm.rate == .init(count: 5, period: .seconds(60)))
        #expect(
            alarm.conditions == [
                .init(field: "state", test: .isOne(["failed", "stalled"])),
                .init(field: "error.code", test: .isNone(["not-negotiated"])),
                .init(field: "error.code", test: .isPresent(true)),
                .init(field: "restarts", test: .atLeast(3)), .init(field: "restarts", test: .below(60e9)),
            ])
        let words = try ["sh", "-c", "echo $$(date)", "5"].map { try RuleText($0) }
        let source = try RuleText("$(source)")
        #expect(
            alarm.actions.map(\.kind) == [
                .pipeline(.restart, source, with: nil), .lifecycle(.interruptBegin),
                .exec(words, timeout: .seconds(2), givesPayload: true),
            ])
    }

    @Test func aProgramIsSeenFromTheFile() throws {
        let file = SourceFile(
            path: "/etc/mediahost/porch.yaml",
            text: "mediahost: 1\nrules: [{ when: lifecycle.locked, exec: [./alarm.sh] }]\n")
        let (loaded, _) = ConfigurationLoader.load(file, environment: [:], catalog: nil)
        #expect(loaded?.rules.first?.actions.first?.summary == "exec /etc/mediahost/./alarm.sh")
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var rule: String
        var parts: [String]
        var testDescription: String { rule }

        init(_ rule: String, _ parts: String...) {
            self.rule = rule
            self.parts = parts
        }
    }

    static let mistakes = [
        Mistake("{ call: replay.save }", "porch.yaml:2:12: error: this rule has no \"when\""),
        Mistake("{ when: lifecycle.locked }", "porch.yaml:2:12: error: this rule does nothing"),
        Mistake(
            "{ when: lifecycle.locked, cal: replay.save }",
            "porch.yaml:2:36: error: unknown key \"cal\" in this rule", "did you mean \"call\"?"),
        Mistake(
            "{ when: lifecycle.locked, call: replya.save }", "porch.yaml:2:42: error: no plugin \"replya\"",
            "^~~~~~\n", "did you mean \"replay\"?"),
        Mistake("{ when: lifecycle.locked, call: replay }", "\"replay\" is not PLUGIN.COMMAND"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { restart: prch } }",
            "porch.yaml:2:57: error: no pipeline \"prch\"", "did you mean \"porch\"?"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { restrat: porch } }",
            "unknown key \"restrat\" in \"pipeline\"", "did you mean \"restart\"?"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { stop: porch, start: porch } }",
            "\"pipeline\" says one thing that is done"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { seek: porch } }", "porch.yaml:2:54: error: missing key \"position\""),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { seek: porch }, with: { postion: 5s } }",
            "porch.yaml:2:71: error: unknown key \"postion\"", "did you mean \"position\"?"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { seek: porch }, with: { position: soon } }",
            "porch.yaml:2:81: error: position: \"soon\" is no duration"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { seek: porch }, with: { position: 5s, to: keyframe } }",
            "porch.yaml:2:89: error: \"to\" cannot be \"keyframe\"", "did you mean \"key-frame\"?"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { rate: porch }, with: { rate: 99 } }",
            "porch.yaml:2:77: error: \"rate\""),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { set: dim }, with: { property: filter.patern, value: ball } }",
            "porch.yaml:2:78: error: \"filter.patern\" of pipeline \"dim\" may not be set",
            "did you mean \"filter.pattern\"?"),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { set: dim }, with: { property: filter.pattern } }",
            "porch.yaml:2:66: error: missing key \"value\""),
        Mistake(
            "{ when: lifecycle.locked, pipeline: { stop: porch }, with: { position: 5s } }",
            "porch.yaml:2:69: error: \"with\" goes with \"call\", not with \"pipeline\"", "seek, rate, set"),
        Mistake(
            "{ when: pipeline.mode, pipeline: { rate: porch }, with: { rate: $(payload.mood) } }",
            "porch.yaml:2:74: warning: the payload of pipeline.mode has no field \"mood\""),
        Mistake("{ when: lifecycle.locked, exec: [] }", "porch.yaml:2:42: error: \"exec\" names no program"),
        Mistake("{ when: lifecycle.locked, exec: reboot }", "\"exec\" must be a list"),
        Mistake(
            "{ when: lifecycle.locked, exec: [$(payload.program)] }", "the program of \"exec\" must be written out"),
        Mistake(
            "{ when: lifecycle.locked, exec: [logger, $(paylod)] }",
            "porch.yaml:2:51: error: an event has no field \"paylod\"", "did you mean \"$(payload)\"?"),
        Mistake("{ when: lifecycle.locked, exec: [logger, \"$(name\"] }", "\"$(\" is never closed"),
        Mistake(
            "{ when: lifecycle.locked, lifecycle: pasue }", "\"lifecycle\" cannot be \"pasue\"",
            "did you mean \"pause\"?"),
        Mistake(
            "{ when: lifecycle.locked, lifecycle: pause, exec: [ls] }",
            "this rule has \"lifecycle\" and \"exec\"", "do: [{ lifecycle: ... }, { exec: ... }]"),
        Mistake("{ when: lifecycle.locked, lifecycle: pause, with: { a: 1 } }", "\"with\" goes with \"call\""),
        Mistake("{ when: lifecycle.locked, call: replay.save, timeout: 2s }", "\"timeout\" goes with \"exec\""),
        Mistake(
            "{ when: lifecycle.locked, lifecycle: pause, do: [{ exec: [ls] }] }",
            "this rule has \"do\" beside what it does"),
        Mistake("{ when: lifecycle.locked, do: [] }", "\"do\" must be a list of things to do"),
        Mistake("{ when: lifecycle.locked, do: [{ timeout: 2s }] }", "this entry of \"do\" does nothing"),
        Mistake(
            "{ when: lifecycle.loked, lifecycle: pause }",
            "porch.yaml:2:18: warning: the host has no event \"lifecycle.loked\"",
            "did you mean \"lifecycle.locked\"?"),
        Mistake("{ when: lifecycel.*, lifecycle: pause }", "did you mean \"lifecycle.*\"?"),
        Mistake("{ when: \"*\", lifecycle: pause }", "\"*\" is no name of events"),
        Mistake("{ when: [], lifecycle: pause }", "\"when\" must be a name or a list of names, not an empty list"),
        Mistake(
            "{ when: pipeline.state, source: prch, lifecycle: pause }",
            "porch.yaml:2:42: error: no pipeline or plugin \"prch\"", "did you mean \"porch\"?"),
        Mistake(
            "{ when: pipeline.state, if: { restarts: { abov: 3 } }, lifecycle: pause }",
            "unknown key \"abov\" in the condition on \"restarts\"", "did you mean \"above\"?"),
        Mistake(
            "{ when: pipeline.state, if: { restarts: { above: many } }, lifecycle: pause }",
            "\"above\" must be a number, a duration or a size"),
        Mistake("{ when: pipeline.state, if: { state: }, lifecycle: pause }", "{ present: false }"),
        Mistake("{ when: pipeline.state, if: { a..b: 1 }, lifecycle: pause }", "\"a..b\" is no field"),
        Mistake("{ when: pipeline.state, if: failed, lifecycle: pause }", "\"if\" must be a map"),
        Mistake("{ when: pipeline.state, rate: often, lifecycle: pause }", "\"rate\" must be a number per time"),
        Mistake(
            "{ when: pipeline.first-buffer, pipeline: { restart: porch } }",
            "warning: rule \"pipeline.first-buffer\" starts itself: pipeline restart porch brings about"),
        Mistake(
            "{ when: pipeline.state, if: { state: [playing, failed] }, pipeline: { restart: $(source) } }",
            "starts itself"),
        Mistake("{ name: a b, when: pipeline.state, lifecycle: pause }", "\"a b\" is no name for a rule"),
    ]

    @Test(arguments: mistakes) func mistakesAreSaidAtTheirPlaces(_ mistake: Mistake) {
        let (_, messages) = RuleBench.load("rules: [ \(mistake.rule) ]\n", Self.more)
        for part in mistake.parts { #expect(messages.contains(part), "\(messages)") }
    }

    @Test(arguments: [
        "{ when: pipeline.state, if: { state: failed }, pipeline: { restart: porch } }",
        "{ when: pipeline.state, source: replay, pipeline: { restart: porch } }",
        "{ when: pipeline.state, if: { error.code: timeout }, pipeline: { restart: porch } }",
        "{ when: lifecycle.did-pause, lifecycle: pause }",
        "{ when: rule.failed, exec: [/bin/true] }",
        "{ when: org.example.motion, lifecycle: resume }",
        "{ when: org.example.motion, pipeline: { seek: porch }, with: { position: $(payload.at), to: key-frame } }",
        "{ when: org.example.motion, pipeline: { set: dim }, with: { property: $(payload.what), value: $(source) } }",
    ])
    func whatEndsByItselfIsNoLoop(_ rule: String) {
        #expect(RuleBench.load("rules: [ \(rule) ]\n", Self.more).messages == "")
    }

    @Test func namesAreTheirsAlone() {
        let (rules, messages) = RuleBench.load(
            """
            rules:
              - { name: a, when: lifecycle.locked, lifecycle: pause }
              - { name: a, when: lifecycle.unlocked, lifecycle: resume }

            """)
        #expect(rules == nil)
        #expect(messages.contains("porch.yaml:4:7: error: there are two rules \"a\""), "\(messages)")
        #expect(messages.contains("this is the first"))
    }

    @Test func everyFileAddsItsOwn() throws {
        let files = try TestFiles([
            "porch.yaml": """
            mediahost: 1
            include: conf.d/*.yaml
            rules: [{ when: lifecycle.locked, lifecycle: pause }]
            """,
            "conf.d/10.yaml": "rules: [{ name: first, when: lifecycle.unlocked, lifecycle: resume }]\n",
            "conf.d/20.yaml": "rules:\n",
        ])
        let (loaded, found) = files.load()
        #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
        #expect(loaded?.rules.map(\.name) == ["first", "lifecycle.locked"])
    }

    @Test func itIsAList() {
        let (_, messages) = RuleBench.load("rules: { when: lifecycle.locked }\n")
        #expect(messages.contains("\"rules\" must be a list of rules, not a map"))
    }

    @Test func missingProgramsAreWarnings() throws {
        let (rules, _) = RuleBench.load(
            "rules: [{ when: lifecycle.locked, do: [{ exec: [/bin/sh] }, { exec: [sh] }, { exec: [/no/such] }, { exec: [nosuch] }] }]\n"
        )
        let found = RuleCheck.programs(try #require(rules), path: "/nowhere:/bin:/usr/bin")
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(
            found.map(\.message) == [
                "cannot run \"/no/such\": No such file or directory", "there is no program \"nosuch\" in $PATH",
            ])
    }
}
