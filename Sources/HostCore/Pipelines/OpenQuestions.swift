import Synchronization

/// What the elements of a build were asked and have not answered yet: one that hangs keeps a thread for each, for ever maybe.
///
/// - Thread: any.
final class OpenQuestions: Sendable {
    /// An element that hangs is asked no more often.
    static let most = 8

    private let count = Atomic<Int>(0)

    /// The answer; nil where so many are open that it is not asked.
    /// - Thread: worker.
    func ask<Answer>(_ question: () -> Answer) -> Answer? {
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        return count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most ? question() : nil
    }
}
