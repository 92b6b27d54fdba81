/// Applies rules to input: types the scalars, resolves units, fills in defaults, reports what does not fit.
struct SchemaResolver {
    let names: KnownNames?
    private(set) var problems = Problems()
    /// The keys that lead to the first problem; nil where there is none, or where it is no key's.
    private(set) var firstPath: String?

    init(names: KnownNames?) { self.names = names }

    /// The value, or nil where it does not fit.
    /// - Parameters:
    ///   - path: the keys that lead here, for messages.
    ///   - place: where to report missing keys; nil for the input itself.
    mutating func resolve(_ input: SchemaInput, _ rule: SchemaRule, path: String, place: SourceSpan? = nil) -> Value? {
        resolve(input, rule, .text(path), place)
    }

    private mutating func resolve(
        _ input: SchemaInput, _ rule: SchemaRule, _ path: SchemaPath, _ place: SourceSpan? = nil
    ) -> Value? {
        if case .later = input.content { return .null }
        let before = problems.diagnostics.count
        let value: Value?
        switch rule.kind {
        case .object(let properties): value = object(input, properties, path, place ?? input.span)
        case .array(let item): value = list(input, item, rule, path)
        case .string, .integer, .number, .boolean: value = scalar(input, rule, path)
        }
        guard let value, problems.diagnostics.count == before else { return nil }
        guard check(value, rule, input, path) else { return nil }
        return value
    }

    private mutating func object(
        _ input: SchemaInput, _ properties: [SchemaRule.Property], _ path: SchemaPath, _ place: SourceSpan?
    ) -> Value? {
        let entries: [SchemaInput.Entry]
        switch input.content {
        case .null: entries = []
        case .map(let given): entries = given
        case .scalar, .list, .later:
            problems.error(
                at: input.span, "\(subject(path)) must be a map, not \(input.kind)", help: Self.help(properties))
            return nil
        }
        for entry in entries where !properties.contains(where: { $0.key == entry.key }) {
            let unknown = SchemaPath.key(path, entry.key).text
            firstPath = firstPath ?? unknown
            problems.error(
                at: entry.keySpan, "unknown key \(quoted(unknown))", help: Self.help(properties),
                suggestion: Suggestion.nearest(to: entry.key, among: properties.map(\.key)))
        }
        var members: [Value.Member] = []
        members.reserveCapacity(properties.count)
        for property in properties {
            let inner = SchemaPath.key(path, property.key)
            if let value = entries.last(where: { $0.key == property.key && !$0.value.isNull })?.value {
                if let resolved = resolve(value, property.rule, inner) {
                    members.append(.init(property.key, resolved))
                } else {
                    firstPath = firstPath ?? inner.text
                }
            } else if property.isRequired {
                firstPath = firstPath ?? inner.text
                problems.error(
                    at: place, "missing key \(quoted(inner.text))",
                    help: property.rule.summary.isEmpty
                        ? "\(property.key) is \(property.rule.noun)" : "\(property.key): \(property.rule.summary)")
            } else if let value = property.rule.defaultValue {
                members.append(.init(property.key, value))
            } else if case .object(let inside) = property.rule.kind, !inside.contains(where: \.isRequired) {
                var empty = input
                empty.content = .null
                if let value = resolve(empty, property.rule, inner) { members.append(.init(property.key, value)) }
            }
        }
        return .map(members)
    }

    private mutating func list(_ input: SchemaInput, _ item: SchemaRule, _ rule: SchemaRule, _ path: SchemaPath)
        -> Value?
    {
        guard case .list(let items) = input.content else {
            problems.error(at: input.span, "\(subject(path)) must be \(rule.noun), not \(input.kind)")
            return nil
        }
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for (index, element) in items.enumerated() {
            if let value = resolve(element, item, .item(path, index)) { values.append(value) }
        }
        return .list(values)
    }

