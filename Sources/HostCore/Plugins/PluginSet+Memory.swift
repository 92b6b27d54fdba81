/// What the plugins of a config would reserve.
extension PluginSet {
    /// Of those whose module and config are in order; what is wrong with the others, `load` says.
    func reservations(of descriptions: [PluginDescription], names: KnownNames) -> [MemoryReservation] {
        descriptions.flatMap { description -> [MemoryReservation] in
            guard let descriptor = try? open(description).descriptors.first, let text = descriptor.configSchema,
                let schema = try? ValueSchema(json: text),
                let config = schema.resolve(description.config, names: names).0
            else { return [] }
            return schema.reservations(in: config).map { path, bytes in
                let written = Self.node(at: path, in: description.config)
                return MemoryReservation(
                    owner: description.name, key: path.joined(separator: "."), bytes: bytes,
                    span: written?.span ?? description.keySpan, isDefault: written == nil)
            }
        }
    }

    private static func node(at path: [String], in config: YAMLNode) -> YAMLNode? {
        path.reduce(Optional(config)) { node, key in node?[key] }
    }
}

extension ValueSchema {
    /// The sizes in a resolved value that its owner takes from the board's memory: keys with `"x-reserves": true`.
    func reservations(in value: Value) -> [(path: [String], bytes: Int64)] { Self.reservations(rule, value, []) }

    private static func reservations(
        _ rule: SchemaRule, _ value: Value, _ path: [String]
    ) -> [(path: [String], bytes: Int64)] {
        if rule.reservesMemory, let bytes = value.int { return [(path, bytes)] }
        guard case .object(let properties) = rule.kind else { return [] }
        return properties.flatMap { property in
            value[property.key].map { reservations(property.rule, $0, path + [property.key]) } ?? []
        }
    }
}
