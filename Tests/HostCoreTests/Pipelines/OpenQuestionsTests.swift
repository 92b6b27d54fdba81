import Testing

@testable import HostCore

@Suite struct OpenQuestionsTests {
    /// One within the other: none has its answer before those in it.
    @Test func soManyMayBeOpenAndTheirPlacesComeBack() {
        let questions = OpenQuestions()
        func depth() -> Int { questions.ask { 1 + depth() } ?? 0 }
        #expect(depth() == OpenQuestions.most)
        #expect(depth() == OpenQuestions.most)
    }
}
