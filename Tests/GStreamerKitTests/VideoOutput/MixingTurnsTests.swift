import HostTestKit
import Testing

@testable import GStreamerKit

/// Who goes on, of streams that are mixed.
@Suite struct MixingTurnsTests {
    /// A mixer of scripted streams: each needs its time for a picture, and waits behind a full pad until all have one.
    private struct Mixer {
        struct Stream {
            /// What a picture takes.
            var cost: ClockTime
            /// When the one that it was given comes out; nil where it has none to give.
            var arrival: ClockTime?
            /// Pictures in the mixer; with more than one the stream waits.
            var pictures = 0

            var rests: Bool { arrival == nil && pictures <= 1 }
        }

        var streams: [Stream]
        var resting: Set<Int> { Set(streams.indices.filter { streams[$0].rests }) }
        var isAtRest: Bool { resting.count == streams.count }

        mutating func give(_ number: Int, at now: ClockTime) { streams[number].arrival = now + streams[number].cost }

        mutating func pass(to now: ClockTime) {
            for number in streams.indices {
                guard let arrival = streams[number].arrival, arrival <= now else { continue }
                streams[number].arrival = nil
                streams[number].pictures += 1
            }
            while streams.allSatisfy({ $0.pictures > 0 }) {
                for number in streams.indices { streams[number].pictures -= 1 }
            }
        }

        /// When all rest, by turns; nil where they do not within a minute.
        mutating func timeToRest() -> ClockTime? {
            var (turns, now) = (MixingTurns(), ClockTime.zero)
            var turn = turns.patience
            while now < .seconds(60) {
                pass(to: now)
                if isAtRest { return now }
                if now >= turn {
                    for number in turns.next(resting: resting) { give(number, at: now) }
                    turn = now + turns.patience
                }
                now = now + .milliseconds(1)
            }
            return nil
        }
    }

    /// One is some pictures ahead, and each takes any time.
    @Test func allRestHoweverSlowTheyAre() {
        var campaign = Campaign(rounds: 2000)
        for round in 0..<campaign.rounds {
            let count = Int.random(in: 2...4, using: &campaign)
            var mixer = Mixer(
                streams: (0..<count).map { _ in
                    let cost = ClockTime.milliseconds(Int64.random(in: 0...300, using: &campaign))
                    return Mixer.Stream(cost: cost, pictures: Int.random(in: 0...2, using: &campaign))
                })
            let slowest = mixer.streams.map(\.cost).max() ?? .zero
            let time = mixer.timeToRest()
            // Turns grow to twice what the slowest needs at most, and there are a few of that.
            #expect(
                time.map { $0 <= .milliseconds(200) + ClockTime(nanoseconds: slowest.nanoseconds * 12) } == true,
                "\(campaign.note), round \(round)")
        }
    }

    /// The time of a turn changes only with the roles: who is far behind needs many.
    @Test func whoIsBehindComesUpQuickly() {
        var turns = MixingTurns()
        #expect(turns.next(resting: []).isEmpty && turns.patience == .milliseconds(10))
        for _ in 0..<100 { #expect(turns.next(resting: [2, 0]) == [0, 2]) }
        #expect(turns.patience == .milliseconds(10))
        #expect(turns.next(resting: [1]) == [1])
        #expect(turns.patience == .milliseconds(20))
        // Nobody rests: nobody's role has changed.
        #expect(turns.next(resting: []).isEmpty && turns.patience == .milliseconds(20))
        #expect(turns.next(resting: [1]) == [1])
        #expect(turns.patience == .milliseconds(20))
    }
}
