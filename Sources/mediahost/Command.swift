internal import HostCore

/// One command of the command line.
struct Command: Sendable {
    var name: String
    /// What follows its name, "FILE".
    var operands = ""
    var summary: String
    var options: [OptionSpec] = []
    var body: @Sendable (ParsedArguments) throws(UsageError) -> ExitCode

    /// The operands are not what the command takes.
    struct UsageError: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    /// Parses what follows the name, and runs.
    func run(_ arguments: [String]) -> ExitCode {
        do throws(OptionParser.Stop) {
            let parsed = try OptionParser.parse(
                arguments, command: name, operands: operands, summary: summary, options: options)
            return run(parsed)
        } catch {
            switch error {
            case .help(let text):
                Output.line(text)
                return .success
            case .wrong(let text):
                Output.error("mediahost \(name): \(text)")
                Output.error("`mediahost help \(name)` says how it is used")
                return .usage
            }
        }
    }

    private func run(_ arguments: ParsedArguments) -> ExitCode {
        do throws(UsageError) {
            return try body(arguments)
        } catch {
            Output.error("mediahost \(name): \(error.text)")
            Output.error("Usage: mediahost \(name)\(operands.isEmpty ? "" : " ")\(operands)")
            return .usage
        }
    }
}
