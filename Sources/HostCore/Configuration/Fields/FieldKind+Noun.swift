internal import GStreamerKit

extension FieldKind {
    /// What a key takes, in words.
    var noun: String {
        switch self {
        case .text: "text"
        case .scalar: "value"
        case .flag: "true or false"
        case .choice(let names): names.joined(separator: ", ")
        case .word(let word): word
        case .integer(let range):
            range.lowerBound == range.upperBound
                ? "\(range.lowerBound)" : "whole number, \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "number, \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .percent: "percent, 0% to 100%"
        case .duration(let range): "duration, \(Self.span(range))"
        case .rate: "number per duration"
        case .list(let item): "list of \(item.noun)s"
        case .named(_, let value):
            switch value {
            case .map: "map by name"
            default: "map of \(value.noun)s"
            }
        case .map: "map"
        case .oneOf(let kinds): kinds.map(\.noun).joined(separator: ", or ")
        }
    }

    /// The keys of the map it is, or may be.
    var keys: [FieldDescription]? {
        switch self {
        case .map(let fields, _): fields
        case .oneOf(let kinds): kinds.lazy.compactMap(\.keys).first
        default: nil
        }
    }

    private static func span(_ range: ClosedRange<ClockTime>) -> String {
        "\(Quantity.durationText(range.lowerBound.nanoseconds)) to "
            + Quantity.durationText(range.upperBound.nanoseconds)
    }
}
