internal import HostCore

/// The commands that tell a running host what happens around it.
extension Command {
    static let lifecycle = [
        client(
            "pause", "Pause a running host; returns when it is quiet",
            details: "Its pipelines do what their `background:` says for `paused`."
        ) { (client, timeout) throws(ControlError) in try client.pause(timeout: timeout) },
        client(
            "resume", "Resume a paused host; returns when its pipelines were started",
            details:
                "Also one that waits for its user after an interruption. What else keeps it quiet, a sleep or another "
                + "interruption, is in the answer, and has to end by itself."
        ) { (client, timeout) throws(ControlError) in try client.resume(timeout: timeout) },
        client(
            "lock", "Tell a running host that the session is locked",
            details: "A locked host goes on, but for pipelines whose `background:` says otherwise for `locked`."
        ) { (client, timeout) throws(ControlError) in try client.setLocked(true, timeout: timeout) },
        client("unlock", "Tell a running host that the session is unlocked") {
            (client, timeout) throws(ControlError) in try client.setLocked(false, timeout: timeout)
        },
        Command(
            name: "interrupt", operands: "begin|end",
            summary: "Tell a running host that something more important has the output, or has it no longer",
            details:
                "Interruptions by several sources may overlap: the last one that ends ends it. With `--resume` the host goes "
                + "on then; without it waits for its user, whose `resume` counts, with its outputs open again. A begin or an "
                + "end that comes twice changes nothing.",
            options: [
                OptionSpec(long: "source", help: "Who interrupts (default: api)", value: "NAME"),
                OptionSpec(long: "resume", help: "end: the host goes on"),
                OptionSpec(long: "no-resume", help: "end: the host waits for its user; the default"),
            ] + clientOptions, words: ["begin", "end"]
        ) { arguments throws(UsageError) in
            let isEnd = try arguments.word(of: ["begin", "end"]) == "end"
            let source = arguments.values["source"]
            let shouldResume = arguments.switches.contains("resume")
            if shouldResume, arguments.switches.contains("no-resume") {
                throw UsageError("--resume and --no-resume contradict each other")
            }
            if !isEnd, let option = ["resume", "no-resume"].first(where: arguments.switches.contains) {
                throw UsageError("--\(option) goes with `interrupt end`")
            }
            return try ask("interrupt", arguments) { (client, timeout) throws(ControlError) in
                isEnd
                    ? try client.endInterruption(source: source, shouldResume: shouldResume, timeout: timeout)
                    : try client.beginInterruption(source: source, timeout: timeout)
            }
        },
        Command(
            name: "low-power", operands: "on|off",
            summary: "Tell a running host that energy is to be saved, or not any more",
            details: "Pipelines do what their `background:` says for `low-power`; plugins are told.",
            options: clientOptions, words: ["on", "off"]
        ) { arguments throws(UsageError) in
            let isOn = try arguments.word(of: ["on", "off"]) == "on"
            return try ask("low-power", arguments) { (client, timeout) throws(ControlError) in
                try client.setLowPower(isOn, timeout: timeout)
            }
        },
    ]
}

extension ParsedArguments {
    /// The one operand of a command that takes one of a few words.
    fileprivate func word(of words: [String]) throws(Command.UsageError) -> String {
        guard let word = operands.first, operands.count == 1 else {
            throw .init("say one of \(words.joined(separator: ", "))")
        }
        guard words.contains(word) else {
            let hint = Suggestion.nearest(to: word, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .init("\"\(word)\" is none of \(words.joined(separator: ", "))\(hint)")
        }
        return word
    }
}
