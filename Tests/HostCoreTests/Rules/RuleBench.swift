import GStreamerKit
import Testing

@testable import HostCore

/// Rules without a file, and events for them.
enum RuleBench {
    static let place = SourceSpan(file: SourceFile(path: "rules.yaml", text: ""), range: 0..<0)

    static func rule(
        _ name: String, when pattern: String = "test.happened", debounce: ClockTime = .zero, count: Int64 = 100,
        period: ClockTime = .seconds(10)
    ) -> RuleSettings {
        var rule = RuleSettings(name, span: place)
        rule.patterns = [EventPattern(pattern)]
        rule.debounce = debounce
        rule.rate = .init(count: count, period: period)
        rule.actions = [RuleAction(kind: .lifecycle(.pause), span: place)]
        return rule
    }

    static func event(
        _ sequence: UInt64, _ name: String = "test.happened", source: String = "porch", depth: UInt32 = 0,
        _ payload: Value = [:]
    ) -> Event {
        Event(
            sequence: sequence, name: name, source: source, payload: payload, monotonic: .zero, realtime: .zero,
            cause: nil, depth: depth)
    }

    /// A file's rules, and all that is said of them.
    static func load(_ rules: String, _ more: String = "") -> (rules: [RuleSettings]?, messages: String) {
        let text = "mediahost: 1\n" + rules + more
        let (loaded, found) = ConfigurationLoader.load(
            SourceFile(path: "porch.yaml", text: text), environment: [:], catalog: TestCatalog())
        return (loaded?.rules, DiagnosticRenderer().render(found))
    }
}
