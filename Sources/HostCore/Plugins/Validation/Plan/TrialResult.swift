internal import GStreamerKit

/// One trial that was held.
public struct TrialResult: Sendable, Equatable {
    var step: TrialStep
    var verdict: TrialVerdict
    var notes: [String] = []
    var took = ClockTime.zero

    public var isGood: Bool { verdict.isGood }

    public var value: Value {
        var members: [Value.Member] = [
            .init("name", .string(step.name)), .init("trial", .string(step.trial.rawValue)),
            .init("serialised", .bool(step.isSerialised)), .init("verdict", .string(verdict.word)),
            .init("took_ns", .int(took.nanoseconds)),
        ]
        func faults(_ list: [TrialFault]) { members.append(.init("faults", .list(list.map(\.value)))) }
        switch verdict {
        case .passed: break
        case .failed(let list): faults(list)
        case .crashed(let text, let words, let list), .hung(let text, let words, let list):
            members.append(.init("reason", .string(text)))
            if !words.isEmpty { members.append(.init("last_words", .string(words))) }
            if !list.isEmpty { faults(list) }
        case .skipped(let text), .broken(let text): members.append(.init("reason", .string(text)))
        }
        if !notes.isEmpty { members.append(.init("notes", .list(notes.map { .string($0) }))) }
        return .map(members)
    }

    /// A line, and under it what is wrong.
    /// - Parameter told: what earlier results have said already, and is not said at length again.
    public func text(_ told: inout Set<String>) -> String {
        let milliseconds = took.nanoseconds / 1_000_000
        let seconds = "\(milliseconds / 1000).\(String(milliseconds % 1000 / 10 + 100).dropFirst())"
        func pad(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var lines = ["  \(pad(isGood ? verdict.word : verdict.word.uppercased(), 9))\(pad(step.name, 22))\(seconds) s"]
        func faults(_ list: [TrialFault]) {
            for fault in list {
                guard told.insert(fault.found).inserted else {
                    lines.append("      \(fault.found) (as above)")
                    continue
                }
                lines += ["      \(fault.found)", "        expected: \(fault.expected)", "        fix: \(fault.fix)"]
            }
        }
        switch verdict {
        case .passed: break
        case .failed(let list): faults(list)
        case .crashed(let text, let words, let list), .hung(let text, let words, let list):
            lines.append("      \(text)")
            if !words.isEmpty { lines.append("        it wrote: \(words)") }
            faults(list)
        case .skipped(let text), .broken(let text): lines.append("      \(text)")
        }
        return (lines + notes.map { "      note: \($0)" }).joined(separator: "\n")
    }
}
