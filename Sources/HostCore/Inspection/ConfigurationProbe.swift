/// What a given config needs of this machine: its elements, and the packages that bring them.
public struct ConfigurationProbe: Sendable {
    public var file: String
    public var diagnostics: [Diagnostic]
    /// The different elements that it uses; empty where it has errors.
    public var factories: [String]
    public var summary: String

    static let topic = "config"

    public init(file: String, diagnostics: [Diagnostic], factories: [String] = [], summary: String = "") {
        self.file = file
        self.diagnostics = diagnostics
        self.factories = factories
        self.summary = summary
    }

    init(_ result: ConfigurationCheck.Result, file: String) {
        let elements = result.configuration?.pipelines.flatMap { $0.launch.named().elements.map(\.factory) } ?? []
        self.init(
            file: file, diagnostics: result.diagnostics, factories: Set(elements).sorted(),
            summary: result.configuration?.summary ?? "")
    }

    public func judge() -> [Finding] {
        var found = diagnostics.map { diagnostic in
            let place = diagnostic.span.map { $0.description + ": " } ?? ""
            let hints = [diagnostic.suggestion.map { "did you mean \"\($0)\"?" }, diagnostic.help].compactMap { $0 }
            return Finding(
                Self.topic, diagnostic.severity == .error ? .error : .warning, place + diagnostic.message,
                fix: hints.isEmpty ? nil : hints.joined(separator: "\n"))
        }
        if !diagnostics.contains(where: { $0.severity == .error }) {
            let elements = factories.isEmpty ? "" : "; its elements are all there: \(factories.joined(separator: ", "))"
            found.append(Finding(Self.topic, .ok, "\(file): \(summary)\(elements)"))
        }
        return found
    }
}
