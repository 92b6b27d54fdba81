internal import HostCore

extension Command {
    /// `mediahost elements FILE`
    static let elements = Command(
        name: "elements", operands: "FILE",
        summary: "Say which GStreamer elements a config file needs, and which packages bring them",
        details:
            "Exit code 1 if one is missing here. With `--json` they are in `elements`, each with element, present, "
            + "plugin, package and pipelines; `packages` are those to install.",
        options: [.json]
    ) { arguments throws(UsageError) in
        let file = try arguments.configFile()
        do throws(PluginFailure) {
            let (found, diagnostics) = try ElementRequirements.load(file, environment: ProcessEnvironment.variables())
            Output.report(diagnostics)
            guard let found else { return .configuration }
            if arguments.switches.contains("json") {
                Output.json(found.value)
            } else {
                Output.line(table(of: found))
            }
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
