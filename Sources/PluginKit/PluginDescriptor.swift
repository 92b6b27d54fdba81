/// What a plugin class says about itself before any instance exists. The keys it takes are those of its `Settings`.
public struct PluginDescriptor: Sendable {
    /// Reverse-DNS, also the prefix of the plugin's own events.
    public let id: String
    public let name: String
    public let vendor: String
    public let version: String
    /// SPDX.
    public let license: String
    /// One sentence.
    public let summary: String
    /// Without these the host refuses the plugin. `log` and `value` are always among them: the kit itself needs them.
    public let requires: [HostExtension]
    /// Used where the host has them.
    public let optional: [HostExtension]

    public init(
        id: String, name: String, vendor: String = "", version: String, license: String = "", summary: String,
        requires: [HostExtension] = [], optional: [HostExtension] = []
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.version = version
        self.license = license
        self.summary = summary
        let always: [HostExtension] = [.log, .value]
        self.requires = always + requires.filter { !always.contains($0) }
        self.optional = optional
    }
}
