internal import CGLib
internal import HostCore

extension Command {
    /// `mediahost top`
    static let top = Command(
        name: "top", summary: "A live screen of a running host and its pipelines: frames, bits, CPU, drops, latency",
        details: """
            Until `q` or Ctrl-C. Frames and bits are what came in a second to a sink, the pad of a muxer or from a live source, a line for each where a pipeline has several; CPU is that of the host, and of each pipeline's streaming threads. Each picture is one request for the metrics.
            `--once` prints one picture of one interval and ends; that is for scripts, too.
            """,
        options: placeOptions + [
            OptionSpec(
                long: "timeout", short: "t", help: "How long to wait for each answer (default 30)", value: "SECONDS"),
            intervalOption,
            OptionSpec(long: "once", help: "One picture, without colours"),
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let interval = try interval(arguments)
        var screen = TopScreen()
        if arguments.switches.contains("once") {
            if let code = try feed(&screen, arguments) { return code }
            g_usleep(gulong(interval * 1_000_000))
            if let code = try feed(&screen, arguments) { return code }
            Output.line(
                screen.lines(now: now, columns: Terminal.columns(Terminal.output)).joined(separator: "\n"))
            return .success
        }
        return try live(every: interval, instead: "give --once for one picture") {
            (canvas, beforeError) throws(UsageError) in
            if let code = try feed(&screen, arguments, beforeError: beforeError) { return .failure(code) }
            return .success(
                screen.lines(
                    now: now, columns: canvas.columns, rows: canvas.rows, hasColours: canvas.hasColours))
        }
    }

    /// Asks once. Returns the code to end with where nobody answers.
    private static func feed(
        _ screen: inout TopScreen, _ arguments: ParsedArguments, beforeError: () -> Void = {}
    ) throws(UsageError) -> ExitCode? {
        let metrics = try answer("top", arguments, beforeError: beforeError) { (client, timeout) throws(ControlError) in
            try client.metrics(timeout: timeout)
        }
        switch metrics {
        case .failure(let code): return code
        case .success(let text):
            screen.feed(text, at: Double(g_get_monotonic_time()) / 1e6)
            return nil
        }
    }

    private static var now: Double { Double(g_get_real_time()) / 1e6 }
}
