import Testing

@testable import HostCore

@Suite struct TrialLedgerTests {
    /// They were kept with the faults once, and a trial that had noted something ended after two steps of eighty.
    @Test func aNoteIsNoFault() {
        var ledger = TrialLedger()
        let isNew = ledger.isNew(note: "something")
        #expect(isNew && !ledger.hasFaults)
        let isFaultNew = ledger.isNew(fault: "something")
        #expect(isFaultNew && ledger.hasFaults)
    }

    @Test func aThingIsSaidOnceAndAFloodIsCut() {
        var ledger = TrialLedger()
        let said = (0..<1000).filter { number in
            let isFirst = ledger.isNew(fault: "\(number)")
            let isSecond = ledger.isNew(fault: "\(number)")
            return isFirst || isSecond
        }
        #expect(said == Array(0..<50))
        let isNoteNew = ledger.isNew(note: "a note")
        #expect(isNoteNew)
    }
}
