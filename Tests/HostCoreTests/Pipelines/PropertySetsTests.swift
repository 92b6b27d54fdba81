import Locking
import Testing

@testable import HostCore

@Suite struct PropertySetsTests {
    private let path = PropertyPath(element: "source", property: "pattern")

    private func turn(_ number: UInt64, build: Int = 1) -> PropertyTurn { PropertyTurn(build: build, number: number) }

    /// Two clients set one property. The later value was the element's, but the earlier one's answer came later: it was remembered,
    /// and the next build had it.
    @Test func theValueThatWasSetLastHoldsWhicheverIsHeardOfLast() {
        var sets = PropertySets()
        let later = sets.heard(turn(2), of: path)
        let earlier = sets.heard(turn(1), of: path)
        #expect(later && !earlier)
        let next = sets.heard(turn(1, build: 2), of: path)
        let last = sets.heard(turn(3), of: path)
        #expect(next && !last)
        let other = sets.heard(turn(1), of: PropertyPath(element: "source", property: "speed"))
        #expect(other)
    }

    /// The same with the file: both were saved, and after a restart the earlier one held.
    @Test func whatWasSetLastIsSaved() {
        var sets = PropertySets()
        _ = sets.heard(turn(2), of: path)
        let later = sets.keep("snow", turn(2), of: path)
        _ = sets.heard(turn(1), of: path)
        let earlier = sets.keep("ball", turn(1), of: path)
        #expect(later == .init(turn: turn(2), text: "snow") && earlier == later)
    }

    /// While a value was written to the file somebody set another one for now; the end of the writing took it away, and the next
    /// build had the saved one.
    @Test func whatWasSetForNowOutlivesTheEndOfASave() {
        var sets = PropertySets()
        _ = sets.heard(turn(1), of: path)
        let saved = sets.keep("ball", turn(1), of: path)
        #expect(sets.isNewest(saved.turn, of: path))
        _ = sets.heard(turn(2), of: path)
        #expect(!sets.isNewest(saved.turn, of: path))
    }

    private final class Cell: Sendable {
        let number = Locked(0)
    }

    @Test func turnsAreNumberedAsTheyAreTaken() async {
        let turns = PropertyTurns(build: 1)
        let value = Cell()
        let numbers = await withTaskGroup(of: (Int, UInt64).self) { group in
            for each in 1...64 {
                group.addTask { (each, turns.take { value.number.withLock { $0 = each } }.turn.number) }
            }
            return await group.reduce(into: [:]) { $0[$1.1] = $1.0 }
        }
        #expect(numbers.count == 64 && numbers[64] == value.number.withLock { $0 })
    }
}
