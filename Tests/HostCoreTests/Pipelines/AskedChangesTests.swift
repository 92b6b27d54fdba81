import Testing

@testable import HostCore

@Suite struct AskedChangesTests {
    @Test func onlyTheLastOneCounts() {
        var changes = AskedChanges()
        #expect(changes.areDone)
        let play = changes.ask()
        let pause = changes.ask()
        #expect(!changes.hear(play) && !changes.areDone)
        #expect(changes.hear(pause) && changes.areDone)
        let again = changes.ask()
        #expect(!changes.hear(pause) && !changes.areDone)
        #expect(changes.hear(again) && changes.areDone)
    }
}
