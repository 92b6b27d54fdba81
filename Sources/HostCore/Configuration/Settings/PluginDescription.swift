/// One entry under `plugins:`: an instance of a plugin.
///
/// Two descriptions are equal when they ask for the same instance, wherever it is written.
public struct PluginDescription: Sendable, Equatable {
    /// The instance's name, its key in the map.
    public var name: String
    /// The plugin to load, by name or by path.
    public var module: String
    /// Where the config wants it looked for first.
    public var searchPath: [String]
    /// What happens when it fails while it runs.
    public var policy: PluginPolicy
    /// Whether it begins with the host. One that does not is not even looked for, until somebody enables it.
    public var isEnabled = true
    /// Everything but the host's own keys, a map; the plugin's schema says what it means.
    public var config: YAMLNode
    /// Keys that were set at run time, or saved then: they win over `config`.
    var overrides: [YAMLEntry] = []
    /// `module`'s value in the file.
    public var location: SourceSpan
    /// The name in the file.
    public var keySpan: SourceSpan

    public init(
        name: String, module: String, searchPath: [String] = [], policy: PluginPolicy = .disable, config: YAMLNode,
        location: SourceSpan, keySpan: SourceSpan
    ) {
        self.name = name
        self.module = module
        self.searchPath = searchPath
        self.policy = policy
        self.config = config
        self.location = location
        self.keySpan = keySpan
    }

    /// Neither the search path nor the policy makes another instance of it.
    public static func == (left: PluginDescription, right: PluginDescription) -> Bool {
        left.name == right.name && left.module == right.module && left.isEnabled == right.isEnabled
            && left.config == right.config && left.overrides == right.overrides
    }
}
