@testable import HostCore

/// Writes `mediahost.yaml`: every key with its default, or, behind a `#`, with an example where it has none.
struct ReferenceFile {
    private var lines: [String] = []

    static func text() -> String {
        var file = ReferenceFile()
        file.lines = header
        file.write(ConfigurationFields.file.descriptions, depth: 0)
        return file.lines.joined(separator: "\n") + "\n"
    }

    private static let header = [
        "# Every key of a mediahost configuration with its default: a key that is left out means what is written here.",
        "# Keys without a default are commented out (#key: example). Written by `make docs`; docs/configuration.md says more.",
        "# yaml-language-server: $schema=docs/mediahost.schema.json",
    ]

    /// What the maps of named things hold here. Pipelines show their defaults, the others are examples only.
    private static let names = ["pipelines": "example", "plugins": "replay", "templates": "camera"]

    private mutating func write(_ fields: [FieldDescription], depth: Int, asExample: Bool = false) {
        for field in fields {
            if depth == 0 { lines.append("") }
            if !asExample { line("# \(field.summary) (\(field.kind.noun))", depth) }
            if case .named(_, .map(let inner, _)) = field.kind, let name = Self.names[field.key] {
                let asExample = field.key != "pipelines"
                line("\(field.key):", depth, asExample)
                line("\(name):", depth + 1, asExample)
                write(inner.filter { !asExample || $0.isRequired }, depth: depth + 2, asExample: asExample)
            } else if let keys = field.kind.keys, field.defaultText == "{}" || !field.kind.takesScalars {
                line("\(field.key):", depth, asExample)
                write(keys, depth: depth + 1, asExample: asExample)
            } else if let value = field.isRequired ? field.example : field.defaultText {
                line("\(field.key): \(value)", depth, asExample)
            } else {
                line("\(field.key): \(field.example ?? "")", depth, true)
            }
        }
    }

    /// An example is commented out at the beginning of its line, so that what is left is indented as it must be.
    private mutating func line(_ text: String, _ depth: Int, _ asExample: Bool = false) {
        lines.append((asExample ? "#" : "") + String(repeating: "  ", count: depth) + text)
    }

    /// The same file with its examples in force.
    static func withExamples(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let example = line.first == "#" && !line.hasPrefix("# ") || line.hasPrefix("#  ")
            return example ? String(line.dropFirst()) : String(line)
        }.joined(separator: "\n")
    }
}

extension FieldKind {
    var takesScalars: Bool {
        switch self {
        case .map, .named, .list: false
        case .oneOf(let kinds): kinds.contains(where: \.takesScalars)
        default: true
        }
    }
}
