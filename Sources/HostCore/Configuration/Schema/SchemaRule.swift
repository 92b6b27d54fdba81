/// One node of a schema: what a value must be.
struct SchemaRule: Sendable {
    indirect enum Kind: Sendable {
        case object([Property])
        case array(SchemaRule)
        case string
        case integer
        case number
        case boolean
    }

    struct Property: Sendable {
        var key: String
        var rule: SchemaRule
        var isRequired: Bool
    }

    var kind: Kind
    var format: SchemaFormat?
    /// Whoever has this size takes it from the board's memory (`"x-reserves": true`).
    var reservesMemory = false
    var summary = ""
    /// Resolved.
    var defaultValue: Value?
    var choices: [Value] = []
    var minimum: Value?
    var maximum: Value?

    /// For messages: `a duration`.
    var noun: String {
        switch format {
        case .duration: return "a duration"
        case .size: return "a size"
        case .pad: return "a pad"
        case .element: return "an element"
        case .pipeline: return "a pipeline"
        case .instance: return "a plugin instance"
        case .path: return "a path"
        case .device: return "a device"
        case .uri: return "a URI"
        case .secret: return "a text"
        case .time, .endTime, .progress, nil: break
        }
        return switch kind {
        case .object: "a map"
        case .array(let item): "a list of \(item.plainNoun)"
        case .string: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }

    /// Without its article.
    var plainNoun: String {
        let article = noun.utf8.starts(with: "an ".utf8) ? 3 : noun.utf8.starts(with: "a ".utf8) ? 2 : 0
        return String(noun.dropFirst(article))
    }

    /// A value of this rule as a user would write it.
    func text(_ value: Value) -> String {
        switch (value, format) {
        case (.int(let number), .duration): Quantity.durationText(number)
        case (.int(let number), .size): Quantity.sizeText(number)
        case (.int(let number), _): String(number)
        case (.double(let number), _): String(number)
        case (.bool(let flag), _): String(flag)
        case (.string(let text), _): text
        case (.list(let items), _): "[" + items.map(itemText).joined(separator: ", ") + "]"
        case (.null, _), (.map, _): JSONText.render(value)
        }
    }

    /// As a user would write them.
    var limits: String? {
        switch (minimum, maximum) {
        // A nanosecond, a byte: nobody means the one.
        case (.int(1), nil) where format != nil: "more than 0"
        case (let low?, let high?): "\(text(low)) to \(text(high))"
        case (let low?, nil): "at least \(text(low))"
        case (nil, let high?): "at most \(text(high))"
        case (nil, nil): nil
        }
    }

    private func itemText(_ value: Value) -> String {
        if case .array(let rule) = kind { rule.text(value) } else { text(value) }
    }
}
