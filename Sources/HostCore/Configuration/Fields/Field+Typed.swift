internal import GStreamerKit

/// Keys that hold one plain value: read, checked against their bounds, and put where they belong.
extension Field {
    typealias Place<Value> = any WritableKeyPath<Target, Value> & Sendable

    static func flag(
        _ key: String, _ summary: String, default defaultText: String, _ place: Place<Bool>
    ) -> Field {
        Field(key, summary, .flag, default: defaultText) { node, target, problems in
            if let flag = node.flag(for: key, &problems) { target[keyPath: place] = flag }
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ key: String, _ summary: String, default defaultText: String, _ place: Place<Choice>
    ) -> Field where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        return Field(key, summary, .choice(names), default: defaultText) { node, target, problems in
            if let choice = node.choice(for: key, of: Choice.self, &problems) { target[keyPath: place] = choice }
        }
    }

    static func number(
        _ key: String, _ summary: String, in range: ClosedRange<Double>, default defaultText: String,
        _ place: Place<Double>
    ) -> Field {
        Field(key, summary, .number(range), default: defaultText) { node, target, problems in
            if let number = node.number(for: key, in: range, &problems) { target[keyPath: place] = number }
        }
    }

    /// A share, written in percent.
    static func percent(
        _ key: String, _ summary: String, default defaultText: String, _ place: Place<Double>
    ) -> Field {
        Field(key, summary, .percent, default: defaultText) { node, target, problems in
            if let share = node.percent(for: key, &problems) { target[keyPath: place] = share }
        }
    }

    static func duration(
        _ key: String, _ summary: String, in range: ClosedRange<ClockTime>, default defaultText: String,
        _ place: Place<ClockTime>
    ) -> Field {
        Field(key, summary, .duration(range), default: defaultText) { node, target, problems in
            if let time = node.duration(for: key, in: range, &problems) { target[keyPath: place] = time }
        }
    }

    /// A duration, or the word `never`, which is nil.
    static func durationOrNever(
        _ key: String, _ summary: String, in range: ClosedRange<ClockTime>, default defaultText: String,
        _ place: Place<ClockTime?>
    ) -> Field {
        Field(key, summary, .oneOf([.duration(range), .word("never")]), default: defaultText) {
            node, target, problems in
            if node.isWord("never") {
                target[keyPath: place] = nil
            } else if let time = node.duration(for: key, in: range, orWord: "never", &problems) {
                target[keyPath: place] = time
            }
        }
    }
}
