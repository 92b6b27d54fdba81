/// Why a plugin is refused or failed: what was expected, what was found, and how to mend it.
public struct PluginFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var message: String
    public var help: String?

    public init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    public var description: String { help.map { "\(message); \($0)" } ?? message }
}
