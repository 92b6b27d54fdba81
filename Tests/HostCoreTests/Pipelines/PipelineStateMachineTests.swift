import HostTestKit
import Testing

@testable import HostCore

@Suite struct PipelineStateMachineTests {
    private typealias Machine = PipelineStateMachine

    /// Feeds events and returns the actions of the last one.
    private func machine(_ events: Machine.Event...) -> (Machine, [Machine.Action]) {
        var machine = Machine()
        var last: [Machine.Action] = []
        for event in events { last = machine.handle(event) }
        return (machine, last)
    }

    private let failure = PipelineFailure(code: "element-error", element: "a", message: "broken")

    @Test func startsAndStopsWithEndOfStream() {
        var (machine, actions) = machine(.target(.playing))
        #expect(actions == [.announce, .build])
        #expect(machine.handle(.built) == [.announce, .set(.playing)])
        #expect(machine.handle(.reached(.playing)) == [.announce])
        #expect(machine.isAtRest)
        #expect(machine.handle(.target(.stopped)) == [.announce, .sendEndOfStream])
        #expect(machine.handle(.endOfStream) == [.announce, .close])
        #expect(machine.handle(.closed) == [.announce])
        #expect(machine.state == .stopped && machine.isAtRest)
    }

    @Test func aPipelineThatEndsByItselfStaysFinished() {
        var (machine, _) = machine(.target(.playing), .built, .reached(.playing), .endOfStream, .closed)
        #expect(machine.state == .finished)
        #expect(machine.handle(.target(.playing)).isEmpty)
        #expect(machine.state == .finished && machine.isAtRest)
    }

    @Test func anErrorClosesAndStaysFailed() {
        var (machine, actions) = machine(.target(.playing), .built, .reached(.playing), .error(failure))
        #expect(actions == [.announce, .close])
        #expect(machine.handle(.error(failure)).isEmpty)
        #expect(machine.handle(.closed) == [.announce])
        #expect(machine.state == .failed(failure))
    }

    @Test func aStopDuringTheBuildNeverPlays() {
        var (machine, actions) = machine(.target(.playing), .target(.stopped))
        #expect(actions.isEmpty)
        #expect(machine.handle(.built) == [.announce, .close])
        #expect(machine.handle(.closed) == [.announce])
        #expect(machine.state == .stopped)
    }

    @Test func aStartWhileStoppingFollowsAfterwards() {
        var (machine, _) = machine(.target(.playing), .built, .reached(.playing), .target(.stopped))
        #expect(machine.handle(.target(.playing)).isEmpty)
        #expect(machine.handle(.endOfStream) == [.announce, .close])
        #expect(machine.handle(.closed) == [.announce, .announce, .build])
        #expect(machine.state == .building)
    }

    @Test func aPausedPipelinePlaysOutItsEnd() {
        var (machine, _) = machine(
            .target(.playing), .built, .reached(.playing), .target(.paused), .reached(.paused))
        #expect(machine.state == .paused)
        #expect(machine.handle(.target(.stopped)) == [.announce, .set(.playing), .sendEndOfStream])
    }

    /// SIGTERM right behind a resume: the end was skipped, and a recorded mp4 had no index.
    @Test(arguments: [PipelineStateMachine.Target.playing, .paused])
    func aStopOnTheWayIntoOrOutOfAPausePlaysOutItsEnd(way: PipelineStateMachine.Target) {
        var (machine, _) = machine(.target(.playing), .built, .reached(.playing), .target(.paused))
        if way == .playing {
            _ = machine.handle(.reached(.paused))
            _ = machine.handle(.target(.playing))
        }
        #expect(machine.state == .changing(way))
        #expect(machine.handle(.target(.stopped)) == [.announce, .set(.playing), .sendEndOfStream])
        // The change that was under way ends now.
        #expect(machine.handle(.reached(way)).isEmpty)
        #expect(machine.handle(.endOfStream) == [.announce, .close])
    }

    @Test func aPauseThatIsNeverReachedBecomesAStopAndResumesAnew() {
        var (machine, _) = machine(.target(.playing), .built, .target(.paused))
        #expect(machine.state == .changing(.playing))
        let actions = machine.handle(.pauseDeadline)
        #expect(actions.count == 3 && actions.last == .close)
        #expect(machine.handle(.closed) == [.announce])
        #expect(machine.state == .stopped && machine.isAtRest)
        #expect(machine.handle(.target(.playing)) == [.announce, .build])
    }

    @Test func aPauseDeadlineThatComesLateChangesNothing() {
        var (machine, _) = machine(
            .target(.playing), .built, .reached(.playing), .target(.paused), .reached(.paused), .target(.playing))
        #expect(machine.handle(.pauseDeadline).isEmpty)
        #expect(machine.state == .changing(.playing))
    }

    @Test func endOfStreamThatNeverArrivesIsSaid() {
        var (machine, _) = machine(.target(.playing), .built, .reached(.playing), .target(.stopped))
        let actions = machine.handle(.drainDeadline)
        #expect(actions.count == 3 && actions.last == .close)
        guard case .warn? = actions.first else {
            Issue.record("no warning in \(actions)")
            return
        }
    }

    @Test func aDeviceThatHangsIsCalledStuck() {
        var (machine, _) = machine(.target(.playing), .built, .target(.stopped))
        _ = machine.handle(.closeDeadline)
        #expect(machine.state == .failed(.stuck))
        #expect(machine.handle(.closed).isEmpty)
    }

    /// Whatever comes in whatever order: it never hangs half-way once its pipeline answers, and ends where it was told.
    @Test func randomEventsAlwaysLeadToTheTarget() {
        var campaign = Campaign(rounds: 3000)
        for _ in 0..<campaign.rounds {
            var machine = Machine()
            var target = Machine.Target.stopped
            for _ in 0..<Int.random(in: 1...30, using: &campaign) {
                let event: Machine.Event =
                    switch Int.random(in: 0..<10, using: &campaign) {
                    case 0: .target(.playing)
                    case 1: .target(.paused)
                    case 2: .target(.stopped)
                    case 3: .built
                    case 4: .reached(.playing)
                    case 5: .reached(.paused)
                    case 6: .closed
                    case 7: .endOfStream
                    case 8: .pauseDeadline
                    default: .drainDeadline
                    }
                if case .target(let wanted) = event { target = wanted }
                _ = machine.handle(event)
                // The one event that changes what is wanted: a pause that cannot be had is a stop.
                if event == .pauseDeadline, target == .paused, machine.target == .stopped { target = .stopped }
            }
            // Now the pipeline behind it answers every action truthfully.
            var steps = 0
            while !machine.isAtRest, steps < 20 {
                steps += 1
                switch machine.state {
                case .building: _ = machine.handle(.built)
                case .changing(let wanted): _ = machine.handle(.reached(wanted))
                case .draining: _ = machine.handle(.endOfStream)
                case .closing: _ = machine.handle(.closed)
                case .stopped, .playing, .paused, .finished, .failed: break
                }
            }
            #expect(machine.isAtRest, "\(campaign.note)")
            switch machine.state {
            case .finished, .failed: break
            case .stopped: #expect(target == .stopped, "\(campaign.note)")
            case .playing: #expect(target == .playing, "\(campaign.note)")
            case .paused: #expect(target == .paused, "\(campaign.note)")
            default: Issue.record("at rest in \(machine.state); \(campaign.note)")
            }
        }
    }
}
