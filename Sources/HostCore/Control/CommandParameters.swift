/// What a client sends to a plugin's command, adapted to where the client stands.
public enum CommandParameters {
    /// Relative paths made absolute against `directory`: the host would take them against its own.
    /// - Parameters:
    ///   - parameters: a map, as the user gave it.
    ///   - schema: what the host says of the command's parameters; `"format": "path"` marks a file.
    public static func absolute(_ parameters: Value, schema: Value?, in directory: String) -> Value {
        guard let members = parameters.members, let properties = schema?["properties"] else { return parameters }
        return .map(
            members.map { member in
                guard properties[member.key]?["format"] == "path", let path = member.value.string, !path.isEmpty,
                    path.utf8.first != UInt8(ascii: "/")
                else { return member }
                return Value.Member(member.key, .string("\(directory)/\(path)"))
            })
    }
}
