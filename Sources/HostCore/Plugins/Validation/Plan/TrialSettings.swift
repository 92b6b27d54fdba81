/// Makes values for a schema: plain ones, ones at its edges, and ones that it refuses.
struct TrialSettings: Sendable {
    /// Pads of `TrialPipelines`, for keys that are pads.
    var videoPad = "video/encoded.src"
    var audioPad = "audio/raw.src"
    /// For keys that are files.
    var directory: String
    /// How often a long text repeats its piece. The items of a list share it: a hundred of them, each with texts as long as one alone
    /// may have, would be tens of megabytes, on which a trial would spend all its time.
    private var longText = 100_000

    init(directory: String) { self.directory = directory }

    /// Whatever a user could have: of no surprise. Written as users write it: quantities have units.
    func plain(_ rule: SchemaRule, key: String = "") -> Value {
        if let value = rule.defaultValue { return written(value, rule) }
        if let first = rule.choices.first { return written(first, rule) }
        switch (rule.kind, rule.format) {
        case (.object(let properties), _):
            return .map(properties.filter(\.isRequired).map { .init($0.key, plain($0.rule, key: $0.key)) })
        case (.array(let item), _): return .list([plain(item, key: key)])
        case (.boolean, _): return true
        case (.number, _): return rule.minimum ?? rule.maximum ?? 1
        case (.integer, .duration):
            return duration(within(rule, 1_000_000_000))
        case (.integer, .size): return size(within(rule, 8 << 20))
        case (.integer, _): return .int(within(rule, 1))
        case (.string, _): return .string(text(rule.format, key))
        }
    }

    /// As `plain`, with every key that there is.
    func full(_ rule: SchemaRule) -> Value {
        guard case .object(let properties) = rule.kind else { return plain(rule) }
        return .map(properties.map { .init($0.key, plain($0.rule, key: $0.key)) })
    }

    /// Fits the schema; at its edges more often than not.
    func valid(_ rule: SchemaRule, key: String = "", _ random: inout TrialRandom) -> Value {
        if let choice = rule.choices.randomElement(using: &random) { return written(choice, rule) }
        switch (rule.kind, rule.format) {
        case (.object(let properties), _):
            var members: [Value.Member] = []
            for property in properties where property.isRequired || random.chance(2, in: 3) {
                members.append(.init(property.key, valid(property.rule, key: property.key, &random)))
            }
            return .map(members)
        case (.array(let item), _):
            let count = [0, 0, 1, 2, 100].randomElement(using: &random) ?? 0
            var each = self
            each.longText /= max(count, 1)
            return .list((0..<count).map { _ in each.valid(item, key: key, &random) })
        case (.boolean, _): return .bool(Bool.random(using: &random))
        case (.number, _):
            let low = rule.minimum?.double ?? -1e300
            let high = rule.maximum?.double ?? 1e300
            return .double(
                [low, high, min(max(0, low), high), low / 2 + high / 2].randomElement(using: &random) ?? low)
        case (.integer, let format):
            let low = rule.minimum?.int ?? (format == nil ? .min : 0)
            // What takes memory for good is kept to what a machine has; the host checks that before a plugin sees it.
            let most: Int64 = rule.reservesMemory ? 64 << 20 : .max
            let high = max(low, min(rule.maximum?.int ?? .max, most))
            let edges: [Int64] = [
                low, high, min(max(0, low), high), min(max(1, low), high), Int64.random(in: low...high, using: &random),
            ]
            let number = edges.randomElement(using: &random) ?? low
            return format == .duration ? duration(number) : format == .size ? size(number) : .int(number)
        case (.string, nil), (.string, .secret): return .string(oddText(&random))
        case (.string, let format): return .string(text(format, key))
        }
    }

    /// One thing of it no longer fits. Nil where the schema takes anything.
    func invalid(_ rule: SchemaRule, _ random: inout TrialRandom) -> Value? {
        guard case .object(let properties) = rule.kind else { return nil }
        guard let victim = properties.randomElement(using: &random), random.chance(3, in: 4),
            case .map(var members) = valid(rule, &random), let wrong = wrong(victim.rule, &random)
        else { return .map([.init("no key that \(random.next()) is", 1)]) }
        members.removeAll { $0.key == victim.key }
        if wrong == .null {
            guard victim.isRequired else { return .map([.init("unknown-key", .null), .init("unknown", 1)]) }
        } else {
            members.append(.init(victim.key, wrong))
        }
        return .map(members)
    }

    private func wrong(_ rule: SchemaRule, _ random: inout TrialRandom) -> Value? {
        var ways: [Value] = []
        switch rule.kind {
        case .object: ways = ["no map", .list([])]
        case .array: ways = ["no list", .map([.init("a", 1)])]
        case .boolean: ways = ["perhaps", 2, .list([])]
        case .number: ways = ["many", .list([1]), .map([.init("a", 1)])]
        case .integer: ways = ["one and a half", .list([1]), .map([.init("a", 1)]), "1.5x"]
        case .string: ways = [.list(["a"]), .map([.init("a", "b")])]
        }
        if !rule.choices.isEmpty { ways.append("none of the choices") }
        if rule.format == nil, let low = rule.minimum?.int, low > .min { ways.append(.int(low - 1)) }
        if rule.format == nil, let high = rule.maximum?.int, high < .max { ways.append(.int(high + 1)) }
        return ways.randomElement(using: &random)
    }

    // MARK: - Texts

    private func text(_ format: SchemaFormat?, _ key: String) -> String {
        switch format {
        case .pad: return key.lowercased().utf8.containsText("audio") ? audioPad : videoPad
        case .element: return "video/source"
        case .pipeline: return "video"
        case .instance: return "tried"
        case .path: return "\(directory)/file.mkv"
        case .device: return "/dev/null"
        case .uri: return "file://\(directory)/file.mkv"
        case .duration, .size, .secret, .time, .endTime, .progress, nil: return "text"
        }
    }

    /// All planes of Unicode, long ones, empty ones; never a NUL, and no slash, with which a text may become a path.
    private func oddText(_ random: inout TrialRandom) -> String {
        let pieces = [
            "", "a", "true", "-1", " ", "%s%n%x", "\"quoted\"", "line\nline", "\u{1b}[31m", "\u{7f}", "ü",
            "\u{202e}abc",
            "日本語", "e\u{301}", "\u{fffd}", "\u{ffff}", "\u{1f3a5}", "\u{e0001}", "\u{10ffff}", "\u{feff}",
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ""
        case 1: return String(repeating: pieces.randomElement(using: &random) ?? "a", count: longText)
        default:
            return (0..<Int.random(in: 1...8, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "a" }.joined()
        }
    }

    // MARK: - Numbers

    private func within(_ rule: SchemaRule, _ wish: Int64) -> Int64 {
        min(max(wish, rule.minimum?.int ?? .min), rule.maximum?.int ?? .max)
    }

    private func duration(_ nanoseconds: Int64) -> Value { .string("\(max(0, nanoseconds))ns") }
    private func size(_ bytes: Int64) -> Value { .string("\(max(0, bytes))B") }

    private func written(_ value: Value, _ rule: SchemaRule) -> Value {
        switch (value, rule.format) {
        case (.int(let number), .duration): duration(number)
        case (.int(let number), .size): size(number)
        default: value
        }
    }
}
