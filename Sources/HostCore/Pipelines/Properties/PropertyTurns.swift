import Locking

/// Sets of one property in one build, one after the other, each with its turn: workers bring their answers in any order.
///
/// - Thread: any. It is held while an element takes its value: one that hangs keeps the others of its own property waiting, until
///   there is another build.
final class PropertyTurns: Sendable {
    let build: Int
    private let last = Locked<UInt64>(0)

    init(build: Int) { self.build = build }

    /// - Returns: what `body` returns, and which of them it was.
    func take<Result>(_ body: () -> Result) -> (result: Result, turn: PropertyTurn) {
        last.withLock { last in
            let result = body()
            last += 1
            return (result, PropertyTurn(build: build, number: last))
        }
    }
}