    private mutating func scalar(_ input: SchemaInput, _ rule: SchemaRule, _ path: SchemaPath) -> Value? {
        guard case .scalar(let text) = input.content else {
            problems.error(at: input.span, "\(subject(path)) must be \(rule.noun), not \(input.kind)")
            return nil
        }
        switch (rule.kind, rule.format) {
        case (_, .duration), (_, .size):
            do throws(Quantity.Invalid) {
                return .int(try rule.format == .duration ? Quantity.duration(text) : Quantity.size(text))
            } catch {
                problems.error(at: input.span, named(path, error.message), help: error.help)
                return nil
            }
        case (.integer, _):
            if let number = Int64(text) { return .int(number) }
        case (.number, _):
            if text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }), let number = Double(text),
                number.isFinite
            {
                return .double(number)
            }
        case (.boolean, _):
            if text == "true" || text == "false" { return .bool(text == "true") }
            let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text]
            problems.error(
                at: input.span, "\(subject(path)) must be true or false, not \(input.kind)", suggestion: meant)
            return nil
        default: return reference(text, input, rule, path) ? .string(text) : nil
        }
        problems.error(at: input.span, "\(subject(path)) must be \(rule.noun), not \(input.kind)")
        return nil
    }

    /// Whether a text names something that is there, as far as that is known.
    private mutating func reference(_ text: String, _ input: SchemaInput, _ rule: SchemaRule, _ path: SchemaPath)
        -> Bool
    {
        let unknown: KnownNames.Unknown?
        var complete: (String) -> String = { $0 }
        do throws(PathError) {
            switch rule.format {
            case .pad:
                let pad = try PadPath(text)
                unknown = names?.check(pad: pad)
                if names?.check(pipeline: pad.pipeline) != nil {
                    complete = { "\($0)/\(pad.element).\(pad.pad)" }
                } else if names?.check(element: pad.element, in: pad.pipeline) != nil {
                    complete = { "\(pad.pipeline)/\($0).\(pad.pad)" }
                } else {
                    complete = { "\(pad.pipeline)/\(pad.element).\($0)" }
                }
            case .element:
                let element = try ElementPath(text)
                unknown = names?.check(element: element.element, in: element.pipeline)
                complete =
                    names?.check(pipeline: element.pipeline) == nil
                    ? { "\(element.pipeline)/\($0)" } : { "\($0)/\(element.element)" }
            case .pipeline: unknown = names?.check(pipeline: text)
            case .instance: unknown = names?.check(instance: text)
            case .duration, .size, .path, .device, .uri, .secret, .time, .endTime, .progress, nil: return true
            }
        } catch {
            problems.error(at: input.span, named(path, error.message))
            return false
        }
        guard let unknown else { return true }
        problems.error(
            at: input.span, named(path, unknown.message), help: unknown.help,
            suggestion: unknown.suggestion.map(complete))
        return false
    }

    private mutating func check(_ value: Value, _ rule: SchemaRule, _ input: SchemaInput, _ path: SchemaPath) -> Bool {
        if !rule.choices.isEmpty, !rule.choices.contains(value) {
            let valid = rule.choices.map { rule.text($0) }
            let secret = rule.format == .secret
            problems.error(
                at: input.span, "\(subject(path)) cannot be \(secret ? "this" : quoted(rule.text(value)))",
                help: secret ? nil : "valid: " + valid.joined(separator: ", "),
                suggestion: secret ? nil : Suggestion.nearest(to: rule.text(value), among: valid))
            return false
        }
        if let least = rule.minimum, isLess(value, least) {
            problems.error(
                at: input.span, "\(subject(path)) must be at least \(rule.text(least)), not \(rule.text(value))")
            return false
        }
        if let most = rule.maximum, isLess(most, value) {
            problems.error(
                at: input.span, "\(subject(path)) must be at most \(rule.text(most)), not \(rule.text(value))")
            return false
        }
        return true
    }

    private func isLess(_ left: Value, _ right: Value) -> Bool {
        if case .int(let one) = left, case .int(let other) = right { return one < other }
        guard let one = left.double, let other = right.double else { return false }
        return one < other
    }

    private static func help(_ properties: [SchemaRule.Property]) -> String {
        properties.isEmpty
            ? "there are no keys here" : "valid keys: " + properties.map(\.key).joined(separator: ", ")
    }

    private func subject(_ path: SchemaPath) -> String { path.text.isEmpty ? "this" : quoted(path.text) }

    private func named(_ path: SchemaPath, _ message: String) -> String {
        path.text.isEmpty ? message : "\(path.text): \(message)"
    }
}
