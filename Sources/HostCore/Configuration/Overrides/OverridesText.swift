/// The text of the overrides file: YAML in the form of a configuration, written by the host.
///
/// Texts are always in quotes, so nothing of a value means anything to YAML.
/// - Thread: any. Pure.
enum OverridesText {
    static let header = """
        # Settings that were changed while mediahost ran and were to be kept (`--save`). Written by mediahost: comments
        # are lost, values may be edited. It is read after the config and wins over it, as far as `settable:` allows.
        # `mediahost config overrides` lists what is here, `mediahost config reset` takes it away.

        """

    /// - Parameter document: a map.
    static func render(_ document: Value) -> String {
        var lines: [String] = ["mediahost: \(HostConfiguration.currentVersion)"]
        for member in document.members ?? [] where member.key != "mediahost" { write(member, depth: 0, to: &lines) }
        return header + lines.joined(separator: "\n") + "\n"
    }

    private static func write(_ member: Value.Member, depth: Int, to lines: inout [String]) {
        let start = String(repeating: "  ", count: depth) + key(member.key) + ":"
        guard case .map(let members) = member.value, !members.isEmpty else {
            lines.append("\(start) \(inline(member.value))")
            return
        }
        lines.append(start)
        for inner in members { write(inner, depth: depth + 1, to: &lines) }
    }

    private static func inline(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): inQuotes(text)
        case .list(let items): "[\(items.map(inline).joined(separator: ", "))]"
        case .map(let members):
            "{\(members.map { "\(inQuotes($0.key)): \(inline($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Names of pipelines, plugins and most properties need no quotes.
    private static func key(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_-.".utf8.contains($0) }
        let isWord = text.utf8.first?.isASCIILetter ?? false
        let hasMeaning = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain && isWord && !hasMeaning ? text : inQuotes(text)
    }

    /// In double quotes. What libyaml takes for a break or for no character at all is escaped.
    private static func inQuotes(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: result += "\\\(Character(scalar))"
            case 0..<0x20, 0x7F...0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
