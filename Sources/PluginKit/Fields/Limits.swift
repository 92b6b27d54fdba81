/// The least and the most a field may be, both included: `limits: .range(1...100)`, `limits: .atLeast(.seconds(1))`.
///
/// Of a list they are the limits of each element. A type without limits has `Never` here, so it cannot be given any.
public struct Limits<Bound: FieldValue & Comparable>: Sendable {
    var least: Bound?
    var most: Bound?

    public static func atLeast(_ bound: Bound) -> Limits { Limits(least: bound) }
    public static func atMost(_ bound: Bound) -> Limits { Limits(most: bound) }
    public static func range(_ range: ClosedRange<Bound>) -> Limits {
        Limits(least: range.lowerBound, most: range.upperBound)
    }

    func check(_ values: [Bound]) throws(FieldMismatch) {
        for value in values {
            if let least, value < least {
                throw FieldMismatch("must be at least \(least.literal.words), not \(value.literal.words)")
            }
            if let most, value > most {
                throw FieldMismatch("must be at most \(most.literal.words), not \(value.literal.words)")
            }
        }
    }
}
