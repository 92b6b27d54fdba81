/// What a library said of itself when it was probed.
struct LibraryFacts: Sendable, Equatable {
    /// "0.1", the headers it was built with.
    var abi: String
    /// "swift 6.3", "cc".
    var builtWith: String
    var descriptors: [PluginDescriptor]
}

extension LibraryFacts {
    var value: Value {
        ["abi": .string(abi), "built_with": .string(builtWith), "plugins": .list(descriptors.map(\.value))]
    }

    /// Nil where the value is not one of ours.
    init?(_ value: Value) {
        guard let abi = value["abi"]?.string, let builtWith = value["built_with"]?.string,
            let list = value["plugins"]?.list
        else { return nil }
        let descriptors = list.compactMap(PluginDescriptor.init(value:))
        guard !descriptors.isEmpty, descriptors.count == list.count else { return nil }
        self.init(abi: abi, builtWith: builtWith, descriptors: descriptors)
    }
}

extension PluginDescriptor {
    var value: Value {
        [
            "id": .string(id), "name": .string(name), "vendor": .string(vendor), "version": .string(version),
            "license": .string(license), "summary": .string(summary),
            "requires": .list(requires.map { .string($0) }), "optional": .list(optional.map { .string($0) }),
            "schema": configSchema.map { .string($0) } ?? .null, "flags": .string(String(flags, radix: 16)),
        ]
    }

    init?(value: Value) {
        func text(_ key: String) -> String? { value[key]?.string }
        func texts(_ key: String) -> [String]? {
            guard let list = value[key]?.list else { return nil }
            let texts = list.compactMap(\.string)
            return texts.count == list.count ? texts : nil
        }
        guard let id = text("id"), let name = text("name"), let vendor = text("vendor"),
            let version = text("version"), let license = text("license"), let summary = text("summary"),
            let requires = texts("requires"), let optional = texts("optional"),
            let flags = text("flags").flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.init(
            id: id, name: name, vendor: vendor, version: version, license: license, summary: summary,
            requires: requires, optional: optional, configSchema: text("schema"), flags: flags)
    }
}
