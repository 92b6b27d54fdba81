import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct TimerQueueTests {
    private func at(_ nanoseconds: Int64) -> ClockTime { ClockTime(nanoseconds: nanoseconds) }

    private func timer(_ due: Int64, every interval: Int64? = nil, slack: Int64 = 0) -> TimerQueue.Timer {
        TimerQueue.Timer(due: at(due), interval: interval.map(at), slack: at(slack))
    }

    /// What is due, without how it came about.
    private func ids(_ queue: inout TimerQueue, _ now: Int64) -> [UInt64] { queue.takeDue(at: at(now)).map(\.id) }

    private func look(_ queue: inout TimerQueue) -> Int64? { queue.nextLook()?.nanoseconds }

    @Test func nothingArmedIsNothingToLookFor() {
        var queue = TimerQueue()
        #expect(look(&queue) == nil)
        #expect(ids(&queue, .max) == [])
        queue.arm(1, timer(5))
        #expect(look(&queue) == 5)
        queue.cancel(1)
        #expect(look(&queue) == nil)
        #expect(ids(&queue, 5) == [])
    }

    @Test func dueOnesComeInTheOrderOfTheirTimesAndNeverEarly() {
        var queue = TimerQueue()
        queue.arm(1, timer(30))
        queue.arm(2, timer(10))
        queue.arm(3, timer(10))
        queue.arm(4, timer(31))
        #expect(ids(&queue, 9) == [])
        #expect(ids(&queue, 30) == [2, 3, 1])
        #expect(look(&queue) == 31)
    }

    @Test func saysHowLateItIs() {
        var queue = TimerQueue()
        queue.arm(7, timer(10))
        let expiry = queue.takeDue(at: at(25))
        #expect(expiry == [.init(id: 7, due: at(10), expirations: 1, late: at(15), repeats: false)])
    }

    @Test func slackMakesOneLookOfSeveral() {
        var queue = TimerQueue()
        queue.arm(1, timer(10, slack: 100))
        queue.arm(2, timer(60, slack: 30))
        queue.arm(3, timer(95))
        #expect(look(&queue) == 90)
        #expect(ids(&queue, 90) == [1, 2])
        #expect(look(&queue) == 95)
    }

    @Test func aRepeatingOneKeepsToItsTimesAndTellsMissedOnesTogether() {
        var queue = TimerQueue()
        queue.arm(1, timer(100, every: 10))
        #expect(
            queue.takeDue(at: at(103)) == [.init(id: 1, due: at(100), expirations: 1, late: at(3), repeats: true)])
        #expect(look(&queue) == 110)
        #expect(
            queue.takeDue(at: at(139)) == [.init(id: 1, due: at(110), expirations: 3, late: at(9), repeats: true)])
        #expect(look(&queue) == 140)
    }

    @Test func aClockThatIsSetBackDoesNotStopWhatRepeats() {
        var queue = TimerQueue()
        queue.arm(1, timer(100, every: 10))
        queue.arm(2, timer(500))
        #expect(ids(&queue, 400) == [1])
        queue.clockWasSet(to: at(233))
        #expect(look(&queue) == 240)
        // Not before its first time, though.
        queue.clockWasSet(to: at(7))
        #expect(look(&queue) == 100)
        queue.cancel(1)
        #expect(look(&queue) == 500)
    }

    @Test func aClockThatIsSetForwardTellsAllThatWasMissedInOne() {
        var queue = TimerQueue()
        queue.arm(1, timer(100, every: 10))
        queue.clockWasSet(to: at(1_000_000))
        #expect(queue.takeDue(at: at(1_000_000)).map(\.expirations) == [99_991])
    }

    @Test func timesOutOfAllBoundsTrapNowhere() {
        var queue = TimerQueue()
        queue.arm(1, timer(.min + 1, every: 1, slack: .max))
        queue.arm(2, timer(.max, every: .max, slack: .max))
        queue.arm(3, timer(.min + 1))
        #expect(ids(&queue, 1_000_000_000) == [1, 3])
        queue.clockWasSet(to: at(.min + 1))
        queue.clockWasSet(to: at(.max))
        #expect(ids(&queue, .max) == [1, 2])
        #expect(queue.count == 0)
    }

    /// Against the plainest thing that could work, a list.
    @Test func agreesWithAListWhateverComes() {
        var campaign = Campaign(rounds: 300)
        for _ in 0..<campaign.rounds {
            var queue = TimerQueue()
            var list: [UInt64: TimerQueue.Timer] = [:]
            var now: Int64 = 0
            for id in UInt64(1)...200 {
                switch Int.random(in: 0..<10, using: &campaign) {
                case 0..<5:
                    let new = timer(
                        now + .random(in: -50...500, using: &campaign),
                        every: Bool.random(using: &campaign) ? .random(in: 1...90, using: &campaign) : nil,
                        slack: .random(in: 0...60, using: &campaign))
                    queue.arm(id, new)
                    list[id] = new
                case 5, 6:
                    guard let one = list.keys.sorted().randomElement(using: &campaign) else { continue }
                    queue.cancel(one)
                    list[one] = nil
                default:
                    now += .random(in: 0...120, using: &campaign)
                    let due = list.filter { $0.value.due.nanoseconds <= now }
                        .sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
                    #expect(ids(&queue, now) == due.map(\.key), "\(campaign.note)")
                    for (id, timer) in due {
                        guard let interval = timer.interval?.nanoseconds else {
                            list[id] = nil
                            continue
                        }
                        while let next = list[id]?.due.nanoseconds, next <= now { list[id]?.due = at(next + interval) }
                    }
                }
                let latest = list.values.map { $0.due.nanoseconds + $0.slack.nanoseconds }.min()
                #expect(look(&queue) == latest, "\(campaign.note)")
            }
        }
    }
}
