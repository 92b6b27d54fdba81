import GStreamerKit
import Testing

@testable import HostCore

/// What the state machine does after errors, stalls, and devices that hang.
@Suite struct PipelineRecoveryTests {
    @Test func anErrorRebuildsAfterTheDelayAndIsWellAgain() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.feed(.error(StateMachineBench.failure)) == [.close])
        #expect(bench.machine.condition == .recovering && bench.machine.reason.code == "element-error")
        let retry = PipelineStateMachine.Retry(failure: StateMachineBench.failure, since: bench.now, delay: .seconds(1))
        #expect(bench.feed(.closed) == [.wait(retry)])
        #expect(!bench.machine.isAtRest)
        #expect(bench.feed(.retry) == [.build])
        #expect(bench.machine.condition == .recovering && bench.machine.restarts == 1)
        bench.feed(.built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.machine.condition == .playing)
        #expect(bench.machine.lastFailure == StateMachineBench.failure)
    }

    /// The log repeated the error when the next build had its first buffer, because it then waits for the others.
    @Test func eachFailureIsToldOnce() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        bench.feed(.error(StateMachineBench.failure), .closed, .retry, .built(isElsewhere: false), .reached(.playing))
        bench.feed(.health(.starting(waitingFor: ["b"])), .health(.starting(waitingFor: ["a", "b"])))
        #expect(bench.told == [.starting, .playing, .recovering])
        bench.feed(.error(StateMachineBench.failure))
        #expect(bench.told == [.starting, .playing, .recovering, .recovering])
    }

    @Test func aCrashLoopFailsAndTriesAgainAfterItsCoolDown() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing))
        for _ in 0..<2 { bench.feed(.built(isElsewhere: false), .error(StateMachineBench.failure), .closed, .retry) }
        bench.feed(.built(isElsewhere: false))
        bench.feed(.error(StateMachineBench.failure))
        #expect(bench.feed(.closed) == [.coolDown(.seconds(300))])
        #expect(bench.machine.condition == .failed && !bench.machine.hasEnded)
        #expect(bench.machine.reason.text.contains("more than 2 attempts"))
        #expect(bench.feed(.coolDownOver) == [.build])
        #expect(bench.machine.condition == .recovering)
    }

    @Test func withoutACoolDownACrashLoopIsTheEnd() {
        var policy = StateMachineBench.policy
        policy.coolDown = nil
        policy.limit = 0
        var bench = StateMachineBench(restart: policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .error(StateMachineBench.failure), .closed)
        #expect(bench.machine.hasEnded && bench.machine.condition == .failed)
        #expect(bench.feed(.coolDownOver) == [])
        // Somebody who asks for it gets a fresh start.
        #expect(bench.feed(.startOver) == [.build])
    }

    @Test func aPauseDuringTheWaitStartsNothingUntilItIsOver() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .error(StateMachineBench.failure), .closed, .target(.paused))
        #expect(bench.machine.isAtRest)
        #expect(bench.feed(.retry) == [])
        #expect(bench.feed(.target(.playing)) == [.build])
    }

    @Test func aStopDuringTheWaitEndsIt() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .error(StateMachineBench.failure), .closed, .target(.stopped)
        )
        #expect(bench.machine.state == .stopped)
        #expect(bench.feed(.retry) == [])
        // Started again it is not the old recovery that goes on.
        #expect(bench.feed(.target(.playing)) == [.build])
        #expect(bench.told.suffix(2) == [.stopped, .starting] && bench.machine.restarts == 0)
    }

    @Test func eachFailedAttemptIsTold() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing))
        for _ in 0..<2 { bench.feed(.built(isElsewhere: false), .error(StateMachineBench.failure), .closed, .retry) }
        #expect(bench.told.filter { $0 == .recovering }.count == 2)
    }

    @Test func aCoolDownThatEndsWhilePausedStartsWhenItIsResumed() {
        var policy = StateMachineBench.policy
        policy.limit = 0
        var bench = StateMachineBench(restart: policy)
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .error(StateMachineBench.failure), .closed, .target(.stopped)
        )
        #expect(bench.feed(.coolDownOver) == [])
        #expect(bench.feed(.target(.playing)) == [.build])
    }

    @Test func aStallIsSaidAndThenRecoveredFrom() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.feed(.health(.stalled(silent: ["sink0"]))) == [.close])
        #expect(bench.told.suffix(2) == [.stalled, .recovering])
        #expect(bench.machine.lastFailure?.code == "stalled")
    }

    @Test func aBuildThatCannotBeIsNotTriedAgain() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing))
        #expect(bench.feed(.buildFailed(StateMachineBench.failure)) == [])
        #expect(bench.machine.state == .failed(StateMachineBench.failure) && bench.machine.hasEnded)
    }

    @Test func aBuildThatHangsIsAbandonedAndTriedAgain() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing))
        #expect(bench.feed(.startDeadline(StateMachineBench.failure)) == [.abandon, .close])
        bench.feed(.closed)
        #expect(bench.feed(.retry) == [.build])
    }

    /// The host would have waited as long as it hangs, or for its start to be late; and nobody counted it.
    @Test(arguments: [PipelineStateMachine.Target.paused, .stopped])
    func aBuildThatHangsKeepsNobodyWaiting(_ target: PipelineStateMachine.Target) {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing))
        #expect(bench.feed(.buildDeadline).isEmpty)
        bench.feed(.target(target))
        let work = bench.feed(.buildDeadline)
        #expect(work.contains(.abandon) && work.contains { if case .late = $0 { true } else { false } })
        bench.feed(.closed)
        #expect(bench.machine.state == .stopped && bench.machine.isAtRest)
        #expect(bench.machine.hasMissedPause == (target == .paused))
        #expect(bench.feed(.target(.playing)) == [.build])
        #expect(bench.feed(.target(target), .built(isElsewhere: false), .buildDeadline).contains(.abandon) == false)
    }

    @Test func aDeviceThatHangsWhileClosingDoesNotEndTheRecovery() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .error(StateMachineBench.failure))
        let work = bench.feed(.closeDeadline)
        #expect(work.contains(.abandon))
        #expect(bench.feed(.retry) == [.build])
    }

    @Test func aRestartAtTheEndThatNeverHadABufferIsAFailure() {
        var bench = StateMachineBench(onEOS: .restart, restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false))
        bench.feed(.endOfStream(hadBuffers: false))
        #expect(bench.machine.lastFailure == .noData && bench.machine.condition == .recovering)
    }

    @Test func anErrorWithoutAPolicyClosesAndStaysFailed() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing))
        #expect(bench.feed(.error(StateMachineBench.failure)) == [.close])
        #expect(bench.machine.condition == .failed)
        #expect(bench.feed(.error(StateMachineBench.failure)).isEmpty)
        #expect(bench.feed(.closed) == [])
        #expect(bench.machine.state == .failed(StateMachineBench.failure))
    }

    @Test func aDeviceThatHangsIsCalledStuck() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .target(.stopped))
        #expect(bench.feed(.closeDeadline).contains(.abandon))
        #expect(bench.machine.state == .stopped && bench.machine.lastFailure == .stuck)
        #expect(bench.feed(.closed).isEmpty)
        // It was only told to stop: what is asked for next is a new build.
        #expect(bench.feed(.target(.playing)) == [.build])
    }

    /// Each hangs with a thread and a device: without a bound they were 1500 a day.
    @Test func buildsThatHangAreNotPiledUp() {
        var policy = StateMachineBench.policy
        policy.limit = 100
        var bench = StateMachineBench(restart: policy)
        bench.feed(.target(.playing))
        for _ in 0..<PipelineStateMachine.mostAbandoned - 1 {
            bench.feed(.built(isElsewhere: false), .error(StateMachineBench.failure), .closeDeadline, .retry)
        }
        bench.feed(.built(isElsewhere: false), .error(StateMachineBench.failure))
        #expect(bench.feed(.closeDeadline).contains(.coolDown(.seconds(300))))
        #expect(bench.machine.state == .failed(.stuck) && !bench.machine.hasEnded && !bench.machine.mayStartAnew)
        #expect(bench.feed(.coolDownOver) == [.coolDown(.seconds(300))])
        bench.feed(.released)
        #expect(bench.machine.mayStartAnew)
        #expect(bench.feed(.coolDownOver) == [.build])
    }

    /// Each stop and resume left one more: only attempts to come back were counted.
    @Test func stopsThatHangAreNotPiledUpEither() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        for _ in 0..<PipelineStateMachine.mostAbandoned {
            #expect(bench.feed(.target(.playing)) == [.build])
            bench.feed(.built(isElsewhere: false), .target(.stopped), .closeDeadline)
        }
        #expect(bench.feed(.target(.playing)) == [.coolDown(.seconds(300))])
        #expect(bench.machine.state == .failed(.stuck) && bench.machine.lastFailure == .stuck)
        // Nor does its user's word make a third; it is kept.
        #expect(bench.feed(.startOver).isEmpty)
        #expect(bench.feed(.coolDownOver) == [.coolDown(.seconds(300))])
        #expect(bench.feed(.released) == [.build])
    }

    @Test func hangingBuildsOfTheDescriptionBeforeCount() {
        var bench = StateMachineBench()
        bench.machine.takeOver(abandoned: PipelineStateMachine.mostAbandoned)
        #expect(bench.feed(.target(.paused)).isEmpty)
        #expect(bench.machine.state == .failed(.stuck) && !bench.machine.hasEnded)
        bench.feed(.released)
        #expect(bench.machine.state == .failed(.stuck))
        #expect(bench.feed(.target(.playing)) == [.build])
    }

    /// A full disk at a pause ended the host, and the pipeline for good.
    @Test func anErrorWhileItDrainsIsSaidAndTheNextStartIsNew() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing), .target(.stopped))
        #expect(bench.feed(.error(StateMachineBench.failure)).last == .close)
        bench.feed(.closed)
        #expect(bench.machine.state == .stopped && bench.machine.lastFailure == StateMachineBench.failure)
        #expect(bench.machine.failedDrains == 1)
        #expect(bench.feed(.target(.playing)) == [.build])
    }
}
