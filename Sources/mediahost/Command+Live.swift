internal import CGLib
internal import HostCore

/// Views that are drawn again and again in place: `top`, `call --watch`.
extension Command {
    /// What fits on the terminal.
    struct Canvas {
        var columns: Int
        var rows: Int
        var hasColours: Bool
    }

    static let intervalOption = OptionSpec(
        long: "interval", short: "i", help: "Seconds between two pictures, 0.1 to 3600 (default 1)", value: "SECONDS")

    static func interval(_ arguments: ParsedArguments) throws(UsageError) -> Double {
        let text = arguments.values["interval"] ?? "1"
        guard let interval = Double(text), (0.1...3600).contains(interval) else {
            throw UsageError("--interval takes seconds from 0.1 to 3600, not \"\(text)\"")
        }
        return interval
    }

    /// Until `q` or Ctrl-C. The first picture is made before the terminal is taken: who asks nobody keeps the screen with the reason
    /// on it.
    /// - Parameters:
    ///   - instead: what to do where there is no terminal.
    ///   - picture: the lines, or the code to end with. It calls what it is given before it shows an error: the terminal is as it
    ///     was then.
    static func live(
        every seconds: Double, instead: String,
        _ picture: (Canvas, _ beforeError: () -> Void) throws(UsageError) -> Result<[String], ExitCode>
    ) throws(UsageError) -> ExitCode {
        guard Terminal.isInteractive(Terminal.output), Terminal.isTerminal(Terminal.input) else {
            throw UsageError("this is no terminal: \(instead)")
        }
        if case .failure(let code) = try picture(canvas, {}) { return code }
        guard let terminal = LiveScreen(milliseconds: guint(seconds * 1000)) else {
            throw UsageError("this is no terminal: \(instead)")
        }
        var isLeft = false
        func leave() {
            if !isLeft { terminal.leave() }
            isLeft = true
        }
        defer { leave() }
        while terminal.waitForTurn() {
            switch try picture(canvas, leave) {
            case .failure(let code): return code
            case .success(let lines): terminal.show(lines)
            }
        }
        return .success
    }

    private static var canvas: Canvas {
        let size = Terminal.size(Terminal.output)
        return Canvas(
            columns: size?.columns ?? 80, rows: size?.rows ?? 24, hasColours: Terminal.hasColours(Terminal.output))
    }
}
