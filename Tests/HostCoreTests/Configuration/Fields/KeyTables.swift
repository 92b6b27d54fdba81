@testable import HostCore

/// Writes the tables of keys in `docs/configuration.md`.
struct KeyTables {
    private var lines: [String] = []

    static func text() -> String {
        var tables = KeyTables()
        tables.write(ConfigurationFields.file.descriptions, title: "The file", path: "")
        return tables.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ fields: [FieldDescription], title: String, path: String) {
        lines += ["### \(title)", "", "| key | takes | default | meaning |", "|---|---|---|---|"]
        for field in fields {
            let value = field.isRequired ? "required" : field.defaultText.map { "`\($0)`" } ?? ""
            lines.append("| `\(field.key)` | \(field.kind.noun) | \(value) | \(field.summary) |")
        }
        lines.append("")
        for field in fields {
            if case .named(_, .map(let inner, _)) = field.kind {
                write(inner, title: "`\(path)\(field.key).NAME`", path: "\(path)\(field.key).NAME.")
            } else if case .named(_, .oneOf(let kinds)) = field.kind, let inner = kinds.lazy.compactMap(\.keys).first {
                write(inner, title: "`\(path)\(field.key).NAME`", path: "\(path)\(field.key).NAME.")
            } else if case .list(.map(let inner, _)) = field.kind {
                write(inner, title: "`\(path)\(field.key)[]`", path: "\(path)\(field.key)[].")
            } else if let inner = field.kind.keys {
                write(inner, title: "`\(path)\(field.key)`", path: "\(path)\(field.key).")
            }
        }
    }
}
