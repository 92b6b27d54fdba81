import HostTestKit
import Testing

@testable import HostCore

@Suite struct LifecycleStateMachineTests {
    @Test func aPauseIsAskedThenDoneThenTold() {
        var machine = LifecycleStateMachine()
        #expect(machine.handle(.desired(.paused)) == [.ask(.willPause, .paused)])
        #expect(machine.handle(.answered) == [.quietPipelines])
        #expect(machine.handle(.pipelinesDone) == [.tell(.didPause, .paused)])
        #expect(machine.isSettled)
        #expect(machine.handle(.desired([])) == [.ask(.willResume, [])])
        #expect(machine.handle(.answered) == [.startPipelines])
        #expect(machine.handle(.pipelinesDone) == [.tell(.didResume, [])])
        #expect(machine.isSettled)
    }

    @Test func doubledRequestsAreHarmless() {
        var machine = LifecycleStateMachine()
        _ = machine.handle(.desired(.paused))
        #expect(machine.handle(.desired(.paused)).isEmpty)
        _ = machine.handle(.answered)
        _ = machine.handle(.pipelinesDone)
        #expect(machine.handle(.desired(.paused)).isEmpty)
        #expect(machine.handle(.answered).isEmpty)
        #expect(machine.handle(.pipelinesDone).isEmpty)
    }

    @Test func aResumeDuringThePauseFollowsWhenItIsDone() {
        var machine = LifecycleStateMachine()
        _ = machine.handle(.desired(.paused))
        #expect(machine.handle(.desired([])).isEmpty)
        _ = machine.handle(.answered)
        #expect(machine.handle(.pipelinesDone) == [.tell(.didPause, .paused), .ask(.willResume, [])])
    }

    @Test func aPausedHostThatEndsTellsTheNewState() {
        var machine = LifecycleStateMachine()
        for event in [LifecycleStateMachine.Event.desired(.paused), .answered, .pipelinesDone] {
            _ = machine.handle(event)
        }
        #expect(machine.handle(.desired([.paused, .shuttingDown])) == [.ask(.willPause, [.paused, .shuttingDown])])
        #expect(!machine.isSettled)
    }

    /// Against a model of what must hold: every question is followed by its answer's step, will and did come in pairs, and
    /// the end is where the desired state says.
    @Test func randomRequestsKeepPairsAndEndRight() {
        var campaign = Campaign(rounds: 5000)
        for _ in 0..<campaign.rounds {
            var machine = LifecycleStateMachine()
            var told: [LifecycleChange] = []
            var open = 0
            func note(_ actions: [LifecycleStateMachine.Action]) {
                for action in actions {
                    switch action {
                    case .ask(let change, _), .tell(let change, _): told.append(change)
                    case .quietPipelines, .startPipelines: open += 1
                    }
                }
            }
            for _ in 0..<Int.random(in: 1...40, using: &campaign) {
                switch Int.random(in: 0..<4, using: &campaign) {
                case 0: note(machine.handle(.desired(.paused)))
                case 1: note(machine.handle(.desired([])))
                case 2: note(machine.handle(.answered))
                default: note(machine.handle(.pipelinesDone))
                }
            }
            var steps = 0
            while !machine.isSettled, steps < 20 {
                steps += 1
                note(machine.handle(.answered))
                note(machine.handle(.pipelinesDone))
            }
            #expect(machine.isSettled, "\(campaign.note)")
            #expect((machine.state == .paused) == !machine.desired.isEmpty, "\(campaign.note)")
            let order: [LifecycleChange] = [.willPause, .didPause, .willResume, .didResume]
            for (index, change) in told.enumerated() { #expect(change == order[index % 4], "\(campaign.note)") }
        }
    }
}
