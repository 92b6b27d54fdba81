import Foundation
import GStreamerKit
import Testing

@testable import HostCore

@Suite struct ReloadPlanTests {
    private func plan(_ old: String, _ new: String) throws -> ReloadPlan {
        ReloadPlan(from: try configuration(old), to: try configuration(new))
    }

    private func configuration(_ text: String) throws -> HostConfiguration {
        let (configuration, problems) = ConfigurationLoader.load(
            SourceFile(path: "h.yaml", text: "mediahost: 1\n" + text), environment: [:], catalog: TestCatalog())
        return try #require(configuration, "\(DiagnosticRenderer().render(problems))")
    }

    private static let three = """
        pipelines:
          a: { launch: fakesrc ! fakesink }
          b: { launch: fakesrc ! identity ! fakesink }
          c: { launch: videotestsrc ! fakesink }
        plugins:
          p: { module: P, window: 1s }
          q: { module: Q }
        """

    @Test func theSameWrittenElsewhereIsUnchanged() throws {
        let elsewhere = """
            # a comment, other quotes, other lines
            vars: { sink: fakesink }
            pipelines:

              a: { launch: "fakesrc ! ${sink}" }
              b: { launch: 'fakesrc ! identity ! fakesink' }
              c:
                launch: videotestsrc ! fakesink
            plugins:
              p: { module: "P", window: "1s" }
              q: { module: Q }
            """
        let plan = try plan(Self.three, elsewhere)
        #expect(plan.isEmpty)
        #expect(plan.pipelines.unchanged == ["a", "b", "c"])
        #expect(plan.plugins.unchanged == ["p", "q"])
        #expect(plan.toBuild.isEmpty)
    }

    @Test func aVariableThatChangesRebuildsWhatUsesIt() throws {
        let text = "pipelines:\n  a: { launch: \"fakesrc ! ${SINK}\" }\n  b: { launch: fakesrc ! fakesink }\n"
        let plan = try plan("vars: { SINK: fakesink }\n" + text, "vars: { SINK: identity ! fakesink }\n" + text)
        #expect(plan.pipelines.changed == ["a"])
        #expect(plan.pipelines.unchanged == ["b"])
        #expect(plan.toBuild.map(\.name) == ["a"])
    }

    @Test func rulesAloneNeedNoRebuild() throws {
        let plan = try plan(
            "pipelines: { a: { launch: fakesrc ! fakesink } }",
            "pipelines: { a: { launch: fakesrc ! fakesink, background: keep, on-eos: exit } }")
        #expect(plan.pipelines.adjusted == ["a"])
        #expect(plan.forward == .init(stopping: [], ending: [], starting: []))
        #expect(plan.toBuild.isEmpty)
    }

    @Test func everythingAtOnceIsStoppedBackwardsAndStartedForwards() throws {
        let plan = try plan(
            Self.three,
            """
            pipelines:
              d: { launch: fakesrc ! fakesink }
              c: { launch: videotestsrc ! identity ! fakesink }
              b: { launch: fakesrc ! fakesink }
            plugins:
              r: { module: R }
              p: { module: P, window: 2s }
            """)
        #expect(plan.pipelines.removed == ["a"])
        #expect(plan.pipelines.added == ["d"])
        #expect(plan.pipelines.changed == ["c", "b"])
        #expect(plan.plugins.removed == ["q"])
        #expect(plan.plugins.added == ["r"])
        #expect(plan.plugins.changed == ["p"])
        #expect(plan.forward == .init(stopping: ["c", "b", "a"], ending: ["q", "p"], starting: ["d", "c", "b"]))
        #expect(plan.back == .init(stopping: ["b", "c", "d"], ending: ["p", "r"], starting: ["a", "b", "c"]))
        // A plugin is checked against the pads of every pipeline.
        #expect(plan.toBuild.map(\.name) == ["d", "c", "b"])
    }

