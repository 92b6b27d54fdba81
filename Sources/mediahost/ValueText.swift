internal import HostCore

/// A value for reading: one line a scalar, nested maps indented. Scripts use `--json`. Texts come from files, devices and the network:
/// none moves a terminal's cursor, or forges a line.
enum ValueText {
    static func render(_ value: Value) -> String {
        let lines = lines(of: value)
        return lines.isEmpty ? "done" : lines.joined(separator: "\n")
    }

    private static func lines(of value: Value) -> [String] {
        switch value {
        case .map(let members):
            members.flatMap { member -> [String] in
                if let text = time(member) ?? inline(member.value) { return ["\(label(member.key)): \(text)"] }
                return ["\(TextWidth.printable(member.key)):"] + lines(of: member.value).map { "  \($0)" }
            }
        case .list(let items):
            items.flatMap { item -> [String] in
                if let text = inline(item) { return ["- \(text)"] }
                let nested = lines(of: item)
                return nested.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
            }
        case .null, .bool, .int, .double, .string: inline(value).map { [$0] } ?? []
        }
    }

    /// The unit is said behind the number.
    private static func label(_ key: String) -> String {
        TextWidth.printable(key.hasSuffix("_ns") ? String(key.dropLast(3)) : key)
    }

    /// Nanoseconds, by the name of their key, as seconds.
    private static func time(_ member: Value.Member) -> String? {
        guard member.key.hasSuffix("_ns"), case .int(let nanoseconds) = member.value else { return nil }
        let fraction = String(nanoseconds.magnitude % 1_000_000_000)
        let padding = String(repeating: "0", count: 9 - fraction.utf8.count)
        return "\(nanoseconds < 0 ? "-" : "")\(nanoseconds.magnitude / 1_000_000_000).\(padding)\(fraction) s"
    }

    /// The text of what fits on a line.
    private static func inline(_ value: Value) -> String? {
        switch value {
        case .null: "-"
        case .bool(let flag): flag ? "yes" : "no"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): TextWidth.printable(text)
        case .list(let items):
            items.isEmpty
                ? "-"
                : items.allSatisfy({ inline($0) != nil && $0.list == nil })
                    ? items.compactMap(inline).joined(separator: ", ") : nil
        case .map(let members): members.isEmpty ? "-" : nil
        }
    }
}
