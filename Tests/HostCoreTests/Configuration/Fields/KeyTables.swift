@testable import HostCore

/// Writes the tables of keys in `docs/configuration.md`.
enum KeyTables {
    static func text() -> String {
        ConfigurationKeys.sections.flatMap { section in
            let title = section.path.isEmpty ? "The file" : "`\(section.path)`"
            let rows = section.keys.map { key in
                let value = key.isRequired ? "required" : key.defaultText.map { "`\($0)`" } ?? ""
                return "| `\(key.name)` | \(key.takes) | \(value) | \(key.summary) |"
            }
            return ["### \(title)", "", "| key | takes | default | meaning |", "|---|---|---|---|"] + rows + [""]
        }.joined(separator: "\n") + "\n"
    }
}
