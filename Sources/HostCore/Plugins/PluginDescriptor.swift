internal import PluginABI

/// What a plugin says of itself, copied out of its descriptor.
struct PluginDescriptor: Sendable, Equatable {
    var id: String
    var name: String
    var vendor: String
    var version: String
    var license: String
    var summary: String
    var requires: [String]
    /// JSON Schema text, where it takes keys.
    var configSchema: String?
}

extension PluginDescriptor {
    /// Nil where a required text is missing.
    init?(_ raw: UnsafePointer<mh_descriptor_1>) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        guard let id = text(raw.pointee.id), let name = text(raw.pointee.name),
            let version = text(raw.pointee.version), let summary = text(raw.pointee.summary), !id.isEmpty
        else { return nil }
        self.id = id
        self.name = name
        self.version = version
        self.summary = summary
        vendor = text(raw.pointee.vendor) ?? ""
        license = text(raw.pointee.license) ?? ""
        configSchema = text(raw.pointee.config_schema)
        requires = []
        var cursor = raw.pointee.requires_ext
        while let place = cursor, let id = place.pointee {
            requires.append(String(cString: id))
            cursor = place + 1
        }
    }
}
