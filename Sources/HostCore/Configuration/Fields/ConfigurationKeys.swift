/// The keys of a configuration file, map by map, as the reference and the man page show them.
///
/// - Thread: any. Pure.
public enum ConfigurationKeys {
    public struct Section: Sendable {
        /// `pipelines.NAME.restart`; empty for the file itself.
        public var path: String
        public var keys: [Key]
    }

    public struct Key: Sendable {
        public var name: String
        /// What it takes, in words.
        public var takes: String
        public var isRequired: Bool
        /// What holds where it is not written; nil: nothing does.
        public var defaultText: String?
        public var summary: String
    }

    public static var sections: [Section] {
        var found: [Section] = []
        collect(ConfigurationFields.file.descriptions, path: "", into: &found)
        return found
    }

    private static func collect(_ fields: [FieldDescription], path: String, into found: inout [Section]) {
        found.append(
            Section(
                path: path,
                keys: fields.map {
                    Key(
                        name: $0.key, takes: $0.kind.noun, isRequired: $0.isRequired, defaultText: $0.defaultText,
                        summary: $0.summary)
                }))
        let start = path.isEmpty ? "" : path + "."
        for field in fields {
            if case .named(_, .map(let inner, _)) = field.kind {
                collect(inner, path: "\(start)\(field.key).NAME", into: &found)
            } else if case .named(_, .oneOf(let kinds)) = field.kind, let inner = kinds.lazy.compactMap(\.keys).first {
                collect(inner, path: "\(start)\(field.key).NAME", into: &found)
            } else if case .list(.map(let inner, _)) = field.kind {
                collect(inner, path: "\(start)\(field.key)[]", into: &found)
            } else if let inner = field.kind.keys {
                collect(inner, path: "\(start)\(field.key)", into: &found)
            }
        }
    }
}
