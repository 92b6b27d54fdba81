import TestElements
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random sequences on a real host: whatever comes, in the end each pipeline is where the state of the host and its user want it,
/// each buffer of a stream has come right behind the one before, and the host ends as it was asked to.
///
/// The host's clock is a virtual one, that of the pipelines a GstTestClock that a thread turns on.
///
/// `make campaign NAME=lifecycle-host N=10000`
@Suite(.timeLimit(.minutes(60))) struct LifecycleHostCampaign {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
        try #require(mh_cranked_clock_begin() != 0)
    }

    @Test @HostActor func realPipelinesEndWhereTheyShould() async throws {
        var campaign = Campaign(rounds: 100)
        var passed = 0
        var failures = 0
        var drawn: [LifecycleHouse.Step: Int] = [:]
        for round in 1...campaign.rounds {
            let house = try LifecycleHouse(&campaign)
            for _ in 0..<Int.random(in: 1...12, using: &campaign) {
                guard let step = LifecycleHouse.Step.allCases.randomElement(using: &campaign) else { continue }
                if try await house.take(step, &campaign) { drawn[step, default: 0] += 1 }
            }
            await house.settle()
            var faults = house.faults()
            await house.end()
            faults += house.faults()
            passed += house.passed
            failures += house.failures
            guard faults.isEmpty else {
                let story = (house.story + house.bench.log.elements).joined(separator: "\n")
                Issue.record("round \(round), \(campaign.note): \(faults.joined(separator: "; "))\n\(story)")
                return
            }
        }
        #expect(passed > campaign.rounds)
        // What never came about was not tried. (A hundred sequences may miss the rarest.)
        if campaign.rounds >= 1000 {
            let missing = LifecycleHouse.Step.allCases.filter { drawn[$0] == nil }
            #expect(missing.isEmpty, "\(missing) in \(campaign.rounds) sequences, \(campaign.note)")
            #expect(failures > 0)
        }
        let steps = LifecycleHouse.Step.allCases.map { "\($0) \(drawn[$0] ?? 0)" }.joined(separator: ", ")
        print(
            "lifecycle-host: \(campaign.rounds) sequences, \(passed) buffers, \(failures) failures, seed \(campaign.seed); \(steps)"
        )
    }
}
