import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Our launch parser against GStreamer's: what one takes the other takes, and what is built is what we said.
@Suite struct LaunchDifferentialTests {
    init() throws { try GStreamer.start() }

    @Test func corpus() {
        var seen = Set<String>()
        for one in LaunchCorpus.cases {
            #expect(seen.insert(one.id).inserted, "\(one.id) twice")
            let agreement = LaunchAgreement(one.launch)
            if !agreement.differences.isEmpty { print("DIFF \(one.id): \(one.launch.debugDescription) => \(agreement.differences)") }
            if !agreement.stricter.isEmpty { print("STRICT \(one.id): \(one.launch.debugDescription) => \(agreement.stricter)") }
            if let laxer = agreement.laxer { print("LAX \(one.id): \(one.launch.debugDescription) => \(laxer)") }
        }
        print("CASES", LaunchCorpus.cases.count, LaunchCorpus.handWritten.count)
    }
}
