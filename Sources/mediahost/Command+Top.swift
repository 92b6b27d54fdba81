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
            OptionSpec(
                long: "interval", short: "i", help: "Seconds between two pictures, 0.1 to 3600 (default 1)",
                value: "SECONDS"),
            OptionSpec(long: "once", help: "One picture, without colours"),
        ]
    ) { arguments throws(UsageError) in
        try arguments.requireNoOperands()
        let text = arguments.values["interval"] ?? "1"
        guard let interval = Double(text), (0.1...3600).contains(interval) else {
            throw UsageError("--interval takes seconds from 0.1 to 3600, not \"\(text)\"")
        }
        var screen = TopScreen()
        if arguments.switches.contains("once") {
            if let code = try feed(&screen, arguments) { return code }
            g_usleep(gulong(interval * 1_000_000))
            if let code = try feed(&screen, arguments) { return code }
            Output.line(
                screen.lines(now: now, columns: Terminal.columns(Terminal.output)).joined(separator: "\n"))
            return .success
        }
        guard Terminal.isInteractive(Terminal.output), Terminal.isTerminal(Terminal.input) else {
            throw UsageError("this is no terminal: give --once for one picture")
        }
        // Who asks nobody keeps the screen with the reason on it.
        if let code = try feed(&screen, arguments) { return code }
        guard let terminal = LiveScreen(milliseconds: guint(interval * 1000)) else {
            throw UsageError("this is no terminal: give --once for one picture")
        }
        var isLeft = false
        func leave() {
            if !isLeft { terminal.leave() }
            isLeft = true
        }
        defer { leave() }
        while terminal.waitForTurn() {
            if let code = try feed(&screen, arguments, beforeError: leave) { return code }
            let size = Terminal.size(Terminal.output)
            terminal.show(
                screen.lines(
                    now: now, columns: size?.columns ?? 80, rows: size?.rows ?? 24,
                    hasColours: Terminal.hasColours(Terminal.output)))
        }
        return .success
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
