import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// `RuleMachine` against a model that counts every millisecond by itself.
@Suite struct RuleModelTests {
    /// One rule, in whole milliseconds and tokens of a thousandth.
    private struct Model {
        let debounce: Int
        let count: Int
        let period: Int
        /// Milliseconds that the bucket has saved up; one firing costs `period / count`.
        var saved: Int
        var quietUntil: (time: Int, event: UInt64)?
        var isAtWork = false
        var waiting: [UInt64] = []
        var fired: [UInt64] = []
        var dropped: [RuleDrop: Int] = [:]

        init(debounce: Int, count: Int, period: Int) {
            self.debounce = debounce
            self.count = count
            self.period = period
            saved = period
        }

        mutating func tick(_ now: Int) {
            saved = min(period, saved + 1)
            if let quiet = quietUntil, quiet.time == now {
                quietUntil = nil
                admit(quiet.event)
            }
        }

        mutating func hear(_ event: UInt64, deep: Bool, at now: Int) {
            if deep {
                dropped[.loop, default: 0] += 1
            } else if debounce > 0 {
                quietUntil = (now + debounce, event)
            } else {
                admit(event)
            }
        }

        mutating func admit(_ event: UInt64) {
            if saved * count < period {
                dropped[.rate, default: 0] += 1
                return
            }
            saved -= period / count
            if !isAtWork {
                isAtWork = true
                fired.append(event)
            } else if waiting.count < 8 {
                waiting.append(event)
            } else {
                dropped[.busy, default: 0] += 1
            }
        }

        mutating func finish() {
            isAtWork = false
            if !waiting.isEmpty {
                isAtWork = true
                fired.append(waiting.removeFirst())
            }
        }
    }

    @Test func agreesWithAModelThatCountsMilliseconds() {
        var campaign = Campaign(rounds: 150)
        for round in 0..<campaign.rounds {
            let debounce = [0, 0, 3, 20].randomElement(using: &campaign) ?? 0
            let count = [1, 2, 5, 20].randomElement(using: &campaign) ?? 1
            let period = 1000 * Int.random(in: 1...3, using: &campaign)
            var model = Model(debounce: debounce, count: count, period: period)
            let rule = RuleBench.rule(
                "a", debounce: .milliseconds(Int64(debounce)), count: Int64(count),
                period: .milliseconds(Int64(period)))
            var machine = RuleMachine()
            machine.use([rule])
            var fired: [UInt64] = []
            var reported = 0
            func note(_ actions: [RuleMachine.Action]) {
                for action in actions {
                    switch action {
                    case .fire(let id, let event):
                        #expect(id == 1)
                        fired.append(event.sequence)
                    case .report(_, _, let count, _): reported += count
                    }
                }
            }
            var number: UInt64 = 0
            for now in 1...4000 {
                let time = ClockTime.milliseconds(Int64(now))
                model.tick(now)
                if let due = machine.due, due <= time { note(machine.advance(to: time)) }
                if model.isAtWork, Int.random(in: 0..<12, using: &campaign) == 0 {
                    model.finish()
                    note(machine.finished(1, failed: false, at: time))
                }
                // What is not changed by a reload does not feel it.
                if Int.random(in: 0..<500, using: &campaign) == 0 { machine.use([RuleBench.rule("new"), rule]) }
                if Int.random(in: 0..<500, using: &campaign) == 0 { machine.use([rule]) }
                guard Int.random(in: 0..<10, using: &campaign) == 0 else { continue }
                number += 1
                let deep = Int.random(in: 0..<20, using: &campaign) == 0
                model.hear(number, deep: deep, at: now)
                note(
                    machine.handle(RuleBench.event(number, "test.happened", depth: deep ? 8 : 0), at: time)
                        .filter { $0.rule == 1 })
            }
            #expect(fired == model.fired, "round \(round), \(campaign.note)")
            #expect(machine[1]?.counts.fired == model.fired.count, "\(campaign.note)")
            #expect(machine[1]?.counts.dropped == model.dropped, "\(campaign.note)")
            #expect(reported <= model.dropped.values.reduce(0, +), "\(campaign.note)")
            guard fired == model.fired else { return }
        }
    }
}

extension RuleMachine.Action {
    fileprivate var rule: RuleMachine.ID {
        switch self {
        case .fire(let id, _), .report(let id, _, _, _): id
        }
    }
}
