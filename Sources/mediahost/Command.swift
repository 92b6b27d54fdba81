internal import HostCore

/// One command of the command line.
protocol Command {
    static var name: String { get }
    /// What follows its name, "FILE".
    static var operands: String { get }
    static var summary: String { get }
    static var options: [OptionSpec] { get }
    static func run(_ arguments: ParsedArguments) -> ExitCode
}

extension Command {
    static var options: [OptionSpec] { [] }

    static func run(_ arguments: [String]) -> ExitCode {
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

    /// Says what is wrong with the operands.
    static func usageError(_ text: String) -> ExitCode {
        Output.error("mediahost \(name): \(text)")
        Output.error("Usage: mediahost \(name) \(operands)")
        return .usage
    }
}
