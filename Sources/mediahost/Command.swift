internal import HostCore

/// One command of the command line.
struct Command: Sendable {
    var name: String
    /// What follows its name, "FILE".
    var operands = ""
    /// One line, without a full stop.
    var summary: String
    /// Paragraphs for its own help page.
    var details = ""
    var options: [OptionSpec] = []
    /// What the first operand may be, for the shell's completion; none: anything.
    var words: [String] = []
    var body: @Sendable (ParsedArguments) throws(UsageError) -> ExitCode

    /// The operands are not what the command takes.
    struct UsageError: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    /// `mediahost graph [OPTION...] FILE [PIPELINE]`
    var usage: String { "mediahost \(name) [OPTION...]\(operands.isEmpty ? "" : " ")\(operands)" }

    /// Parses what follows the name, and runs.
    func run(_ arguments: [String]) -> ExitCode {
        do throws(OptionParser.Stop) {
            return run(try OptionParser.parse(arguments, command: name, options: options))
        } catch {
            switch error {
            case .help:
                Output.line(HelpText.page(of: self))
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
            Output.error("Usage: \(usage)")
            return .usage
        }
    }
}

extension ParsedArguments {
    /// Commands that take no operand.
    func requireNoOperands() throws(Command.UsageError) {
        if let unexpected = operands.first { throw .init("unexpected \"\(unexpected)\"") }
    }

    /// The one operand of a command that takes a config file.
    func configFile() throws(Command.UsageError) -> String {
        guard let file = operands.first, operands.count == 1 else { throw .init("give one config file") }
        return file
    }
}
