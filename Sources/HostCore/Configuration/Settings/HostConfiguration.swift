/// What a configuration file says, checked: immutable, so that a reload is the comparison of two values.
public struct HostConfiguration: Sendable, Equatable {
    /// The `mediahost: 1` line.
    public var version: Int
    /// In the order of the file: started and resumed so, paused and stopped in reverse.
    public var pipelines: [PipelineDescription]
    /// In the order of the file.
    public var plugins: [PluginDescription]
    public var control: ControlSettings
    public var notifications = NotificationPlace.session
    public var login = LoginSettings()
    /// In the order of the file.
    public var inputs: [InputSettings] = []
    public var outputs = OutputSettings()
    /// In the order of the file.
    public var rules: [RuleSettings] = []
    /// Directories to look for plugins in first.
    public var pluginPath: [String] = []
    /// What no output may show.
    public var secrets = SecretMask()
    /// What it was made of: what was written, with includes, variables and templates put in. Its secrets are not masked.
    var tree: YAMLNode?
    /// The file of saved settings, whether it is there or not; nil: there is no place for one.
    public var overridesFile: String?
    /// Every file it was read from, the one that was asked for first; for messages and for watching.
    public var files: [String] = []

    /// The version this host reads.
    public static let currentVersion = 1

    public init(
        version: Int = HostConfiguration.currentVersion, pipelines: [PipelineDescription] = [],
        plugins: [PluginDescription] = [], control: ControlSettings = ControlSettings()
    ) {
        self.version = version
        self.pipelines = pipelines
        self.plugins = plugins
        self.control = control
    }

    /// Where it was read from does not count.
    public static func == (left: HostConfiguration, right: HostConfiguration) -> Bool {
        left.version == right.version && left.pipelines == right.pipelines && left.plugins == right.plugins
            && left.control == right.control && left.notifications == right.notifications
            && left.login == right.login && left.inputs == right.inputs
            && left.outputs == right.outputs && left.rules == right.rules
    }

    /// "2 pipelines, 1 plugin, 3 rules"; rules where there are any.
    public var summary: String {
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let parts = [count(pipelines.count, "pipeline"), count(plugins.count, "plugin")]
        return (parts + (rules.isEmpty ? [] : [count(rules.count, "rule")])).joined(separator: ", ")
    }

    /// Those that begin with the host.
    var enabledPlugins: [PluginDescription] { plugins.filter(\.isEnabled) }

    /// The names that plugins' configs and commands may refer to.
    public var knownNames: KnownNames {
        var names = KnownNames(
            pipelines: pipelines.map { ($0.name, $0.launch.named().elements.map(\.name)) },
            instances: plugins.map(\.name))
        for pipeline in pipelines { names.settable[pipeline.name] = pipeline.settable.map(\.description) }
        return names
    }
}
