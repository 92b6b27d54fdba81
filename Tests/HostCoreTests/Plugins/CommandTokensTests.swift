import Testing

@testable import HostCore

/// Which answers count.
struct CommandTokensTests {
    @Test func eachIsAnsweredOnce() {
        var tokens = CommandTokens()
        tokens.open(1)
        let answers = [tokens.answer(1), tokens.answer(1), tokens.answer(2)]
        #expect(answers == [.wanted, .unasked, .unasked])
    }

    @Test func oneThatWasGivenUpIsAnsweredOnceAndDropped() {
        var tokens = CommandTokens()
        tokens.open(1)
        let found = [tokens.giveUp(1), tokens.giveUp(1)]
        #expect(found == [true, false])
        let answers = [tokens.answer(1), tokens.answer(1)]
        #expect(answers == [.late, .unasked])
    }

    /// A plugin that never answers does not fill the memory of a host that runs for months.
    @Test func theOldestGivenUpAreForgotten() {
        var tokens = CommandTokens()
        for token in 1...UInt64(CommandTokens.mostGivenUp + 1) {
            tokens.open(token)
            _ = tokens.giveUp(token)
        }
        let answers = [tokens.answer(1), tokens.answer(2)]
        #expect(answers == [.unasked, .late])
    }
}
