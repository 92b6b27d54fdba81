import HostTestKit
import Testing

@testable import LaundryTimers

@Suite struct CourierTests {
    private func timers(_ range: Range<Int>, late: Int64 = 0) -> [TimerStore.OpenTimer] {
        range.map { number in
            TimerStore.OpenTimer(
                timer: FinishedTimer(
                    start: Int64(number), pet: Int64(number), kind: .wash, startedAt: 0, duration: 1, finishedAt: 0,
                    late: late), isDelivered: false, petID: "pet\(number)", petName: "", hasSound: true, age: late)
        }
    }

    private func starts(_ timers: [TimerStore.OpenTimer]) -> [Int] { timers.map { Int($0.timer.start) } }

    /// A host that takes all.
    private func take(_ actions: Courier.Actions, _ courier: inout Courier) -> Courier.Notes {
        courier.told(Array(actions.events.joined()), at: 0)
        courier.shown(actions.notifications + actions.crowd, at: 0)
        return courier.takeNotes()
    }

    @Test func fewAreToldOneByOne() {
        var courier = Courier(staleAfter: 100)
        let actions = courier.hand(timers(0..<8), at: 0)
        #expect(actions.events.map(starts) == (0..<8).map { [$0] })
        #expect(starts(actions.notifications) == Array(0..<8) && actions.crowd.isEmpty)
        #expect(courier.unsent == (0..<8).map { Int64($0) })
        let notes = take(actions, &courier)
        #expect(notes.delivered == (0..<8).map { Int64($0) } && courier.unsent.isEmpty)
        #expect(courier.nextFlush == nil)
    }

    /// Two lists at once, and 1500 a second: a host takes 2000 events a second.
    @Test func manyAreToldTogetherAndInOrder() {
        var courier = Courier(staleAfter: 100)
        let actions = courier.hand(timers(0..<500), at: 0)
        #expect(actions.events.map(\.count) == Array(repeating: 1, count: 8) + [100, 100])
        #expect(starts(actions.notifications) == Array(0..<10) && starts(actions.crowd) == Array(10..<500))
        var told = Array(actions.events.joined())
        var delivered = take(actions, &courier).delivered
        var now: Int64 = 0
        while let next = courier.nextFlush {
            #expect(next == now + 666_666)
            now = next
            let more = courier.flush(at: now)
            #expect(more.events.count == 1 && more.notifications.isEmpty && more.crowd.isEmpty)
            told += more.events.joined()
            delivered += take(more, &courier).delivered
        }
        #expect(starts(told) == Array(0..<500) && delivered == (0..<500).map { Int64($0) })
    }

    /// Not before rules and subscribers had their turn, and only what is so old.
    @Test func whatWasToldIsNotedATenthOfASecondLater() {
        var courier = Courier(staleAfter: 100)
        #expect(courier.nextNote == nil)
        for (at, range) in [(0, 0..<2), (40_000_000, 2..<3)] {
            let actions = courier.hand(timers(range), at: Int64(at))
            courier.told(Array(actions.events.joined()), at: Int64(at))
            courier.shown(actions.notifications, at: Int64(at))
        }
        #expect(courier.nextNote == 100_000_000 && courier.takeNotes(at: 99_999_999) == Courier.Notes())
        #expect(courier.takeNotes(at: 100_000_000) == Courier.Notes(delivered: [0, 1]))
        #expect(courier.nextNote == 140_000_000)
        #expect(courier.takeNotes() == Courier.Notes(delivered: [2]) && courier.nextNote == nil)
    }

    @Test func crowdsComeOnceASecondAndNothingIsLost() {
        var courier = Courier(staleAfter: 100)
        let first = courier.hand(timers(0..<20), at: 0)
        _ = take(first, &courier)
        let more = courier.hand(timers(20..<30), at: second / 10)
        #expect(more.notifications.isEmpty && more.crowd.isEmpty)
        // Their events are out, their notification is not.
        #expect(take(more, &courier) == Courier.Notes(told: (20..<30).map { Int64($0) }))
        #expect(courier.nextFlush == second)
        let early = courier.flush(at: second - 1)
        #expect(early == Courier.Actions())
        let flushed = courier.flush(at: second)
        #expect(starts(flushed.crowd) == Array(20..<30))
        #expect(take(flushed, &courier) == Courier.Notes(delivered: (20..<30).map { Int64($0) }))
        #expect(courier.nextFlush == nil)
        // A quiet while later they come one by one again.
        let later = courier.hand(timers(30..<40), at: 60 * second)
        #expect(later.notifications.count == 10)
    }

