/// Puts values in the place of `${NAME}`, in scalars only.
///
/// ```
/// ${NAME}            from `vars:`, else from the environment, else an error
/// ${NAME:-default}   the default where NAME is not set or empty
/// ${NAME:?message}   an error with that message where NAME is not set or empty
/// $${                a literal ${
/// ```
/// What is put in is text, as if it had been typed there; it is not looked through for variables again, except the values
/// of `vars:`, which may use each other and the environment.
struct VariableExpander {
    /// Bytes of one scalar after expansion.
    static let longest = 1 << 16
    /// `${A:-${B:-...}}` nested deeper is a mistake.
    static let deepest = 16

    private enum State {
        case written(SourceText)
        case inProgress
        case known([UInt8])
    }

    private var variables: [String: State] = [:]
    private let environment: [String: String]
    private(set) var problems = Problems()

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
        for name in entries.map(\.key) { _ = lookUp(name, depth: 0) }
    }

    /// The tree with every scalar expanded.
    mutating func expand(_ node: YAMLNode) -> YAMLNode {
        var node = node
        switch node.content {
        case .scalar(let text, let style): node.content = .scalar(expand(text, depth: 0), style)
        case .list(let items): node.content = .list(items.map { expand($0) })
        case .map(let entries):
            node.content = .map(
                entries.map { YAMLEntry(key: $0.key, keySpan: $0.keySpan, value: expand($0.value)) })
        }
        return node
    }

    private mutating func expand(_ text: SourceText, depth: Int) -> SourceText {
        guard text.bytes.contains(UInt8(ascii: "$")) else { return text }
        var result = SourceText(file: text.file, whole: text.whole)
        var index = 0
        while index < text.bytes.count {
            let rest = text.bytes[index...]
            if rest.starts(with: "$${".utf8) {
                result.append(text, index + 1..<index + 3)
                index += 3
            } else if rest.starts(with: "${".utf8) {
                index = substitute(text, at: index, into: &result, depth: depth)
            } else {
                result.append(text, index..<index + 1)
                index += 1
            }
            if result.bytes.count > Self.longest {
                problems.standInError(
                    at: text.span, "too long with its variables put in",
                    help: "a text may have \(Self.longest) bytes")
                return text
            }
        }
        return result
    }

    /// Handles the `${` at `start`; the index behind its `}`.
    private mutating func substitute(
        _ text: SourceText, at start: Int, into result: inout SourceText, depth: Int
    ) -> Int {
        guard let close = closingBrace(text.bytes, from: start + 2) else {
            problems.standInError(
                at: text.span(start..<text.bytes.count), "\"${\" is never closed",
                help: "write ${NAME}, or $${ for a literal ${")
            return text.bytes.count
        }
        let whole = text.span(start..<close + 1)
        var nameEnd = start + 2
        while nameEnd < close, Self.isNameByte(text.bytes[nameEnd]) { nameEnd += 1 }
        let name = text.string(start + 2..<nameEnd)
        // In `${A:-b}` the name ends at the colon; a dash is a letter like any other.
        let operation = text.string(nameEnd..<min(nameEnd + 2, close))
        guard Self.isName(name), ["", ":-", ":?"].contains(operation) else {
            problems.standInError(
                at: whole, "\(quoted(text.string(start..<close + 1))) names no variable",
                help: "the forms are ${NAME}, ${NAME:-default} and ${NAME:?message}; names have letters, digits, \"_\" "
                    + "and \"-\"")
            return close + 1
        }
        guard depth < Self.deepest else {
            problems.standInError(at: whole, "variables are nested more than \(Self.deepest) deep")
            return close + 1
        }
        let value = lookUp(name, depth: depth)
        let argument = min(nameEnd + 2, close)..<close
        if let value, !value.isEmpty || operation.isEmpty {
            result.append(value, standingAt: whole.range)
        } else if operation == ":-" {
            var fallback = SourceText(file: text.file, whole: text.whole)
            fallback.append(text, argument)
            let expanded = expand(fallback, depth: depth + 1)
            result.append(expanded, 0..<expanded.bytes.count)
        } else {
            let reason = operation == ":?" ? text.string(argument) : ""
            problems.standInError(
                at: whole, reason.isEmpty ? "the variable \(quoted(name)) is not set" : "\(name): \(reason)",
                help: "set \(name) in the environment or under `vars:`"
                    + (operation.isEmpty ? ", or give a default: ${\(name):-default}" : ""),
                suggestion: operation.isEmpty ? Suggestion.nearest(to: name, among: variables.keys) : nil)
            result.append(Array(name.utf8), standingAt: whole.range)
        }
        return close + 1
    }

    private mutating func lookUp(_ name: String, depth: Int) -> [UInt8]? {
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

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == "_" || byte == "-"
    }

    private static func isName(_ name: String) -> Bool {
        isPlainName(name) && name.utf8.first.map { !$0.isASCIIDigit && $0 != "-" } == true
    }
}
