/// Puts values in the place of `${NAME}`, in scalars only.
///
/// ```
/// ${NAME}            from `vars:`, else from the environment, else an error
/// ${NAME:-default}   the default where NAME is not set or empty
/// ${NAME:?message}   an error with that message where NAME is not set or empty
/// ${secret:NAME}     from a `SecretStore`, masked in every output; the same endings
/// $${                a literal ${
/// ```
/// What is put in is text, as if it had been typed there; it is not looked through for variables again, except the values
/// of `vars:`, which may use each other and the environment. In a launch text a value in double quotes is put in whole:
/// its backslashes and quotes are its own.
struct VariableExpander {
    /// Bytes of one scalar after expansion.
    static let longest = 1 << 16
    /// `${A:-${B:-...}}` nested deeper is a mistake.
    static let deepest = 16

    enum State {
        case written(SourceText)
        case inProgress
        case known([UInt8])
    }

    /// Where a text stands, and with it the rules for what is put in.
    enum Place {
        case plain
        /// Quotes count, and elements want plain numbers.
        case launch
    }

    /// A parameter of the template that is being filled in.
    struct Parameter {
        /// Nil where it was left out.
        var text: [UInt8]?
        /// The same for an element: nanoseconds and bytes.
        var plain: [UInt8]?
    }

    var variables: [String: State] = [:]
    let environment: [String: String]
    /// Nil while the place of the secrets itself is read.
    var secrets: SecretStore?
    /// Those that were put in, or are to be.
    var usedSecrets: [String: [UInt8]] = [:]
    /// They hide variables of the same name.
    var parameters: [String: Parameter] = [:]
    var problems = Problems()

    init(vars: YAMLNode?, environment: [String: String]) {
        self.environment = environment
        guard let vars, !vars.isNull else { return }
        guard let entries = vars.entries else {
            problems.error(at: vars.span, "vars must be a map of names and texts, not \(vars.kind)")
            return
        }
        for entry in entries {
            if !Self.isName(entry.key) {
                problems.error(
                    at: entry.keySpan, "\(quoted(entry.key)) is no name for a variable",
                    help: "names have letters, digits, \"_\" and \"-\"")
            } else if let text = entry.value.text {
                variables[entry.key] = .written(text)
            } else {
                problems.error(at: entry.value.span, "a variable holds a text, not \(entry.value.kind)")
                variables[entry.key] = .known([])
            }
        }
        order = entries.map(\.key)
    }

    /// The names under `vars:` as they are written.
    private var order: [String] = []

    /// Finds what is wrong with variables that nobody uses, too.
    mutating func checkVariables() {
        for name in order { _ = lookUp(name, depth: 0) }
    }

    /// The tree with every scalar expanded.
    mutating func expand(_ node: YAMLNode, in place: Place = .plain) -> YAMLNode {
        var node = node
        switch node.content {
        case .scalar(let text, let style): node.content = .scalar(expand(text, depth: 0, place), style)
        case .list(let items): node.content = .list(items.map { expand($0, in: place) })
        case .map(let entries):
            node.content = .map(
                entries.map { YAMLEntry(key: $0.key, keySpan: $0.keySpan, value: expand($0.value, in: place)) })
        }
        return node
    }

    /// - Parameter quotes: what the text stands in.
    mutating func expand(
        _ text: SourceText, depth: Int, _ place: Place = .plain, in quotes: LaunchQuotes = LaunchQuotes()
    ) -> SourceText {
        guard text.bytes.contains(UInt8(ascii: "$")) else { return text }
        var result = Expansion(SourceText(file: text.file, whole: text.whole), place, in: quotes)
        var index = 0
        while index < text.bytes.count {
            let rest = text.bytes[index...]
            if rest.starts(with: "$${".utf8) {
                result.append(text, index + 1..<index + 3)
                index += 3
            } else if rest.starts(with: "${".utf8) {
                let start = index
                index = substitute(text, at: index, into: &result, depth: depth)
                if result.endsInBackslash, index < text.bytes.count, text.bytes[index] == "\"" {
                    problems.standInError(
                        at: text.span(start..<index), "this value ends in a backslash, which hides the quote behind it",
                        help: "in a launch text no value in quotes can end in a backslash")
                }
                if result.hasMisplacedSecret {
                    problems.standInError(
                        at: text.span, "a secret can only be the value of a property, or a part of it",
                        help: "for example: location=rtsp://porch:${secret:porch}@10.0.0.7/")
                    return text
                }
            } else {
                result.append(text, index..<index + 1)
                index += 1
            }
            if result.text.bytes.count > Self.longest {
                problems.standInError(
                    at: text.span, "too long with its variables put in",
                    help: "a text may have \(Self.longest) bytes")
                return text
            }
        }
        return result.text
    }

