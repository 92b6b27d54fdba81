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

    /// Sections that have no default worth showing.
    static let examples = [
        "templates": """
        #templates:
        #  camera:
        #    # type: text, integer, number, boolean, duration, size or choice; required unless there is a default
        #    parameters:
        #      device: { type: text, required: true, description: the camera's device file }
        #      width: { type: integer, minimum: 16, maximum: 8192, default: 1280 }
        #      format: { type: choice, choices: [NV12, YUY2], default: NV12 }
        #    launch: v4l2src device=${device} ! video/x-raw,format=${format},width=${width} ! fakesink
        #    background: stop
        """,
        "plugins": """
        #plugins:
        #  replay:
        #    module: ReplayBuffer        # the other keys are the plugin's own
        #    video: camera/encoded.src
        """,
        "inputs": """
        #inputs:
        #  front:
        #    device: /dev/input/by-path/platform-gpio-keys-event
        #    keys: [KEY_POWER, KEY_VOLUMEUP, KEY_VOLUMEDOWN]
        #    long: 600ms
        #    hold: 2s
        #    grab: false
        """,
        "rules": """
        #rules:
        #  - when: lifecycle.locked
        #    call: replay.save
        #    with: { last: 30s }
        #  - name: porch-is-down
        #    when: pipeline.state
        #    source: example             # pipelines and plugins by name, or host
        #    if: { state: [failed, stalled], restarts: { at-least: 3 } }
        #    debounce: 2s                # after so long without another such event
        #    rate: 5 per 1min
        #    do:
        #      - exec: [logger, "$(source) is $(payload.state)"]
        #        timeout: 30s
        #        stdin: none             # or json: the event
        #      - pipeline: { restart: example }
        #      - lifecycle: low-power-on
        """,
    ]

    private mutating func write(_ fields: [FieldDescription], depth: Int) {
        for field in fields {
            if depth == 0 { lines.append("") }
            line("# \(field.summary) (\(field.kind.noun))", depth)
            if depth == 0, let example = Self.examples[field.key] {
                lines.append(example)
            } else if case .named(_, .map(let inner, _)) = field.kind {
                line("\(field.key):", depth)
                line("example:", depth + 1)
                write(inner, depth: depth + 2)
            } else if let keys = field.kind.keys, field.example == nil,
                field.defaultText == "{}" || !field.kind.takesScalars
            {
                line("\(field.key):", depth, !keys.contains { $0.defaultText != nil })
                write(keys, depth: depth + 1)
            } else if let value = field.isRequired ? field.example : field.defaultText {
                line("\(field.key): \(value)", depth)
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
