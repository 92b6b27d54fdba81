internal import GStreamerKit

/// What a key of the configuration takes. Messages, the reference and the editors' schema are written from it.
indirect enum FieldKind: Sendable {
    case text
    /// A text, a number or true and false: what a property of an element takes.
    case scalar
    /// `true` or `false`.
    case flag
    case choice([String])
    /// Exactly this word: `never`.
    case word(String)
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    /// `10%`, from 0% to 100%.
    case percent
    case duration(ClosedRange<ClockTime>)
    /// `5 per 1min`.
    case rate(count: ClosedRange<Int64>, period: ClosedRange<ClockTime>)
    case list(FieldKind)
    /// A map whose keys are names the user chooses; `form` says what a name looks like.
    case named(form: String, FieldKind)
    /// A map with these keys; an open one may have others, which mean something to somebody else.
    case map([FieldDescription], isOpen: Bool)
    case oneOf([FieldKind])
}
