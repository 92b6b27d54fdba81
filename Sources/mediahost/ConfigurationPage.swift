internal import HostCore

/// `mediahost.yaml.5`: the keys of a config, from the tables that read it.
enum ConfigurationPage {
    static var text: String {
        var lines = [
            ".\\\" Made by `mediahost help --man-config`.",
            ".TH MEDIAHOST.YAML 5 \"\" \"mediahost \(HostVersion.text)\" \"File Formats\"",
            ".SH NAME", "mediahost.yaml \\- configuration of mediahost",
            ".SH DESCRIPTION",
        ]
        for (index, paragraph) in introduction.enumerated() {
            if index > 0 { lines.append(".PP") }
            lines.append(ManualPage.inline(paragraph))
        }
        lines += [".SH KEYS"]
        for section in ConfigurationKeys.sections {
            lines.append(".SS \(section.path.isEmpty ? "The file" : ManualPage.escaped(section.path, isCode: true))")
            for key in section.keys { lines += ManualPage.entry("\(key.name):", meaning(of: key)) }
        }
        lines += [".SH EXAMPLE", ".nf"]
        lines += example.split(separator: "\n").map { ManualPage.escaped($0, isCode: true) }
        lines += [".fi", ".SH SEE ALSO", ".BR mediahost (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func meaning(of key: ConfigurationKeys.Key) -> String {
        let value = key.isRequired ? "required" : key.defaultText.map { "default: `\($0)`" }
        return "\(key.summary). Takes: \(key.takes)" + (value.map { "; \($0)" } ?? "") + "."
    }

    private static let introduction = [
        "One file in YAML, or JSON, says what `mediahost run FILE` runs: pipelines, plugins, rules, and how the host is "
            + "reached. `mediahost check FILE` says everything that is wrong with it and runs nothing; `mediahost reload` "
            + "has a running host read it again.",
        "Unknown keys, keys given twice and values without their unit are errors. A key with nothing behind it counts as "
            + "not written. Durations are written `500ms`, `10s`, `1.5min`, `2h`; sizes `64MiB` or `64MB`; shares `10%`. "
            + "Names have letters, digits, `_` and `-`.",
        "`${NAME}` in a value is a text of `vars:` or of the environment, `${NAME:-default}` one with a default, "
            + "`${secret:NAME}` a secret, and `$${` a literal `${`.",
        "Settings that were saved while the host ran are in a file of their own, which is read last: see `overrides` below.",
    ]

    private static let example = """
        mediahost: 1
        pipelines:
          porch:
            launch: >
              v4l2src name=camera ! videoconvert
              ! x264enc tune=zerolatency key-int-max=30
              ! h264parse name=encoded ! fakesink
            settable: [camera.brightness]
        plugins:
          replay:
            module: ReplayBuffer
            video: porch/encoded.src
        """
}