    /// They were taken over, and the report said that nothing had changed.
    @Test func otherSettingsAreNamed() throws {
        let others = [
            "notifications: off", "login: { bus: off }", "inputs: { keys: { device: /dev/input/event0 } }",
            "outputs: { watch: off }", "plugin-path: [/nowhere]", "overrides: /nowhere/overrides.yaml",
        ]
        let keys = ["notifications", "login", "inputs", "outputs", "plugin-path", "overrides"]
        for (line, key) in zip(others, keys) {
            let plan = try plan(Self.three, "\(Self.three)\n\(line)\n")
            #expect(plan.settings == [key] && !plan.isEmpty)
            #expect(try self.plan("\(Self.three)\n\(line)\n", "\(Self.three)\n\(line)\n").isEmpty)
        }
        let all = try plan(Self.three, ([Self.three] + others).joined(separator: "\n"))
        let report = ReloadReport(.applied, plan: all, took: .milliseconds(3))
        #expect(
            report.summary
                == "reloaded in 3 ms: pipelines: 3 unchanged; plugins: 2 unchanged; settings: changed \(keys.joined(separator: ", "))"
        )
        #expect(report.value["settings"] == .list(keys.map { .string($0) }))
    }

    /// The new one held from then on, and the report said that nothing had changed.
    @Test func aPolicyAloneIsAnAdjustment() throws {
        let plan = try plan(Self.three, Self.three.replacing("module: Q", with: "module: Q, policy: restart"))
        #expect(plan.plugins.adjusted == ["q"] && plan.plugins.unchanged == ["p"] && !plan.isEmpty)
        #expect(plan.forward == .init(stopping: [], ending: [], starting: []) && plan.toBuild.isEmpty)
    }

    /// The file's own word, or that of somebody since; what a start begins must be good, too.
    @Test func whoIsCheckedRunsFromNowOnOrFromTheNextStartOn() throws {
        let without = Self.three.replacing("module: P,", with: "module: P, enabled: false,")
        #expect(try plan(Self.three, without).toCheck([]).map(\.name) == ["q"])
        #expect(try plan(without, without).toCheck(["p"]).map(\.name) == ["q"])
        #expect(try plan(without, without).toCheck([]).map(\.name) == ["p", "q"])
        #expect(try plan(Self.three, Self.three).toCheck(["p"]).map(\.name) == ["p", "q"])
    }

    @Test func theControlSocketNeedsARestart() throws {
        let plan = try plan("control: { socket: /run/a.sock }", "control: { socket: /run/b.sock }")
        #expect(plan.refusals.map(\.message) == ["\"control\" cannot change while the host runs"])
        #expect(try self.plan(Self.three, "").refusals.isEmpty)
    }

    @Test func whatGoesOnWithAnotherConfigIsNeitherEndedNorMadeAnew() throws {
        var plan = try plan(
            Self.three, Self.three.replacing("window: 1s", with: "window: 2s").replacing("module: Q", with: "module: R")
        )
        #expect(plan.plugins.changed == ["p", "q"])
        #expect(plan.changedPlugins.map(\.new.name) == ["p", "q"])
        plan.keep([.init(name: "p", old: ["window": 1], new: ["window": 2])])
        #expect(plan.plugins.changed == ["q"])
        #expect(plan.plugins.adjusted == ["p"])
        #expect(plan.forward.ending == ["q"])
        #expect(plan.back.ending == ["q"])
        #expect(!plan.isEmpty)
    }

    /// What somebody said while it ran counts until the config itself says otherwise than before.
    @Test func whoIsDisabledFollowsAConfigThatChanged() throws {
        let without = Self.three.replacingOccurrences(of: "module: P,", with: "module: P, enabled: false,")
        let off = try plan(Self.three, without)
        #expect(off.plugins.changed == ["p"] && off.disabled([]) == ["p"] && off.disabled(["q"]) == ["p", "q"])
        let on = try plan(without, Self.three)
        #expect(on.plugins.changed == ["p"] && on.disabled(["p", "q"]) == ["q"])
        #expect(try plan(Self.three, Self.three).disabled(["p", "gone"]) == ["p"])
        #expect(try plan(without, without).disabled([]).isEmpty)
        #expect(try plan("", without).disabled([]) == ["p"])
    }
}
