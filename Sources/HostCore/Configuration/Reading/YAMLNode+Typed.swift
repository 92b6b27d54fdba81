internal import GStreamerKit

/// Scalars read as what a key asks for; anything else is reported and gives nil.
extension YAMLNode {
    func text(for key: String, _ problems: inout Problems) -> String? {
        guard let text else {
            problems.error(at: span, "\(quoted(key)) must be a text, not \(kind)")
            return nil
        }
        guard !text.bytes.isEmpty else {
            problems.error(at: span, "\(quoted(key)) is empty")
            return nil
        }
        return text.string
    }

    func integer(for key: String, in range: ClosedRange<Int64>, _ problems: inout Problems) -> Int64? {
        guard let text = text?.string, let number = Int64(text), range.contains(number) else {
            problems.error(
                at: span, "\(quoted(key)) must be a whole number, not \(kind)",
                help: "valid: \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        for key: String, of type: Choice.Type, _ problems: inout Problems
    ) -> Choice? where Choice.RawValue == String {
        let names = type.allCases.map(\.rawValue)
        guard let name = text?.string else {
            problems.error(
                at: span, "\(quoted(key)) must be one of \(names.joined(separator: ", ")), not \(kind)")
            return nil
        }
        guard let choice = Choice(rawValue: name) else {
            problems.error(
                at: span, "\(quoted(key)) cannot be \(quoted(name))", help: "valid: \(names.joined(separator: ", "))",
                suggestion: Suggestion.nearest(to: name, among: names))
            return nil
        }
        return choice
    }

    func flag(for key: String, _ problems: inout Problems) -> Bool? {
        switch text?.string {
        case "true": return true
        case "false": return false
        case let other:
            let meant = other.flatMap {
                ["yes": "true", "on": "true", "no": "false", "off": "false"][$0]
                    ?? Suggestion.nearest(to: $0, among: ["true", "false"])
            }
            problems.error(at: span, "\(quoted(key)) must be true or false, not \(kind)", suggestion: meant)
            return nil
        }
    }

    /// Whether this is the word, without quotes or with.
    func isWord(_ word: String) -> Bool { text?.string == word }

    func number(for key: String, in range: ClosedRange<Double>, _ problems: inout Problems) -> Double? {
        guard let number = (text?.string).flatMap(Quantity.number) else {
            problems.error(at: span, "\(quoted(key)) must be a number, not \(kind)", help: Quantity.range(range))
            return nil
        }
        guard range.contains(number) else {
            problems.error(at: span, "\(quoted(key)) cannot be \(kind)", help: Quantity.range(range))
            return nil
        }
        return number
    }

    /// A share of 1, written in percent.
    func percent(for key: String, _ problems: inout Problems) -> Double? {
        let digits = (text?.string).flatMap { $0.utf8.last == UInt8(ascii: "%") ? String($0.dropLast()) : nil }
        guard let share = digits.flatMap(Quantity.number), (0...100).contains(share) else {
            problems.error(
                at: span, "\(quoted(key)) must be a share in percent, not \(kind)", help: "valid: 0% to 100%")
            return nil
        }
        return share / 100
    }

    /// - Parameter word: what else the key takes, for the messages; the caller has looked for it.
    func duration(
        for key: String, in range: ClosedRange<ClockTime>, orWord word: String? = nil, _ problems: inout Problems
    ) -> ClockTime? {
        let alternative = word.map { ", or \($0)" } ?? ""
        guard let text = text?.string, !isNull else {
            problems.error(at: span, "\(quoted(key)) must be a duration\(alternative), not \(kind)")
            return nil
        }
        do throws(Quantity.Invalid) {
            let time = ClockTime(nanoseconds: try Quantity.duration(text))
            if range.contains(time) { return time }
            let least = time < range.lowerBound
            let bound = Quantity.durationText((least ? range.lowerBound : range.upperBound).nanoseconds)
            problems.error(
                at: span, "\(quoted(key)) must be at \(least ? "least" : "most") \(bound), not \(text)",
                help: word.map { "\($0) takes the limit away" })
        } catch {
            problems.error(
                at: span, "\(key): \(error.message)", help: error.help + alternative,
                suggestion: word.flatMap { Suggestion.nearest(to: text, among: [$0]) })
        }
        return nil
    }

    /// `5 per 1min`.
    func rate(
        for key: String, count: ClosedRange<Int64>, period: ClosedRange<ClockTime>, _ problems: inout Problems
    ) -> (count: Int64, period: ClockTime)? {
        let words = text?.string.split(separator: " ", omittingEmptySubsequences: true) ?? []
        guard words.count == 3, words[1] == "per", let number = Int64(words[0]) else {
            problems.error(
                at: span, "\(quoted(key)) must be a number per time, not \(kind)", help: "for example: 5 per 1min")
            return nil
        }
        guard count.contains(number) else {
            problems.error(
                at: span, "\(quoted(key)) cannot be \(number) times",
                help: "valid: \(count.lowerBound) to \(count.upperBound) times")
            return nil
        }
        var time = self
        guard let text else { return nil }
        let start = text.bytes.count - words[2].utf8.count - trailingSpaces(text)
        let span = text.span(start..<start + words[2].utf8.count)
        var part = SourceText(file: text.file, whole: span.range)
        part.append(text, start..<start + words[2].utf8.count)
        time.content = .scalar(part, .quoted)
        time.span = span
        return time.duration(for: key, in: period, &problems).map { (number, $0) }
    }

    private func trailingSpaces(_ text: SourceText) -> Int {
        text.bytes.reversed().prefix { $0 == " " }.count
    }
}