    /// A host that has enough of events for now gets them later, in their order.
    @Test func whatTheHostDidNotTakeComesFirst() {
        var courier = Courier(staleAfter: 100)
        let actions = courier.hand(timers(0..<3), at: 0)
        courier.told(actions.events[0], at: 0)
        courier.hold(Array(actions.events[1...].joined()), at: 0)
        courier.shown(actions.notifications, at: 0)
        #expect(courier.takeNotes() == Courier.Notes(delivered: [0]))
        let late = courier.hand(timers(3..<4), at: 1)
        #expect(late.events.isEmpty && starts(late.notifications) == [3])
        courier.shown(late.notifications, at: 0)
        #expect(courier.nextFlush == second / 4 && courier.unsent == [1, 2, 3])
        let flushed = courier.flush(at: second / 4)
        #expect(flushed.events.map(starts) == [[1, 2, 3]] && flushed.notifications.isEmpty)
        #expect(take(flushed, &courier) == Courier.Notes(delivered: [1, 2, 3]))
    }

    /// After a restart: the event was posted by the host before, the notification was not shown.
    @Test func whatWasToldBeforeIsOnlyShown() {
        var courier = Courier(staleAfter: 100)
        var open = timers(0..<2)
        open[0].isTold = true
        open[1].isTold = true
        open[1].age = 101
        let actions = courier.hand(open, at: 0)
        #expect(actions.events.isEmpty && starts(actions.notifications) == [0])
        #expect(take(actions, &courier) == Courier.Notes(delivered: [1, 0]))
    }

    @Test func aSteadyRowStaysBelowWhatAHostShows() {
        var courier = Courier(staleAfter: 100)
        var shown = 0
        for number in 0..<6000 {
            let actions = courier.hand(timers(number..<number + 1), at: Int64(number) * second / 100)
            shown += actions.notifications.count + (actions.crowd.isEmpty ? 0 : 1)
        }
        // A minute of 100 a second; a host shows 20 and 5 a second.
        #expect(shown <= 20 + 5 * 60 && shown >= 60)
    }

    /// 4,000 a second, more than a host takes one by one: lists, and none of them early, lost or out of order.
    @Test func aSteadyRowIsToldInLists() {
        var courier = Courier(staleAfter: 100)
        var told: [(Int, Int64)] = []
        var events = 0
        func note(_ actions: Courier.Actions, _ now: Int64) {
            courier.told(Array(actions.events.joined()), at: 0)
            events += actions.events.count
            told += actions.events.flatMap(starts).map { ($0, now) }
        }
        for number in 0..<2000 {
            let now = Int64(number) * 250_000
            if let flush = courier.nextFlush, flush <= now { note(courier.flush(at: flush), flush) }
            note(courier.hand(timers(number..<number + 1), at: now), now)
        }
        note(courier.flush(at: 3 * second), 3 * second)
        #expect(told.map(\.0) == Array(0..<2000))
        #expect(told.dropLast(8).allSatisfy { (0...1_250_000).contains($0.1 - Int64($0.0) * 250_000) })
        #expect(events <= 750 + 20)
    }

    @Test func whatSomebodyIsDoneWithIsToldAndNotShown() {
        var courier = Courier(staleAfter: 100)
        var open = timers(0..<1)
        open[0].isSilent = true
        let actions = courier.hand(open, at: 0)
        #expect(actions.events.count == 1 && actions.notifications.isEmpty)
        #expect(take(actions, &courier).delivered == [0])
    }

    @Test func whatIsStaleIsToldWithoutANotification() {
        var courier = Courier(staleAfter: 100)
        let actions = courier.hand(timers(0..<3, late: 101), at: 0)
        #expect(actions.events.count == 3 && actions.notifications.isEmpty)
        #expect(take(actions, &courier).delivered.count == 3)
    }

    /// Against an array.
    @Test func aBacklogIsTakenFromItsFront() {
        var random = Campaign(rounds: 300)
        let note = Comment(rawValue: random.note)
        for _ in 0..<random.rounds {
            var (backlog, model, next) = (Backlog<Int>(), [Int](), 0)
            for _ in 0..<40 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    for _ in 0..<Int.random(in: 0...6000, using: &random) {
                        backlog.append(next)
                        model.append(next)
                        next += 1
                    }
                case 1:
                    let first = Array(next..<next + Int.random(in: 0...5, using: &random))
                    next += first.count
                    backlog.prepend(first)
                    model = first + model
                default:
                    let most = Int.random(in: 0...3000, using: &random)
                    let taken = backlog.take(most)
                    #expect(taken == Array(model.prefix(most)), note)
                    model.removeFirst(taken.count)
                }
                #expect(backlog.count == model.count && backlog.isEmpty == model.isEmpty, note)
            }
        }
    }

    @Test func whatTheHostDidNotTakeComesInTheNextCrowd() {
        var courier = Courier(staleAfter: 100)
        let actions = courier.hand(timers(0..<2), at: 0)
        courier.postpone(actions.notifications, at: 0)
        courier.forget(SettledTimers([Settled(pet: 1, starts: 0..<2), Settled(pet: 0, starts: 1..<9)]))
        #expect(courier.nextFlush == second)
        let flushed = courier.flush(at: second)
        #expect(starts(flushed.crowd) == [0])
    }
}
