internal import HostCore

extension Command {
    /// `mediahost pipeline mode NAME audio`, `mediahost pipeline seek NAME 1min`
    static let pipeline = Command(
        name: "pipeline", operands: "play | pause | position | mode | seek | rate | snapshot PIPELINE [VALUE]",
        summary: "Drive one pipeline of a running host as a player, or see what it shows",
        details: """
            `mode PIPELINE audio` takes the pictures out while the sound goes on without a gap: video sinks and the decoders before them are at rest. `mode PIPELINE video` brings back the picture that belongs to the sound. The mode stays over restarts.
            `seek PIPELINE 90s` goes to that very sample and picture, with `--key-frame` to the key frame before it, which is faster. `rate PIPELINE 1.5` plays faster. `position PIPELINE` says where it is.
            `snapshot PIPELINE` writes a picture of what it shows; `snapshot PIPELINE camera.src` of what passes that pad, where it is encoded of the next key frame. The name of the output says whether it is a JPEG or a PNG.
            `pause` and `play` are for this pipeline alone; `mediahost pause` makes the whole host quiet.
            """,
        options: clientOptions + [
            OptionSpec(long: "key-frame", short: "k", help: "For `seek`: to the key frame before")
        ] + snapshotOptions, words: words.map(\.name)
    ) { arguments throws(UsageError) in
        guard let word = arguments.operands.first else { throw UsageError("give \(list)") }
        guard let known = words.first(where: { $0.name == word }) else {
            let hint = Suggestion.nearest(to: word, among: words.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw UsageError("there is no \"pipeline \(word)\"\(hint)")
        }
        if arguments.switches.contains("key-frame"), word != "seek" {
            throw UsageError("--key-frame is for `pipeline seek`, not for `pipeline \(word)`")
        }
        if word == "snapshot" { return try snapshot(arguments) }
        if let option = snapshotOptions.first(where: { arguments.values[$0.long] != nil }) {
            throw UsageError("--\(option.long) is for `pipeline snapshot`, not for `pipeline \(word)`")
        }
        guard arguments.operands.count == (known.value == nil ? 2 : 3) else {
            throw UsageError("name one pipeline" + (known.value.map { " and \($0)" } ?? ""))
        }
        let body = try body(word, arguments)
        return try ask("pipeline \(word)", arguments) { (client, timeout) throws(ControlError) in
            let name = arguments.operands[1]
            return word == "position"
                ? try client.playback(of: name, timeout: timeout)
                : try client.perform(word, body, on: name, timeout: timeout)
        }
    }

    /// What there is, and what it takes beside the pipeline.
    private static let words: [(name: String, value: String?)] = [
        ("play", nil), ("pause", nil), ("position", nil), ("mode", "audio or video"),
        ("seek", "a place, as 1min or 90s"),
        ("rate", "a speed, as 1.5"), ("snapshot", "a pad, as camera.src"),
    ]

    private static var list: String { words.map(\.name).joined(separator: ", ") }

    private static func body(_ word: String, _ arguments: ParsedArguments) throws(UsageError) -> Value? {
        let text = arguments.operands.last ?? ""
        switch word {
        case "mode": return ["mode": .string(text)]
        case "seek":
            return [
                "position": .string(text),
                "to": .string(arguments.switches.contains("key-frame") ? "key-frame" : "accurate"),
            ]
        case "rate":
            guard let rate = Double(text), rate.isFinite else { throw UsageError("\"\(text)\" is no speed, as 1.5 is") }
            return ["rate": .double(rate)]
        default: return nil
        }
    }
}
