/// A text while variables are put into it.
struct Expansion {
    let place: VariableExpander.Place
    private(set) var text: SourceText
    /// Whether the last value put in hides a quote behind it.
    private(set) var endsInBackslash = false
    /// Whether a secret was to stand where a launch text has no value. It was left out.
    private(set) var hasMisplacedSecret = false
    private(set) var quotes: LaunchQuotes

    init(_ text: SourceText, _ place: VariableExpander.Place, in quotes: LaunchQuotes) {
        self.text = text
        self.quotes = quotes
        self.place = place
    }

    /// What was typed.
    mutating func append(_ other: SourceText, _ range: Range<Int>) {
        text.append(other, range)
        endsInBackslash = false
        if place == .launch { quotes.take(other.bytes[range]) }
    }

    /// The value of a variable, in the place of what stands at `origin`.
    /// - Parameter secrets: what may be in it.
    mutating func append(_ value: [UInt8], standingAt origin: Range<Int>, secrets: [[UInt8]] = []) {
        guard place == .launch else { return text.append(value, standingAt: origin) }
        if quotes.isOpen {
            endsInBackslash = value.last == UInt8(ascii: "\\")
            text.append(LaunchQuotes.escaped(value), standingAt: origin)
            takeAsText(value)
            return
        }
        endsInBackslash = false
        // Words of a secret would turn up in messages, each on its own: it stays in one piece.
        var start = 0
        while start < value.count {
            let next = Self.first(secrets, in: value, from: start)
            let end = next?.lowerBound ?? value.count
            text.append(Array(value[start..<end]), standingAt: origin)
            quotes.take(value[start..<end])
            guard let next else { break }
            let secret = Array(value[next])
            if quotes.isOpen {
                text.append(LaunchQuotes.escaped(secret), standingAt: origin)
            } else if quotes.isInValue {
                text.append(LaunchQuotes.escapedWord(secret), standingAt: origin)
            } else {
                hasMisplacedSecret = true
            }
            takeAsText(secret)
            start = next.upperBound
        }
    }

    /// It cannot open or close quotes, nor end a value.
    private mutating func takeAsText(_ value: [UInt8]) {
        quotes.take(value.map { _ in UInt8(ascii: "x") })
    }

    private static func first(_ secrets: [[UInt8]], in value: [UInt8], from start: Int) -> Range<Int>? {
        for index in start..<value.count {
            for secret in secrets where value[index...].starts(with: secret) { return index..<index + secret.count }
        }
        return nil
    }
}
