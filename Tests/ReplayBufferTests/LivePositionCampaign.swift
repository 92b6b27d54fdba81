import HostTestKit
import Testing

@testable import ReplayBuffer

/// Pauses, stops, sleeps, stalls and switches in any order, against a source that knows the truth.
@Suite struct LivePositionCampaign {
    /// A camera: frame `n` lasts from `n * step` on, plus all stalls; what was quiet is not on its timeline.
    private struct Source {
        let step: Int64
        /// Where its next frame begins, in media time.
        var media: Int64 = 0
        /// When that frame comes.
        var time: Int64
    }

    private enum Cycle: CaseIterable { case pause, stop, sleep, stall, switched }

    @Test func nothingJumpsAndTheDelayNeverDrifts() throws {
        var campaign = Campaign(rounds: 10_000)
        var left = campaign.rounds
        while left > 0 {
            let cycles = min(left, 500)
            left -= cycles
            try run(&campaign, campaign.note, cycles: cycles)
        }
    }

    private func run(_ random: inout Campaign, _ seed: String, cycles: Int) throws {
        let step = second / Int64([10, 25, 30, 50, 60, 120].randomElement(using: &random) ?? 30)
        var source = Source(step: step, time: Int64.random(in: 0...second, using: &random))
        var live = LivePosition()
        feed(60, &source, &live, &random, seed)
        // Longer than any stall, so that the viewer never has to wait at the edge.
        let delay = Int64.random(in: 11...40, using: &random) * second
        live.seek(to: try #require(live.now(at: source.time)) - delay, at: source.time)
        let isPlaying = Int.random(in: 0..<4, using: &random) > 0
        if !isPlaying { live.pause(at: source.time) }
        let place = try #require(live.position(at: source.time))
        for number in 0..<cycles {
            let note = "\(seed), cycle \(number)"
            let cycle = Cycle.allCases.randomElement(using: &random) ?? .pause
            if cycle == .stall {
                stall(&source, &live, &random, note)
            } else {
                quiet(cycle, &source, &live, &random, note)
            }
            feed(Int.random(in: 3...40, using: &random), &source, &live, &random, note)
            if isPlaying {
                let drift = try #require(live.delay(at: source.time)) - delay
                #expect(abs(drift) <= 1_000_000, "\(note): \(drift) ns after \(cycle)")
            } else {
                #expect(live.position(at: source.time) == place, "\(note)")
            }
        }
    }

    /// Frames with the unsteadiness of a camera; the edge is where the newest frame is, and moves by a frame at most.
    private func feed(
        _ count: Int, _ source: inout Source, _ live: inout LivePosition, _ random: inout Campaign, _ note: String
    ) {
        for _ in 0..<count {
            let late = Int64.random(in: 0...(source.step / 4), using: &random)
            let time = source.time + late
            let before = live.now(at: time)
            _ = live.frame(end: source.media + source.step, length: source.step, at: time)
            let now = live.now(at: time) ?? -1
            if let before { #expect(now - before >= 0 && now - before <= source.step, "\(note)") }
            for moment in [time, time + source.step / 2, time + 3 * source.step] {
                let edge = live.now(at: moment) ?? -1
                #expect(edge >= source.media && edge <= source.media + source.step, "\(note)")
            }
            source.media += source.step
            source.time += source.step
        }
    }

    private func stall(
        _ source: inout Source, _ live: inout LivePosition, _ random: inout Campaign, _ note: String
    ) {
        let length = Int64.random(in: second / 5...10 * second, using: &random)
        let before = live.now(at: source.time) ?? -1
        let delay = live.delay(at: source.time) ?? -1
        // The truth is that nothing comes: the edge stands, and who plays gets nearer to it.
        let end = source.media
        #expect(live.now(at: source.time + length) == end, "\(note)")
        if case .playing = live.viewer {
            let nearer = delay - (live.delay(at: source.time + length) ?? -1)
            #expect(abs(nearer - length) <= 3 * source.step, "\(note): \(nearer) of \(length)")
        }
        source.time += length
        source.media += length
        let gap = live.frame(end: source.media + source.step, length: source.step, at: source.time)
        if length > 100_000_000 + source.step { #expect(gap?.from == end && gap?.to == source.media, "\(note)") }
        let jump = (live.now(at: source.time) ?? -1) - before
        #expect(jump >= length - source.step && jump <= length + source.step, "\(note): \(jump) of \(length)")
        source.media += source.step
        source.time += source.step
    }

    private func quiet(
        _ cycle: Cycle, _ source: inout Source, _ live: inout LivePosition, _ random: inout Campaign, _ note: String
    ) {
        let byHost = cycle == .pause || cycle == .sleep
        if byHost {
            live.willPause(at: source.time)
            feed(Int.random(in: 0...20, using: &random), &source, &live, &random, note)
        }
        // The end of the stream is told at once, a frame's length after it, or with the word that the host is quiet.
        var time = source.time
        let hears = Bool.random(using: &random)
        if hears || !byHost {
            time += Int64.random(in: 0...source.step, using: &random)
            live.hold(at: time)
        }
        if byHost {
            time += Int64.random(in: 0...3 * second, using: &random)
            live.didPause(at: time)
        }
        let (now, delay) = (live.now(at: time), live.delay(at: time))
        #expect(now == source.media, "\(note)")
        // CLOCK_MONOTONIC stands while the machine sleeps.
        let length = cycle == .sleep ? 0 : Int64.random(in: 0...60 * second, using: &random)
        for part in 0...4 {
            #expect(live.now(at: time + length * Int64(part) / 4) == now, "\(note)")
            #expect(live.delay(at: time + length * Int64(part) / 4) == delay, "\(note)")
        }
        if byHost { live.willResume() }
        // Start-up and warm-up.
        source.time = time + length + Int64.random(in: 0...second, using: &random)
        #expect(live.now(at: source.time) == now && live.delay(at: source.time) == delay, "\(note)")
        _ = live.frame(end: source.media + source.step, length: source.step, at: source.time)
        #expect(live.now(at: source.time) == now && live.delay(at: source.time) == delay, "\(note)")
        source.media += source.step
        source.time += source.step
    }
}
