internal import Glibc
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
    var optional: [String] = []
    /// JSON Schema text, where it takes keys.
    var configSchema: String?
    var flags: UInt64 = 0
}

extension PluginDescriptor {
    /// What can be told of a plugin on one line.
    static let longestText = 1024
    static let longestSchema = 1 << 20
    static let mostExtensions = 64

    /// Copies and checks: texts that end, are UTF-8 and can be printed; a schema that can be used.
    /// - Throws: the first thing that is wrong, as a clause: "its name is not valid UTF-8".
    init(_ raw: UnsafePointer<mh_descriptor_1>) throws(PluginFailure) {
        id = try Self.required("id", raw.pointee.id)
        guard id.utf8.allSatisfy({ $0.isASCIIAlphanumeric || [".", "-", "_"].contains(UnicodeScalar($0)) }) else {
            throw PluginFailure("its id \(quoted(id)) is no reverse-DNS name (letters, digits, \".\", \"-\", \"_\")")
        }
        name = try Self.required("name", raw.pointee.name)
        version = try Self.required("version", raw.pointee.version)
        summary = try Self.required("summary", raw.pointee.summary)
        vendor = try Self.text("vendor", raw.pointee.vendor) ?? ""
        license = try Self.text("license", raw.pointee.license) ?? ""
        requires = try Self.list("requires_ext", raw.pointee.requires_ext)
        optional = try Self.list("optional_ext", raw.pointee.optional_ext)
        flags = raw.pointee.flags
        configSchema = try Self.text(
            "config_schema", raw.pointee.config_schema, longest: Self.longestSchema, mayHaveLines: true)
        guard let configSchema else { return }
        do throws(ValueSchema.Broken) {
            _ = try ValueSchema(json: configSchema)
        } catch {
            throw PluginFailure("its config_schema is broken at \(error.path): \(error.message)")
        }
    }

    private static func required(_ what: String, _ pointer: UnsafePointer<CChar>?) throws(PluginFailure) -> String {
        guard let text = try text(what, pointer) else { throw PluginFailure("it has no \(what)") }
        guard !text.isEmpty else { throw PluginFailure("its \(what) is empty") }
        return text
    }

    private static func list(
        _ what: String, _ pointer: UnsafePointer<UnsafePointer<CChar>?>?
    ) throws(PluginFailure) -> [String] {
        guard let pointer else { return [] }
        var found: [String] = []
        for index in 0...mostExtensions {
            guard let text = try text("an id in \(what)", pointer[index]) else { return found }
            found.append(text)
        }
        throw PluginFailure("its \(what) has more than \(mostExtensions) ids, or no NULL at its end")
    }

    private static func text(
        _ what: String, _ pointer: UnsafePointer<CChar>?, longest: Int = longestText, mayHaveLines: Bool = false
    ) throws(PluginFailure) -> String? {
        guard let pointer else { return nil }
        let its = what.utf8.starts(with: "an ".utf8) ? what : "its \(what)"
        let length = strnlen(pointer, longest + 1)
        guard length <= longest else {
            throw PluginFailure("\(its) is longer than \(longest) bytes, or has no end")
        }
        let bytes = Array(UnsafeRawBufferPointer(start: pointer, count: length))
        guard UTF8Check.firstInvalid(in: bytes) == nil else { throw PluginFailure("\(its) is not valid UTF-8") }
        guard mayHaveLines || !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw PluginFailure("\(its) has control characters")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