    /// Handles the `${` at `start`; the index behind its `}`.
    private mutating func substitute(
        _ text: SourceText, at start: Int, into result: inout Expansion, depth: Int
    ) -> Int {
        guard let close = closingBrace(text.bytes, from: start + 2) else {
            problems.standInError(
                at: text.span(start..<text.bytes.count), "\"${\" is never closed",
                help: "write ${NAME}, or $${ for a literal ${")
            return text.bytes.count
        }
        let whole = text.span(start..<close + 1)
        let isSecret = Self.isSecret(text.bytes, from: start + 2)
        let nameStart = start + 2 + (isSecret ? Self.secretPrefix.utf8.count : 0)
        var nameEnd = nameStart
        while nameEnd < close, Self.isNameByte(text.bytes[nameEnd]) || (isSecret && text.bytes[nameEnd] == ".") {
            nameEnd += 1
        }
        let name = text.string(nameStart..<nameEnd)
        // In `${A:-b}` the name ends at the colon; a dash is a letter like any other.
        let operation = text.string(nameEnd..<min(nameEnd + 2, close))
        let isName = isSecret ? Self.isSecretName(name) : Self.isName(name)
        guard isName, ["", ":-", ":?"].contains(operation) else {
            problems.standInError(
                at: whole, "\(quoted(text.string(start..<close + 1))) names no variable",
                help:
                    "the forms are ${NAME}, ${NAME:-default}, ${NAME:?message} and ${secret:NAME}; names have letters, "
                    + "digits, \"_\" and \"-\"")
            return close + 1
        }
        guard depth < Self.deepest else {
            problems.standInError(at: whole, "variables are nested more than \(Self.deepest) deep")
            return close + 1
        }
        let value: [UInt8]?
        do throws(SecretStore.Refusal) {
            value = try isSecret ? secret(name) : lookUp(name, depth: depth, result.place)
        } catch {
            problems.standInError(at: whole, error.message, help: error.help)
            result.append(Array(name.utf8), standingAt: whole.range)
            return close + 1
        }
        let argument = min(nameEnd + 2, close)..<close
        if let value, !value.isEmpty || operation.isEmpty {
            result.append(value, standingAt: whole.range, secrets: longestSecretsFirst)
        } else if operation == ":-" {
            var fallback = SourceText(file: text.file, whole: text.whole)
            fallback.append(text, argument)
            let expanded = expand(fallback, depth: depth + 1, result.place, in: result.quotes)
            result.append(expanded, 0..<expanded.bytes.count)
        } else {
            let reason = operation == ":?" ? text.string(argument) : ""
            reportUnset(name, isSecret: isSecret, reason: reason, offersDefault: operation.isEmpty, at: whole)
            result.append(Array(name.utf8), standingAt: whole.range)
        }
        return close + 1
    }

    private func closingBrace(_ bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < bytes.count {
            if bytes[index...].starts(with: "${".utf8) {
                depth += 1
                index += 1
            } else if bytes[index] == "}" {
                if depth == 0 { return index }
                depth -= 1
            }
            index += 1
        }
        return nil
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == "_" || byte == "-"
    }

    static func isName(_ name: String) -> Bool {
        isPlainName(name) && name.utf8.first.map { !$0.isASCIIDigit && $0 != "-" } == true
    }

    static let secretPrefix = "secret:"

    /// `secret:NAME`, not a variable of that name with a default or a message.
    static func isSecret(_ bytes: [UInt8], from start: Int) -> Bool {
        let name = start + secretPrefix.utf8.count
        return bytes[start...].starts(with: secretPrefix.utf8) && name < bytes.count && !"-?".utf8.contains(bytes[name])
    }

    /// A file name that leads nowhere else; systemd's credentials often have dots.
    private static func isSecretName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 200
            && name.utf8.allSatisfy { isNameByte($0) || $0 == "." }
    }
}
