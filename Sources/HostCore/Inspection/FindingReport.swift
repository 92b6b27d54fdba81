/// Findings as a page for people or as a value for scripts.
public struct FindingReport: Sendable, Equatable {
    public var findings: [Finding]

    public init(_ findings: [Finding]) { self.findings = findings }

    public func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }

    /// Whether nothing is in the way.
    public var isHealthy: Bool { count(.error) == 0 }

    public var value: Value {
        [
            "healthy": .bool(isHealthy), "errors": .int(Int64(count(.error))),
            "warnings": .int(Int64(count(.warning))), "findings": .list(findings.map(\.value)),
        ]
    }

    /// A topic a paragraph, in the order of their first findings.
    public func render(colour: Bool = false) -> String {
        var topics: [String] = []
        for finding in findings where !topics.contains(finding.topic) { topics.append(finding.topic) }
        var text = ""
        for topic in topics {
            text += paint(topic, "1", colour) + "\n"
            for finding in findings where finding.topic == topic { text += render(finding, colour) }
        }
        return text + summary
    }

    /// "1 error, 2 warnings".
    public var summary: String {
        func phrase(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return "\(phrase(count(.error), "error")), \(phrase(count(.warning), "warning"))"
    }

    private func render(_ finding: Finding, _ colour: Bool) -> String {
        let code =
            switch finding.level {
            case .ok: "32"
            case .warning: "1;35"
            case .error: "1;31"
            }
        let word = finding.level.rawValue
        let margin = String(repeating: " ", count: 11)
        let label = "  " + paint(word, code, colour) + String(repeating: " ", count: 9 - word.count)
        var text = label + Self.lines(finding.text, margin)
        if let fix = finding.fix { text += margin + paint("do: ", "36", colour) + Self.lines(fix, margin + "    ") }
        return text
    }

    private static func lines(_ text: String, _ margin: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.joined(separator: "\n" + margin) + "\n"
    }

    private func paint(_ text: String, _ code: String, _ colour: Bool) -> String {
        colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
