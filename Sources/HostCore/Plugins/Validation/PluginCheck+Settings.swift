/// Settings for a plugin that is tried, as users write them.
extension PluginCheck {
    /// From a file of its keys, what a config has under the instance but the host's own.
    /// - Throws: where it cannot be read, or is no map.
    public static func settings(file path: String) throws(PluginFailure) -> Value {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try TextFile.read(path, most: YAMLReader.largestFile, mayWait: true).bytes
        } catch {
            throw PluginFailure("cannot read \(path): \(error.text)")
        }
        var problems = Problems()
        let node =
            UTF8Check.firstInvalid(in: bytes) == nil
            ? YAMLReader.read(SourceFile(path: path, bytes: bytes), into: &problems) : nil
        if let problem = problems.inFileOrder.first { throw PluginFailure("\(path): \(problem.message)") }
        guard let node, case .map(let members) = Value(node) else {
            throw PluginFailure("\(path) is no map of settings", help: "write the plugin's own keys, `window: 60s`")
        }
        return .map(members.filter { member in !ConfigurationFields.plugin.contains { $0.key == member.key } })
    }

    /// From words of a command line: "video=video/encoded.src".
    /// - Throws: where a word is no pair.
    public static func settings(words: [String]) throws(PluginFailure) -> Value {
        var members: [Value.Member] = []
        for word in words {
            guard let mark = word.firstIndex(of: "="), mark != word.startIndex else {
                throw PluginFailure("\(quoted(word)) is no setting", help: "write KEY=VALUE")
            }
            let text = String(word[word.index(after: mark)...])
            let isTree = text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")
            let value = isTree ? (try? JSONText.parse(text)) ?? .string(text) : .string(text)
            members.append(.init(String(word[..<mark]), value))
        }
        return .map(members)
    }
}

extension Value {
    /// A tree of texts: what they mean a schema says.
    fileprivate init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let text, _): self = node.isNull ? .null : .string(text.string)
        case .list(let items): self = .list(items.map { Value($0) })
        case .map(let entries): self = .map(entries.map { Member($0.key, Value($0.value)) })
        }
    }
}
