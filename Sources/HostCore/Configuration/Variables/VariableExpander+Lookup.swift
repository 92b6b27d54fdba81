/// Where the values of variables come from.
extension VariableExpander {
    mutating func lookUp(_ name: String, depth: Int, _ place: Place = .plain) -> [UInt8]? {
        if let parameter = parameters[name] { return place == .launch ? parameter.plain : parameter.text }
        switch variables[name] {
        case .known(let value): return value
        case .inProgress:
            return []  // a loop, reported when its first variable was looked up
        case .written(let text):
            variables[name] = .inProgress
            var seen: Set<String> = []
            if let loop = reference(to: name, startingIn: text, seen: &seen) {
                problems.standInError(
                    at: loop, "the variable \(quoted(name)) needs its own value",
                    help: "break the loop under `vars:`")
                variables[name] = .known([])
                return []
            }
            guard depth < Self.deepest else {
                problems.standInError(at: text.span, "variables are nested more than \(Self.deepest) deep")
                variables[name] = .known([])
                return []
            }
            let value = expand(text, depth: depth + 1).bytes
            variables[name] = .known(value)
            return value
        case nil: return environment[name].map { Array($0.utf8) }
        }
    }

    /// Where in `text` a way of references back to `name` begins, if there is one.
    private func reference(to name: String, startingIn text: SourceText, seen: inout Set<String>) -> SourceSpan? {
        var index = 0
        while index + 2 < text.bytes.count {
            if text.bytes[index...].starts(with: "$${".utf8) {
                index += 3
                continue
            }
            guard text.bytes[index...].starts(with: "${".utf8) else {
                index += 1
                continue
            }
            var end = index + 2
            while end < text.bytes.count, Self.isNameByte(text.bytes[end]) { end += 1 }
            let next = text.string(index + 2..<end)
            let span = text.span(index..<min(end + 1, text.bytes.count))
            if Self.isSecret(text.bytes, from: index + 2) {
                index = end
                continue
            }
            if next == name { return span }
            if seen.count < 200, seen.insert(next).inserted, case .written(let other) = variables[next],
                reference(to: name, startingIn: other, seen: &seen) != nil
            {
                return span
            }
            index = end
        }
        return nil
    }

    mutating func secret(_ name: String) throws(SecretStore.Refusal) -> [UInt8]? {
        if let known = usedSecrets[name] { return known }
        guard let secrets else {
            throw SecretStore.Refusal(
                message: "no secret can say where the secrets are", help: "write the path of the directory")
        }
        let value = try secrets.read(name)
        if let value { usedSecrets[name] = value }
        return value
    }

    /// One that begins another does not hide it.
    var longestSecretsFirst: [[UInt8]] { usedSecrets.values.sorted { $0.count > $1.count } }

    mutating func reportUnset(_ name: String, isSecret: Bool, reason: String, offersDefault: Bool, at span: SourceSpan)
    {
        if isSecret {
            problems.standInError(
                at: span, reason.isEmpty ? "there is no secret \(quoted(name))" : "\(name): \(reason)",
                help: secrets.map { "it was looked for in \($0.places(name))" },
                suggestion: offersDefault ? secrets?.nearest(to: name).map { "${secret:\($0)}" } : nil)
            return
        }
        let isParameter = parameters[name] != nil
        let help =
            isParameter ? "give it under `with:`" : "set \(name) in the environment or under `vars:`"
        let names = Array(variables.keys) + Array(parameters.keys)
        problems.standInError(
            at: span,
            reason.isEmpty
                ? "the \(isParameter ? "parameter" : "variable") \(quoted(name)) is not set" : "\(name): \(reason)",
            help: help + (offersDefault ? ", or give a default: ${\(name):-default}" : ""),
            suggestion: offersDefault ? Suggestion.nearest(to: name, among: names) : nil)
    }
}
