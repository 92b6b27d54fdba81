internal import HostCore

extension Command {
    /// `mediahost pipeline list`, `mediahost pipeline mode NAME audio`, `mediahost pipeline seek NAME 1min`
    static let pipeline = Command(
        name: "pipeline", operands: "list | WORD PIPELINE [VALUE]",
        summary: "List the pipelines of a running host, look into one, drive it, see what it shows",
        details: """
            WORD is show, start, stop, restart, get, set, graph, play, pause, position, mode, seek, rate or snapshot. `list` has a line for each pipeline; `show PIPELINE` says everything of one, with the properties that may be set. `restart PIPELINE` stops it, waits until its files are finished, and starts it again. `graph PIPELINE` draws what it is made of: `--format dot`, `svg` (drawn by the host's graphviz) or `json`.
            `get PIPELINE camera.brightness` and `set PIPELINE camera.brightness 0.2` are for properties that the config's `settable:` lists; with `--save` the value holds after a restart, too.
            `mode PIPELINE audio` takes the pictures out while the sound goes on without a gap: video sinks and the decoders before them are at rest. `mode PIPELINE video` brings back the picture that belongs to the sound. The mode stays over restarts.
            `seek PIPELINE 90s` goes to that very sample and picture, with `--key-frame` to the key frame before it, which is faster. `rate PIPELINE 1.5` plays faster. `position PIPELINE` says where it is.
            `snapshot PIPELINE` writes a picture of what it shows; `snapshot PIPELINE camera.src` of what passes that pad, where it is encoded of the next key frame. The name of the output says whether it is a JPEG or a PNG.
            `pause` and `play` are for this pipeline alone; `mediahost pause` makes the whole host quiet.
            """,
        options: clientOptions + [
            OptionSpec(long: "key-frame", short: "k", help: "For `seek`: to the key frame before"),
            OptionSpec(long: "save", help: "For `set`: it holds after a restart, too"),
        ] + snapshotOptions, words: words.map(\.name)
    ) { arguments throws(UsageError) in
        guard let word = arguments.operands.first else { throw UsageError("give \(allWords)") }
        guard let known = words.first(where: { $0.name == word }) else {
            let hint = Suggestion.nearest(to: word, among: words.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw UsageError("there is no \"pipeline \(word)\"\(hint)")
        }
        if arguments.switches.contains("key-frame"), word != "seek" {
            throw UsageError("--key-frame is for `pipeline seek`, not for `pipeline \(word)`")
        }
        if arguments.switches.contains("save"), word != "set" {
            throw UsageError("--save is for `pipeline set`, not for `pipeline \(word)`")
        }
        if word == "snapshot" { return try snapshot(arguments) }
        let isGraph = word == "graph"
        if let option = snapshotOptions.first(where: { option in
            arguments.values[option.long] != nil && !(isGraph && ["output", "format"].contains(option.long))
        }) {
            throw UsageError("--\(option.long) is for `pipeline snapshot`, not for `pipeline \(word)`")
        }
        if word == "list" { return try list(arguments) }
        if isGraph { return try pipelineGraph(arguments) }
        if word == "set" { return try set(arguments) }
        guard arguments.operands.count == (known.value == nil ? 2 : 3) else {
            throw UsageError("name one pipeline" + (known.value.map { " and \($0)" } ?? ""))
        }
        let body = try body(word, arguments)
        return try ask("pipeline \(word)", arguments) { (client, timeout) throws(ControlError) in
            let name = arguments.operands[1]
            switch word {
            case "position": return try client.playback(of: name, timeout: timeout)
            case "show": return try client.pipeline(name, timeout: timeout)
            case "start": return try client.start(pipeline: name, timeout: timeout)
            case "stop": return try client.stop(pipeline: name, timeout: timeout)
            case "get": return try client.property(arguments.operands[2], of: name, timeout: timeout)
            case "restart": return try client.restart(pipeline: name, timeout: timeout)
            default: return try client.perform(word, body, on: name, timeout: timeout)
            }
        }
    }

    /// What there is, and what it takes beside the pipeline.
    private static let words: [(name: String, value: String?)] = [
        ("list", nil), ("show", nil), ("start", nil), ("stop", nil), ("restart", nil),
        ("get", "ELEMENT.PROPERTY"), ("set", "ELEMENT.PROPERTY and its value"), ("graph", nil), ("play", nil),
        ("pause", nil),
        ("position", nil),
        ("mode", "audio or video"),
        ("seek", "a place, as 1min or 90s"),
        ("rate", "a speed, as 1.5"), ("snapshot", "a pad, as camera.src"),
    ]

    private static var allWords: String { words.map(\.name).joined(separator: ", ") }

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

    /// `set NAME ELEMENT.PROPERTY VALUE`, and with `=` as the shorter `mediahost set` has it.
    private static func set(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let operands = arguments.operands
        let pair: (key: String, value: String)? =
            operands.count == 4 ? (operands[2], operands[3]) : operands.count == 3 ? keyAndValue(operands[2]) : nil
        guard let pair else { throw UsageError("name one pipeline, ELEMENT.PROPERTY and its value") }
        return try change("pipeline set", arguments) { (client, timeout, saving) throws(ControlError) in
            try client.set(pair.key, of: operands[1], to: pair.value, saving: saving, timeout: timeout)
        }
    }

    // MARK: What there is

    private static func list(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard arguments.operands.count == 1 else { throw UsageError("`pipeline list` takes nothing else") }
        let rows = try answer("pipeline list", arguments) { (client, timeout) throws(ControlError) in
            try client.pipelines(timeout: timeout)
        }
        switch rows {
        case .failure(let code): return code
        case .success(let value) where arguments.switches.contains("json"): Output.json(value)
        case .success(let value):
            let lines = (value.list ?? []).map { row in
                [
                    row["name"]?.string ?? "", row["state"]?.string ?? "", row["health"]?.string ?? "",
                    "\(row["restarts"]?.int ?? 0)", row["position_ns"]?.int.map(seconds) ?? "-",
                    row["reason"]?["text"]?.string ?? "",
                ]
            }
            guard !lines.isEmpty else {
                Output.line("there are no pipelines")
                return .success
            }
            for line in TextTable.lines([["NAME", "STATE", "HEALTH", "RESTARTS", "POSITION", "REASON"]] + lines) {
                Output.line(line)
            }
        }
        return .success
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private static func pipelineGraph(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard arguments.operands.count == 2 else { throw UsageError("name one pipeline") }
        let output = arguments.values["output"]
        let byName = [".svg": "svg", ".json": "json"].first { output?.hasSuffix($0.key) == true }?.value
        let text = arguments.values["format"] ?? (arguments.switches.contains("json") ? "json" : byName ?? "dot")
        guard let format = GraphFormat(rawValue: text) else {
            let formats = GraphFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--format is one of \(formats), not \"\(text)\"")
        }
        let graph = try answer("pipeline graph", arguments) { (client, timeout) throws(ControlError) in
            try client.graph(pipeline: arguments.operands[1], format: format, timeout: timeout)
        }
        switch graph {
        case .failure(let code): return code
        case .success(let graph): return deliver(Array((graph.hasSuffix("\n") ? graph : graph + "\n").utf8), to: output)
        }
    }
}
