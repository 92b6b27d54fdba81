/// One entry under `plugins:`: an instance of a plugin.
///
/// Two descriptions are equal when they ask for the same instance, wherever it is written.
public struct PluginDescription: Sendable, Equatable {
    /// The instance's name, its key in the map.
    public var name: String
    /// The plugin to load, by name or by path.
    public var module: String
    /// Everything but `module`, a map; the plugin's schema says what it means.
    public var config: YAMLNode
    /// `module`'s value in the file.
    public var location: SourceSpan
    /// The name in the file.
    public var keySpan: SourceSpan

    public init(name: String, module: String, config: YAMLNode, location: SourceSpan, keySpan: SourceSpan) {
        self.name = name
        self.module = module
        self.config = config
        self.location = location
        self.keySpan = keySpan
    }

    public static func == (left: PluginDescription, right: PluginDescription) -> Bool {
        left.name == right.name && left.module == right.module && left.config == right.config
    }
}
