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
    /// - Thread: main.
    public static func load(_ path: String, environment: [String: String]) throws(PluginFailure) -> Result {
        do {
            try GStreamer.start()
        } catch {
            throw PluginFailure(error.description)
        }
        let (configuration, found) = ConfigurationLoader.load(
            path: path, environment: environment, catalog: RegistryCatalog())
        return Result(configuration: configuration, diagnostics: found)
    }

    /// `load`, and builds every pipeline and checks every plugin's config.
    /// - Parameter progress: told what comes next, for people who wait.
    @HostActor
    public static func full(
        _ path: String, environment: [String: String], log: Log, progress: (_ step: String) -> Void = { _ in }
    ) throws(PluginFailure) -> Result {
        progress("reading")
        var result = try load(path, environment: environment)
        guard let configuration = result.configuration else { return result }
        for (index, pipeline) in configuration.pipelines.enumerated() {
            progress("building pipeline \(index + 1) of \(configuration.pipelines.count), \(pipeline.name)")
            do throws(PipelineFailure) {
                let built = try PipelineBuilder.build(pipeline)
                _ = try WarmUpPlan.make(for: pipeline, built)
            } catch {
                result.diagnostics.append(Diagnostic(.error, at: pipeline.location, error.message))
            }
        }
        progress("checking the plugins")
        let plugins = PluginSet(
            search: PluginSearch(environment: environment), clock: SystemClock(), workers: WorkerPool(), log: log)
        result.diagnostics += plugins.check(configuration.plugins, names: configuration.knownNames)
        if result.diagnostics.contains(where: { $0.severity == .error }) { result.configuration = nil }
        return result
    }
}
