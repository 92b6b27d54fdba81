import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct RestartBudgetTests {
    @Test func eachAttemptWaitsLongerUpToTheLongest() {
        var policy = RestartPolicy()
        policy.longestDelay = .seconds(5)
        policy.limit = 10
        var budget = RestartBudget()
        let delays = (0..<5).map { _ in budget.fail(at: .seconds(1), policy) }
        #expect(delays == [1, 2, 4, 5, 5].map { .retry(after: .seconds($0)) })
    }

    @Test func moreThanTheLimitInThePeriodIsACrashLoop() {
        var policy = RestartPolicy()
        policy.limit = 3
        var budget = RestartBudget()
        for second in [0, 20, 40] {
            guard case .retry = budget.fail(at: .seconds(Int64(second)), policy) else {
                Issue.record("refused at \(second) s")
                return
            }
        }
        #expect(budget.fail(at: .seconds(59), policy) == .exhausted)
        // The memory begins anew, for the time after the cool-down.
        #expect(budget.fail(at: .seconds(60), policy) == .retry(after: .seconds(1)))
    }

    @Test func attemptsOlderThanThePeriodAreForgotten() {
        var policy = RestartPolicy()
        policy.limit = 1
        var budget = RestartBudget()
        #expect(budget.fail(at: .zero, policy) == .retry(after: .seconds(1)))
        #expect(budget.fail(at: .seconds(60), policy) == .retry(after: .seconds(2)))
        #expect(budget.fail(at: .seconds(119), policy) == .exhausted)
    }

    @Test func aPeriodOfGoodHealthMakesTheDelayShortAgain() {
        let policy = RestartPolicy()
        var budget = RestartBudget()
        _ = budget.fail(at: .zero, policy)
        budget.isWell(at: .seconds(10))
        budget.isWell(at: .seconds(50))
        #expect(budget.fail(at: .seconds(70), policy) == .retry(after: .seconds(1)))
        budget.isWell(at: .seconds(71))
        #expect(budget.fail(at: .seconds(80), policy) == .retry(after: .seconds(2)))
    }

    @Test func jitterStaysWithinItsShare() {
        var policy = RestartPolicy()
        policy.jitter = 0.1
        var campaign = Campaign(rounds: 1000)
        for _ in 0..<campaign.rounds {
            let unit = Double.random(in: -1...1, using: &campaign)
            let delay = RestartBudget.jittered(.seconds(10), policy, unit: unit)
            #expect(delay >= .seconds(9) && delay <= .seconds(11), "\(campaign.note)")
        }
        #expect(RestartBudget.jittered(.seconds(10), policy, unit: 1) == .seconds(11))
        #expect(RestartBudget.jittered(.seconds(10), policy, unit: -1) == .seconds(9))
    }
}
