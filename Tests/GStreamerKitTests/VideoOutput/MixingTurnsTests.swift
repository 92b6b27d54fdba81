import HostTestKit
import Testing

@testable import GStreamerKit

/// Who goes on, of streams that are mixed.
@Suite struct MixingTurnsTests {
    /// A mixer of scripted streams. As a GstAggregator, it keeps one picture of each, makes one of its own when it has one of all, and
    /// goes on to the next of those that begin before that one ends. Times in milliseconds.
    private struct Mixer {
        struct Stream {
            /// From picture to picture.
            var length: Int
            /// What one takes to decode.
            var cost: Int
            /// When the one that it was given comes out; nil where it has none to give.
            var arrival: Int?
            /// When the one in the mixer begins.
            var picture: Int?
            /// When the next one does.
            var next: Int
            /// Whether that has come out, and waits for its place.
            var waits: Bool

            var rests: Bool { arrival == nil && !waits }

            mutating func come() {
                arrival = nil
                if picture == nil { enter() } else { waits = true }
            }

            mutating func enter() {
                picture = next
                next += length
                waits = false
            }
        }

        var streams: [Stream]
        private var begin = 0

        init(_ streams: [Stream]) { self.streams = streams }

        private var resting: Set<Int> { Set(streams.indices.filter { streams[$0].rests }) }

        private mutating func pass(to now: Int) {
            for number in streams.indices {
                if let arrival = streams[number].arrival, arrival <= now { streams[number].come() }
            }
            let end = streams.map(\.length).min() ?? 1
            while streams.allSatisfy({ $0.picture != nil }) {
                for number in streams.indices where streams[number].picture.map({ $0 < begin + end }) == true {
                    streams[number].picture = nil
                    if streams[number].waits { streams[number].enter() }
                }
                begin += end
            }
        }

        /// How long all take to rest; nil where they do not within a minute.
        var timeToRest: Int? {
            var mixer = self
            var turns = MixingTurns(at: .zero)
            for milliseconds in 0..<60_000 {
                let now = ClockTime.milliseconds(Int64(milliseconds))
                mixer.pass(to: milliseconds)
                let resting = mixer.resting
                if resting.count == streams.count { return milliseconds }
                for number in resting { turns.rest(number, at: now) }
                guard let number = turns.next(of: resting, at: now) else { continue }
                mixer.streams[number].arrival = milliseconds + mixer.streams[number].cost
            }
            return nil
        }
    }

    /// Any moment of two to four streams of such lengths.
    private static func anyMixer(
        _ campaign: inout Campaign, lengths: [Int] = [16, 20, 33, 40, 41, 66, 200, 1000], cost: Int
    ) -> Mixer {
        let count = Int.random(in: 2...4, using: &campaign)
        return Mixer(
            (0..<count).map { _ in
                let length = lengths.randomElement(using: &campaign) ?? 40
                let picture =
                    Int.random(in: 0..<4, using: &campaign) > 0 ? Int.random(in: 0...length, using: &campaign) : nil
                return Mixer.Stream(
                    length: length, cost: Int.random(in: 0...cost, using: &campaign), picture: picture,
                    next: picture.map { $0 + length } ?? 0, waits: picture != nil && Bool.random(using: &campaign))
            })
    }

    /// Whatever their rates, and however slow their decoders.
    @Test(arguments: [0, 9, 40, 300]) func allComeToRest(cost: Int) {
        var campaign = Campaign(rounds: 500)
        for round in 0..<campaign.rounds {
            let mixer = Self.anyMixer(&campaign, cost: cost)
            #expect(mixer.timeToRest != nil, "\(campaign.note), cost \(cost), round \(round): \(mixer)")
        }
    }

    /// What a mixer has anyhow, at 15 pictures a second and more: in the time in which whoever asked for it is answered.
    @Test func quickOnesRestSoon() {
        var campaign = Campaign(rounds: 500)
        for round in 0..<campaign.rounds {
            let mixer = Self.anyMixer(&campaign, lengths: [16, 20, 33, 40, 41, 66], cost: 9)
            let time = mixer.timeToRest
            #expect(time.map { $0 < 1000 } == true, "\(campaign.note), round \(round): \(mixer)")
        }
    }

    @Test func whoComesToRestKeepsTheTurn() {
        var turns = MixingTurns(at: .seconds(1))
        func next(_ resting: Set<Int>, _ milliseconds: Int64) -> Int? {
            turns.next(of: resting, at: .seconds(1) + .milliseconds(milliseconds))
        }
        func rest(_ stream: Int, _ milliseconds: Int64) {
            turns.rest(stream, at: .seconds(1) + .milliseconds(milliseconds))
        }
        #expect(next([0, 1], 9) == nil && next([0, 1], 10) == 0)
        // Another one that rests is none of its business.
        rest(1, 12)
        #expect(next([1], 19) == nil)
        rest(0, 14)
        #expect(next([0, 1], 23) == nil && next([0, 1], 24) == 0)
        // It waits, or is slow: it has longer the next time.
        #expect(next([1, 2], 34) == 1)
        #expect(next([0, 2], 43) == nil && next([0, 2], 44) == 0)
        #expect(next([2], 63) == nil)
        // So slow is it.
        rest(0, 74)
        #expect(next([0, 2], 83) == nil && next([0, 2], 84) == 0)
        #expect(next([2], 143) == nil && next([2], 144) == 2)
        // Nobody is left, and nobody is too slow.
        #expect(next([], 154) == nil && next([2], 163) == nil && next([2], 164) == 2)
    }
}
