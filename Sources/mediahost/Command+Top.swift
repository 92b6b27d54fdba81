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
            for turn in 0..<2 {
                if turn > 0 { g_usleep(gulong(interval * 1_000_000)) }
                switch try answer("top", arguments, metrics) {
                case .failure(let code): return code
                case .success(let text): screen.feed(text, at: monotonic)
                }
            }
            Output.line(
                screen.lines(now: now, columns: Terminal.columns(Terminal.output)).joined(separator: "\n"))
            return .success
        }
        return try live("top", every: interval, instead: "give --once for one picture", arguments, metrics) {
            (text, canvas) in
            screen.feed(text, at: monotonic)
            return Picture(
                lines: screen.lines(
                    now: now, columns: canvas.columns, rows: canvas.rows, hasColours: canvas.hasColours))
        }
    }

    private static let metrics: @Sendable (ControlClient, Duration) throws(ControlError) -> String = {
        (client, timeout) throws(ControlError) in try client.metrics(timeout: timeout)
    }

    private static var monotonic: Double { Double(g_get_monotonic_time()) / 1e6 }
    private static var now: Double { Double(g_get_real_time()) / 1e6 }
}
