internal import HostCore

extension Command {
    /// `mediahost elements FILE`
    static let elements = Command(
        name: "elements", operands: "FILE",
        summary: "Say which GStreamer elements a config file needs, and which packages bring them",
        options: [OptionSpec(long: "json", short: "j", help: "Print them as JSON")]
    ) { arguments throws(UsageError) in
        let file = try arguments.configFile()
        do throws(PluginFailure) {
            let (found, diagnostics) = try ElementRequirements.load(file, environment: ProcessEnvironment.variables())
            Output.report(diagnostics)
            guard let found else { return .configuration }
            Output.line(
                arguments.switches.contains("json") ? JSONText.render(found.value, pretty: true) : table(of: found))
            return found.elements.allSatisfy(\.isPresent) ? .success : .failure
        } catch {
            Output.error("mediahost elements: \(error)")
            return .failure
        }
    }

    private static func table(of requirements: ElementRequirements) -> String {
        guard !requirements.elements.isEmpty else { return "no pipelines, no elements" }
        let width = requirements.elements.map(\.factory.count).max() ?? 0
        var lines = requirements.elements.map { element in
            let name = element.factory + String(repeating: " ", count: width - element.factory.count)
            let origin =
                element.isPresent
                ? "from \(element.plugin ?? "GStreamer")"
                : "MISSING, \(element.package.map { "in \($0)" } ?? "in no package known")"
            return "\(name)  \(origin); used by \(element.pipelines.joined(separator: ", "))"
        }
        let packages = requirements.missingPackages
        if !packages.isEmpty { lines.append("apt install \(packages.joined(separator: " "))") }
        return lines.joined(separator: "\n")
    }
}
