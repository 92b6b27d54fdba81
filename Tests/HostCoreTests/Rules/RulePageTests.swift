import Foundation
import Testing

@testable import HostCore

/// What `docs/rules.md` shows can be copied.
@Suite struct RulePageTests {
    private static let around = """
        mediahost: 1
        pipelines: { porch: { launch: fakesrc ! fakesink } }
        plugins: { replay: { module: ReplayBuffer } }

        """

    private func page() throws -> String {
        try String(contentsOfFile: "\(ReferenceTests.checkout)/docs/rules.md", encoding: .utf8)
    }

    @Test func itsExamplesAreValid() throws {
        let examples = try page().components(separatedBy: "```yaml\n").dropFirst()
            .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
        #expect(examples.count >= 3)
        for example in examples {
            let (loaded, found) = ConfigurationLoader.load(
                SourceFile(path: "rules.md", text: Self.around + example), environment: [:], catalog: nil)
            #expect(found.isEmpty, "\(DiagnosticRenderer().render(found))")
            #expect(loaded?.rules.isEmpty == false)
        }
    }

    @Test func itNamesEveryKeyAndWord() throws {
        let page = try page()
        let words =
            ConfigurationFields.rule.descriptions.map(\.key) + ConfigurationFields.ruleTests.descriptions.map(\.key)
            + RulePipelineVerb.allCases.map(\.rawValue) + RuleLifecycle.allCases.map(\.rawValue)
            + RuleDrop.allCases.map(\.rawValue)
        // `is` is what a plain value means.
        for word in words where word != "is" { #expect(page.contains(word), "\(word)") }
    }

    /// Names that are posted and not listed would be called misspelt.
    @Test func theHostsEventsAreListed() throws {
        let changes: [LifecycleChange] = [.willPause, .didPause, .willResume, .didResume, .changed]
        let notices: [LifecycleNotice] = [
            .locked, .unlocked, .interrupted(source: ""), .lowPower(true),
            .interruptionEnded(source: "", shouldResume: true, isOver: true),
        ]
        for name in changes.map(\.eventName) + notices.map(\.eventName) { #expect(HostEvents.names.contains(name)) }
        for notice in notices {
            let fields = HostEvents.all.first { $0.name == notice.eventName }?.fields
            #expect(fields == notice.payload.members?.map(\.key), "\(notice)")
        }
        #expect(HostEvents.explain("pipeline.state") == nil)
        #expect(HostEvents.explain("org.example.thing") == nil)
        #expect(HostEvents.explain("pipeline.stat")?.suggestion == "pipeline.state")
        #expect(HostEvents.explain("lifecycle.moon")?.message == "the host has no event \"lifecycle.moon\"")
    }
}
