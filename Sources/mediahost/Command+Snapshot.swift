internal import HostCore

/// `mediahost pipeline snapshot NAME [ELEMENT.PAD] --output FILE`
extension Command {
    static let snapshotOptions = [
        OptionSpec(long: "output", short: "o", help: "For `snapshot` and `graph`: write to this file", value: "FILE"),
        OptionSpec(
            long: "format", short: "f",
            help: "For `snapshot` jpeg or png, for `graph` dot, svg or json (default: by the name of the output)",
            value: "FORMAT"),
        OptionSpec(long: "width", short: "W", help: "For `snapshot`: scaled to this", value: "PIXELS"),
        OptionSpec(long: "height", short: "H", help: "For `snapshot`: scaled to this", value: "PIXELS"),
    ]

    static func snapshot(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard (2...3).contains(arguments.operands.count) else {
            throw UsageError("name one pipeline, and a pad if you like, as camera.src")
        }
        let output = arguments.values["output"]
        guard output != nil || !Terminal.isInteractive(Terminal.output) else {
            throw UsageError("a picture is nothing for a terminal: give --output FILE")
        }
        var query: [(name: String, value: String)] = []
        if arguments.operands.count == 3 { query.append(("pad", arguments.operands[2])) }
        let format = arguments.values["format"] ?? (output?.hasSuffix(".png") == true ? "png" : nil)
        if let format { query.append(("format", format)) }
        for side in ["width", "height"] {
            if let value = arguments.values[side] { query.append((side, value)) }
        }
        let picture = try answer("pipeline snapshot", arguments) { (client, timeout) throws(ControlError) in
            try client.snapshot(of: arguments.operands[1], query, timeout: timeout)
        }
        switch picture {
        case .failure(let code): return code
        case .success(let bytes): return deliver(bytes, to: output)
        }
    }

    static func deliver(_ bytes: [UInt8], to output: String?) -> ExitCode {
        guard let output, output != "-" else {
            Output.write(bytes, to: Terminal.output)
            return .success
        }
        do throws(OutputFile.Failure) {
            try OutputFile.write(bytes, to: output, replacing: true)
            return .success
        } catch {
            if case .cannot(let reason) = error { Output.error("mediahost pipeline: \(reason)") }
            return .failure
        }
    }
}
