internal import CGLib
internal import Glibc
internal import HostCore

/// Views that are drawn again and again in place: `top`, `call --watch`.
extension Command {
    /// What fits on the terminal.
    struct Canvas {
        var columns: Int
        var rows: Int
        var hasColours: Bool
    }

    /// What is shown, and for how long.
    struct Picture {
        var lines: [String]
        /// Seconds until the next; nil: as the user said.
        var pause: Double?
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

    /// Until `q` or Ctrl-C, also while a host does not answer. The first time it is asked before the terminal is taken: who asks nobody
    /// keeps the screen with the reason on it.
    /// - Parameters:
    ///   - name: of the command, for errors.
    ///   - instead: what to do where there is no terminal.
    ///   - request: asks once; not on the main thread.
    ///   - picture: what is shown of each answer.
    static func live<Answer: Sendable>(
        _ name: String, every seconds: Double, instead: String, _ arguments: ParsedArguments,
        _ request: @escaping @Sendable (ControlClient, Duration) throws(ControlError) -> Answer,
        picture: (Answer, Canvas) -> Picture
    ) throws(UsageError) -> ExitCode {
        guard Terminal.isInteractive(Terminal.output), Terminal.isTerminal(Terminal.input) else {
            throw UsageError("this is no terminal: \(instead)")
        }
        switch try answer(name, arguments, request) {
        case .failure(let code): return code
        case .success(let first): _ = picture(first, canvas)
        }
        let patience = try patience(name, arguments)
        let ask: @Sendable () -> Result<Answer, ControlError> = {
            do throws(ControlError) {
                return .success(try request(try arguments.client(), patience))
            } catch {
                return .failure(error)
            }
        }
        guard let terminal = LiveScreen(milliseconds: guint(seconds * 1000)) else {
            throw UsageError("this is no terminal: \(instead)")
        }
        var isLeft = false
        func leave() {
            if !isLeft { terminal.leave() }
            isLeft = true
        }
        defer { leave() }
        while terminal.waitForTurn(), let answer = terminal.wait(for: ask) {
            switch answer {
            case .failure(let error):
                leave()
                return show(error, of: name, arguments)
            case .success(let answer):
                let picture = picture(answer, canvas)
                terminal.show(picture.lines)
                terminal.setPace(milliseconds: guint((picture.pause ?? seconds) * 1000))
            }
        }
        // A thread that still asks would run beside what is taken down at the end of a program.
        if terminal.isWorking {
            leave()
            _exit(ExitCode.success.rawValue)
        }
        return .success
    }

    private static var canvas: Canvas {
        let size = Terminal.size(Terminal.output)
        return Canvas(
            columns: size?.columns ?? 80, rows: size?.rows ?? 24, hasColours: Terminal.hasColours(Terminal.output))
    }
}
