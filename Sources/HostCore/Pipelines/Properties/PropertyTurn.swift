/// Which of the sets of a property one was. Those of a later build came later.
///
/// - Thread: any. A value.
struct PropertyTurn: Sendable, Comparable {
    var build: Int
    var number: UInt64

    static func < (left: PropertyTurn, right: PropertyTurn) -> Bool {
        (left.build, left.number) < (right.build, right.number)
    }
}
