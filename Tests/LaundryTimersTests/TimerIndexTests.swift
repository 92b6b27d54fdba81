import HostTestKit
import Testing

@testable import LaundryTimers

@Suite struct TimerIndexTests {
    /// Beside a dictionary, over transactions that end well or do not.
    @Test func followsTheTransactions() {
        var random = Campaign(rounds: 2000)
        let index = TimerIndex()
        var known: [Int64: Int64] = [:]
        for _ in 0..<random.rounds {
            var changed = known
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let pet = Int64.random(in: 1...40, using: &random)
                let start = Bool.random(using: &random) ? Int64.random(in: 1...1000, using: &random) : nil
                index.set(pet, start)
                changed[pet] = start
            }
            if Bool.random(using: &random) {
                index.commit()
                known = changed
            } else {
                index.rollback()
            }
            #expect((0...50).allSatisfy { index[$0] == known[$0] })
        }
    }

    @Test func whatIsNoRowHasNone() {
        let index = TimerIndex()
        #expect(index[-1] == nil && index[0] == nil && index[.max] == nil)
    }

    /// The store and its index are of one mind after a transaction that was given up.
    @Test func aTransactionThatIsGivenUpLeavesNoTimer() throws {
        let bench = try Bench(pets: ["snowy", "fluffy"])
        _ = try bench.perform([.start(StartRequest(pet: "snowy", kind: .wash, duration: nil, basis: nil))])
        let store = bench.keeper.store
        let (snowy, fluffy) = (try #require(try store.pet("snowy")), try #require(try store.pet("fluffy")))
        var (stopped, started) = (snowy, fluffy)
        stopped.timer = nil
        started.timer = snowy.timer
        started.timer?.start = 99
        #expect(throws: StoreError.self) {
            try store.transaction { () throws(StoreError) in
                try store.save(stopped, was: snowy)
                try store.save(started, was: fluffy)
                #expect(try store.pet("snowy")?.timer == nil)
                #expect(try store.pet("fluffy")?.timer?.start == 99)
                throw StoreError.damaged("on purpose")
            }
        }
        #expect(try store.pet("snowy") == snowy)
        #expect(try store.pet("fluffy") == fluffy)
    }
}
