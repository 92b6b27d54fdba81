internal import GStreamerKit

/// Everything that can be said of a config file without running it.
///
/// Pipelines are built and thrown away: no device is opened and nothing flows.
public enum ConfigurationCheck {
    public struct Result: Sendable {
        /// Nil where it has errors.
        public var configuration: HostConfiguration?
        public var diagnostics: [Diagnostic]
    }

    /// Reads and checks a file as far as the file itself goes: keys, launch strings, elements.
    /// - Thread: main before anything runs, else a worker.
    public static func load(_ path: String, environment: [String: String]) throws(PluginFailure) -> Result {
        do {
            try GStreamer.start()
        } catch {
            throw PluginFailure(error.description)
        }
        let (configuration, found) = ConfigurationLoader.load(
            path: path, environment: environment, catalog: RegistryCatalog())
        let missing = RuleCheck.programs(configuration?.rules ?? [], path: environment["PATH"] ?? "")
        let masked = configuration?.secrets.mask(missing) ?? missing
        return Result(configuration: configuration, diagnostics: found + masked)
    }

    /// Builds pipelines and throws them away: what GStreamer says against them, and the pads their elements have.
    /// - Thread: worker; loading an element's plugin can take a while.
    static func build(
        _ pipelines: [PipelineDescription], progress: (_ step: String) -> Void = { _ in }
    ) -> (pads: [String: [String: [String]]], diagnostics: [Diagnostic]) {
        var pads: [String: [String: [String]]] = [:]
        var problems: [Diagnostic] = []
        for (index, pipeline) in pipelines.enumerated() {
            progress("building pipeline \(index + 1) of \(pipelines.count), \(pipeline.name)")
            do throws(PipelineFailure) {
                let built = try PipelineBuilder.build(pipeline)
                _ = try WarmUpPlan.make(for: pipeline, built)
                pads[pipeline.name] = Dictionary(
                    built.elements.map { ($0.name, $0.padNames) }, uniquingKeysWith: { first, _ in first })
            } catch {
                problems.append(Diagnostic(.error, at: pipeline.location, error.message))
            }
        }
        return (pads, problems)
    }

    /// Commands that rules call and that plugins do not have, or not with these parameters. A plugin that does not say which it
    /// has is believed: `run` will tell.
    @HostActor
    private static func calls(
        of configuration: HostConfiguration, _ plugins: PluginSet, _ survey: CommandSurvey, names: KnownNames,
        _ progress: (_ step: String) -> Void
    ) -> [Diagnostic] {
        let called = configuration.rules.flatMap(\.actions).compactMap { action in
            if case .call(let instance, _, _) = action.kind { instance } else { nil }
        }
        var known: [(name: String, commands: [PluginCommand])] = []
        for description in configuration.enabledPlugins where called.contains(description.name) {
            guard let library = try? plugins.open(description), let descriptor = library.descriptors.first,
                let config = (try? PluginSet.resolve(description, descriptor, names))?.0
            else { continue }
            progress("asking \(description.name) for its commands")
            let schema = descriptor.configSchema.flatMap { try? ValueSchema(json: $0) }
            let commands = survey.commands(of: library.path, named: description.name, schema, config)
            if let commands { known.append((description.name, commands)) }
        }
        return RuleCheck.commands(configuration.rules, of: known, names: names)
    }

    /// `load`, and builds every pipeline and checks every plugin's config.
    /// - Parameters:
    ///   - gate: what lets plugins in; nil: what the environment says.
    ///   - progress: told what comes next, for people who wait.
    @HostActor
    public static func full(
        _ path: String, environment: [String: String], gate: PluginGate? = nil, log: Log,
        progress: (_ step: String) -> Void = { _ in }
    ) throws(PluginFailure) -> Result {
        progress("reading")
        var result = try load(path, environment: environment)
        guard let configuration = result.configuration else { return result }
        let built = build(configuration.pipelines, progress: progress)
        result.diagnostics += built.diagnostics
        var names = configuration.knownNames
        names.pads = built.pads
        progress("checking the plugins")
        let gate = gate ?? PluginGate(environment: environment, log: log)
        gate.admit(configuration.enabledPlugins)
        let plugins = PluginSet(gate: gate, clock: SystemClock(), workers: WorkerPool(), log: log)
        result.diagnostics += plugins.check(configuration.enabledPlugins, names: names)
        if let survey = gate.survey {
            result.diagnostics += calls(of: configuration, plugins, survey, names: names, progress)
        }
        result.diagnostics = configuration.secrets.mask(result.diagnostics)
        if result.diagnostics.contains(where: { $0.severity == .error }) { result.configuration = nil }
        return result
    }
}
