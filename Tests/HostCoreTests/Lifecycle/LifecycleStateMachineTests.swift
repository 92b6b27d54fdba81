import Testing

@testable import HostCore

@Suite struct LifecycleStateMachineTests {
    @Test func aPauseIsAskedThenDoneThenTold() {
        var machine = LifecycleStateMachine()
        #expect(machine.handle(.desired(.paused)) == [.ask(.willPause, .paused)])
        #expect(machine.handle(.answered) == [.follow(.paused)])
        #expect(machine.handle(.pipelinesDone) == [.tell(.didPause, .paused)])
        #expect(machine.isSettled)
        #expect(machine.handle(.desired([])) == [.ask(.willResume, [])])
        #expect(machine.handle(.answered) == [.follow([])])
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

    @Test func aLockIsToldWithoutAQuestion() {
        var machine = LifecycleStateMachine()
        #expect(machine.handle(.desired(.locked)) == [.tell(.changed, .locked), .follow(.locked)])
        #expect(!machine.isSettled)
        #expect(machine.handle(.desired([.locked, .lowPower])).isEmpty)
        let both: DesiredState = [.locked, .lowPower]
        #expect(machine.handle(.pipelinesDone) == [.tell(.changed, both), .follow(both)])
        #expect(machine.handle(.pipelinesDone).isEmpty)
        #expect(machine.isSettled)
        #expect(machine.state == .running)
    }

    @Test func fewerReasonsAskNobody() {
        var machine = Self.paused([.paused, .suspended])
        #expect(machine.handle(.desired(.paused)) == [.tell(.changed, .paused), .follow(.paused)])
        #expect(machine.handle(.pipelinesDone).isEmpty)
        #expect(machine.state == .paused)
    }

    /// The machine goes to sleep while the host is paused: a plugin may have more to put away.
    @Test func aReasonThatPressesMoreIsAskedAbout() {
        for more in [DesiredState.suspended, .interrupted, .shuttingDown] {
            var machine = Self.paused(.paused)
            let all: DesiredState = [.paused, more]
            #expect(machine.handle(.desired(all)) == [.ask(.willPause, all)])
            #expect(machine.handle(.answered) == [.follow(all)])
            #expect(machine.handle(.pipelinesDone) == [.tell(.didPause, all)])
        }
    }

    @Test func whatIsLeftOfAnInterruptionAsksNobody() {
        var machine = Self.paused(.interrupted)
        #expect(machine.handle(.desired(.waiting)) == [.tell(.changed, .waiting), .follow(.waiting)])
    }

    /// Bits that only a newer header names: told, and nobody is paused for them.
    @Test func unknownBitsQuietNobody() {
        var machine = LifecycleStateMachine()
        let unknown = DesiredState(rawValue: 1 << 40)
        #expect(machine.handle(.desired(unknown)) == [.tell(.changed, unknown), .follow(unknown)])
    }

    private static func paused(_ reasons: DesiredState) -> LifecycleStateMachine {
        var machine = LifecycleStateMachine()
        for event in [LifecycleStateMachine.Event.desired(reasons), .answered, .pipelinesDone] {
            _ = machine.handle(event)
        }
        return machine
    }
}
