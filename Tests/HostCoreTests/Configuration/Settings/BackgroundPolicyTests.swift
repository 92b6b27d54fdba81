import Testing

@testable import HostCore

@Suite struct BackgroundPolicyTests {
    @Test func defaultsStopForAPauseAndASleepAndStandStillForAnInterruption() {
        let policy = BackgroundPolicy()
        #expect(policy.mode(for: []) == .keep)
        #expect(policy.mode(for: .paused) == .stop)
        #expect(policy.mode(for: .suspended) == .stop)
        #expect(policy.mode(for: .interrupted) == .pause)
        #expect(policy.mode(for: [.locked, .lowPower, .outputLost]) == .keep)
    }

    @Test func theStrongestOfAllReasonsWins() {
        var policy = BackgroundPolicy(all: .keep)
        policy.locked = .audioOnly
        policy.interrupted = .pause
        policy.lowPower = .stop
        #expect(policy.mode(for: .locked) == .audioOnly)
        #expect(policy.mode(for: [.paused, .locked]) == .audioOnly)
        #expect(policy.mode(for: [.locked, .interrupted]) == .pause)
        #expect(policy.mode(for: [.locked, .interrupted, .lowPower]) == .stop)
    }

    @Test func nothingGoesOnOverTheEnd() {
        #expect(BackgroundPolicy(all: .keep).mode(for: .shuttingDown) == .stop)
    }

    /// Stopped or paused by the interruption: it stands ready with its device open. What went on goes on.
    @Test func whatWaitsForItsUserStandsReady() {
        let modes: [(BackgroundMode, BackgroundMode)] = [
            (.stop, .pause), (.pause, .pause), (.audioOnly, .audioOnly), (.keep, .keep),
        ]
        for (interrupted, waiting) in modes {
            var policy = BackgroundPolicy()
            policy.interrupted = interrupted
            #expect(policy.mode(for: .waiting) == waiting)
        }
    }

    @Test func oneModeIsForWhatMakesTheHostQuiet() {
        for mode in BackgroundMode.allCases {
            let policy = BackgroundPolicy(all: mode)
            for reason in [DesiredState.paused, .suspended, .interrupted] { #expect(policy.mode(for: reason) == mode) }
            #expect(policy.mode(for: [.locked, .lowPower, .outputLost]) == .keep)
        }
    }

    @Test func bitsOfANewerHeaderAskForNothing() {
        #expect(BackgroundPolicy().mode(for: DesiredState(rawValue: 1 << 40)) == .keep)
    }
}
