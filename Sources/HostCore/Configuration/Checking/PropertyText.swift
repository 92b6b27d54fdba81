internal import GStreamerKit

/// Whether a text is a value of an element's property; if not, what to tell the user.
enum PropertyText {
    struct Problem {
        /// Goes on behind `"pattern" of "videotestsrc" `.
        var message: String
        var help: String?
        var suggestion: String?
    }

    /// What GStreamer makes of `text`, but a whole number that is too large is out of range instead of another number.
    static func verdict(
        on text: String, for property: ElementProperty, of factory: String, catalog: any ElementCatalog
    ) -> ValueVerdict {
        switch property.kind {
        case .signed(let range):
            if let number = Int64(text) { return range.contains(number) ? .taken : .outOfRange }
            if isWhole(text) { return .outOfRange }
        case .unsigned(let range):
            // GStreamer takes -1 for the largest.
            if let number = UInt64(text) { return range.contains(number) ? .taken : .outOfRange }
            if isWhole(text), text.utf8.first != UInt8(ascii: "-") { return .outOfRange }
        case .boolean, .real, .text, .choice, .flags, .fraction, .caps, .element, .other: break
        }
        return catalog.verdict(on: text, for: property.name, of: factory)
    }

    static func problem(with text: String, as kind: ElementProperty.Kind, _ verdict: ValueVerdict) -> Problem {
        let isRange = verdict == .outOfRange
        return switch kind {
        case .boolean: Problem(message: "must be true or false, not \(quoted(text))", suggestion: boolean(text))
        case .signed(let range): number(text, "a whole number", "\(range.lowerBound) to \(range.upperBound)", isRange)
        case .unsigned(let range): number(text, "a whole number", "\(range.lowerBound) to \(range.upperBound)", isRange)
        case .real(let range):
            number(text, "a number", "\(short(range.lowerBound)) to \(short(range.upperBound))", isRange)
        case .choice(let nicks):
            Problem(
                message: "cannot be \(quoted(text))", help: "valid: \(nicks.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: text, among: nicks))
        case .flags(let nicks):
            Problem(
                message: "cannot be \(quoted(text))", help: "valid, joined by \"+\": \(nicks.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: text, among: nicks))
        case .fraction:
            isRange
                ? Problem(message: "cannot be \(quoted(text))", help: "it is out of range")
                : Problem(message: "must be a fraction, not \(quoted(text))", help: "as in 16/9")
        case .caps: Problem(message: "must be caps, not \(quoted(text))", help: "as in video/x-raw,width=320")
        case .element:
            Problem(
                message: "must be an element, not \(quoted(text))",
                help: "as launch text: \"videoconvert ! autovideosink\"")
        case .text: Problem(message: "cannot be \(quoted(text))")
        case .other(let type):
            Problem(message: "cannot be set to \(quoted(text))", help: "it takes a \(type)")
        }
    }

    private static func number(_ text: String, _ what: String, _ range: String, _ isRange: Bool) -> Problem {
        Problem(
            message: isRange ? "cannot be \(text)" : "must be \(what), not \(quoted(text))", help: "valid: \(range)")
    }

    private static func boolean(_ text: String) -> String? {
        switch text {
        case "on", "On", "ON": "true"
        case "off", "Off", "OFF": "false"
        default: Suggestion.nearest(to: text, among: ["true", "false", "yes", "no"])
        }
    }

    /// 10 rather than 10.0.
    private static func short(_ number: Double) -> String {
        Int64(exactly: number).map { abs($0) < 1_000_000_000_000 ? "\($0)" : "\(number)" } ?? "\(number)"
    }

    /// Digits, perhaps behind a sign.
    private static func isWhole(_ text: String) -> Bool {
        var digits = Substring(text).utf8
        if let sign = digits.first, sign == "-" || sign == "+" { digits = digits.dropFirst() }
        return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    }
}
