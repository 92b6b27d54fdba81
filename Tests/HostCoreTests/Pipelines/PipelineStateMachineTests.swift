import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Starts, pauses and ends. What follows a failure is in `PipelineRecoveryTests`.
@Suite struct PipelineStateMachineTests {
    @Test func startsAndStopsWithEndOfStream() {
        var bench = StateMachineBench()
        #expect(bench.feed(.target(.playing)) == [.build])
        #expect(bench.feed(.built(isElsewhere: false)) == [.set(.playing)])
        #expect(bench.feed(.reached(.playing)) == [])
        #expect(bench.machine.isAtRest)
        #expect(bench.feed(.target(.stopped)) == [.sendEndOfStream])
        #expect(bench.feed(.endOfStream(hadBuffers: true)) == [.close])
        #expect(bench.feed(.closed) == [])
        #expect(bench.machine.state == .stopped && bench.machine.isAtRest)
    }

    @Test func playingIsSaidOnlyWhenBuffersPass() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing))
        #expect(bench.machine.condition == .starting)
        bench.feed(.health(.starting(waitingFor: ["sink0"])))
        #expect(bench.machine.condition == .starting && bench.machine.reason.text.contains("sink0"))
        bench.feed(.health(.flowing))
        #expect(bench.machine.condition == .playing)
        bench.feed(.health(.degraded(silent: ["mic"])))
        #expect(bench.machine.condition == .degraded && bench.machine.reason.text.contains("mic"))
        bench.feed(.health(.stalled(silent: ["sink0"])))
        #expect(bench.machine.condition == .stalled && bench.machine.state == .playing)
        bench.feed(.health(.flowing))
        #expect(bench.told == [.starting, .playing, .degraded, .stalled, .playing])
    }

    @Test func aFullQueuePlaysAndAnEmptyOneWaits() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.feed(.buffering(40)) == [.set(.paused)])
        #expect(bench.machine.condition == .buffering)
        #expect(bench.feed(.buffering(80)) == [])
        #expect(bench.feed(.reached(.paused)) == [])
        #expect(bench.feed(.buffering(100)) == [.set(.playing)])
        bench.feed(.reached(.playing), .health(.flowing))
        #expect(bench.machine.condition == .playing)
        // Told to pause while it fills.
        bench.feed(.buffering(10))
        #expect(bench.feed(.target(.paused)) == [.set(.paused)])
        bench.feed(.reached(.paused))
        #expect(bench.machine.condition == .paused)
        #expect(bench.feed(.buffering(100)) == [])
    }

    @Test func anElementCanHoldAndReleaseIt() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.feed(.hold(true)) == [.set(.paused)])
        bench.feed(.reached(.paused))
        #expect(bench.machine.condition == .paused && bench.machine.reason.code == "held")
        #expect(bench.feed(.hold(false)) == [.set(.playing)])
    }

    /// It was stopped for good, as if its user had paused it: nothing played it again.
    @Test func aHoldThatIsNotReachedInTimePlaysOn() {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing), .hold(true))
        let work = bench.feed(.pauseDeadline(waitingFor: ["speaker"]))
        #expect(work.last == .set(.playing) && bench.machine.target == .playing && !bench.machine.hasMissedPause)
        guard case .late(let text)? = work.first else {
            Issue.record("not counted: \(work)")
            return
        }
        #expect(text.contains("waiting for speaker"))
        bench.feed(.reached(.paused))
        #expect(bench.machine.state == .changing(.playing))
        bench.feed(.reached(.playing))
        #expect(bench.machine.isAtRest)
        // A source that is silent is found by who looks for that.
        #expect(bench.feed(.health(.stalled(silent: ["speaker"]))) == [.close])
    }

    /// No timer was left: the watchdog ended the host.
    @Test func aPauseThatIsTakenBackAndNotReachedInTimePlaysOn() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        #expect(bench.feed(.target(.paused)) == [.set(.paused)] && bench.feed(.target(.playing)) == [])
        let work = bench.feed(.pauseDeadline(waitingFor: ["speaker"]))
        #expect(
            work == [
                .late("it did not come to a pause in time (waiting for speaker); it plays on"), .set(.playing),
            ])
        #expect(bench.feed(.pauseDeadline(waitingFor: ["speaker"])) == [])
        bench.feed(.reached(.playing))
        #expect(bench.machine.isAtRest)
    }

    /// Nor is the preroll at the place where it begins a pause.
    @Test func aPauseThatIsTakenBackTakesNoSeekAway() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: true), .target(.paused), .target(.playing))
        #expect(bench.feed(.pauseDeadline(waitingFor: ["speaker"])) == [])
        #expect(bench.feed(.reached(.paused)) == [.begin, .set(.playing)])
    }

    /// It played from its beginning, and went to where it was to begin at the next pause.
    @Test func aHoldThatIsNotReachedInTimeTakesNoSeekAway() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: true), .hold(true))
        let work = bench.feed(.pauseDeadline(waitingFor: ["speaker"]))
        guard case .late? = work.first, work.count == 1 else {
            Issue.record("\(work)")
            return
        }
        #expect(bench.feed(.reached(.paused)) == [.begin, .set(.playing)])
    }

    /// The next build waited for the old one's element to let go.
    @Test(arguments: [false, true]) func aBuildThatGoesHoldsTheNextOneNoMore(isLate: Bool) {
        var bench = StateMachineBench(restart: StateMachineBench.policy)
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .health(.flowing))
        if !isLate { bench.feed(.hold(true), .reached(.paused)) }
        bench.feed(.error(StateMachineBench.failure))
        if isLate { bench.feed(.hold(true)) }
        bench.feed(.closed)
        #expect(bench.feed(.retry) == [.build])
    }

    @Test func aLostClockIsChosenAnew() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false))
        #expect(bench.feed(.clockLost) == [])
        bench.feed(.reached(.playing))
        #expect(bench.feed(.clockLost) == [.chooseClock])
    }

    @Test func onePlayedElsewherePrerollsAndGoesThereOnce() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing))
        #expect(bench.feed(.built(isElsewhere: true)) == [.set(.paused)])
        #expect(bench.feed(.reached(.paused)) == [.begin, .set(.playing)])
        bench.feed(.reached(.playing), .health(.flowing), .target(.paused))
        #expect(bench.feed(.reached(.paused)) == [])
        // Paused all the while it goes there, too; and the next build is one of its own.
        bench.feed(.target(.stopped), .endOfStream(hadBuffers: true), .closed, .target(.paused))
        #expect(bench.feed(.built(isElsewhere: true)) == [.set(.paused)])
        #expect(bench.feed(.reached(.paused)) == [.begin])
        bench.feed(.target(.stopped), .endOfStream(hadBuffers: true), .closed, .target(.playing))
        #expect(bench.feed(.built(isElsewhere: false)) == [.set(.playing)])
    }

    @Test func whatOnlyPlaysIsNotPlayedOut() {
        for state in [PipelineStateMachine.Target.playing, .paused] {
            var bench = StateMachineBench()
            bench.feed(.target(state), .built(isElsewhere: false), .reached(state))
            bench.machine.drains = false
            #expect(bench.feed(.target(.stopped)) == [.close])
            #expect(bench.machine.state == .closing(.stopped))
        }
    }

    @Test func aLoopPrerollsSeeksAndGoesRound() {
        var bench = StateMachineBench(onEOS: .loop)
        bench.feed(.target(.playing))
        #expect(bench.feed(.built(isElsewhere: false)) == [.set(.paused)])
        #expect(bench.feed(.reached(.paused)) == [.begin, .set(.playing)])
        bench.feed(.reached(.playing), .health(.flowing))
        #expect(bench.feed(.segmentDone) == [.loop])
        // A pause and a resume do not begin from the start.
        bench.feed(.target(.paused), .reached(.paused))
        #expect(bench.feed(.target(.playing)) == [.set(.playing)])
        // Where the source cannot seek, the end comes: it is built anew, but never in a hot loop.
        bench.feed(.reached(.playing))
        #expect(bench.feed(.endOfStream(hadBuffers: true)) == [.close])
        let retry = PipelineStateMachine.Retry(failure: nil, since: bench.now, delay: .milliseconds(100))
        #expect(bench.feed(.closed) == [.wait(retry)])
        #expect(bench.feed(.retry) == [.build])
        #expect(bench.machine.restarts == 0)
        #expect(!bench.told.contains(.paused) || bench.told.contains(.playing))
    }

    @Test func aPipelineThatEndsByItselfStaysFinished() {
        var bench = StateMachineBench()
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .reached(.playing), .endOfStream(hadBuffers: true), .closed)
        #expect(bench.machine.state == .finished)
        #expect(bench.feed(.target(.playing)).isEmpty)
        #expect(bench.machine.state == .finished && bench.machine.isAtRest)
        #expect(bench.feed(.startOver) == [.build])
    }

    @Test func aStopDuringTheBuildNeverPlays() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing))
        #expect(bench.feed(.target(.stopped)).isEmpty)
        #expect(bench.feed(.built(isElsewhere: false)) == [.close])
        bench.feed(.closed)
        #expect(bench.machine.state == .stopped)
    }

    @Test func aStartWhileStoppingFollowsAfterwards() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.stopped))
        #expect(bench.feed(.target(.playing)).isEmpty)
        #expect(bench.feed(.endOfStream(hadBuffers: true)) == [.close])
        #expect(bench.feed(.closed) == [.build])
        #expect(bench.machine.state == .building)
    }

    @Test func aPausedPipelinePlaysOutItsEnd() {
        var bench = StateMachineBench()
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.paused), .reached(.paused))
        #expect(bench.machine.state == .paused)
        #expect(bench.feed(.target(.stopped)) == [.set(.playing), .sendEndOfStream])
    }

    /// SIGTERM right behind a resume: the end was skipped, and a recorded mp4 had no index.
    @Test(arguments: [PipelineStateMachine.Target.playing, .paused])
    func aStopOnTheWayIntoOrOutOfAPausePlaysOutItsEnd(way: PipelineStateMachine.Target) {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.paused))
        if way == .playing { bench.feed(.reached(.paused), .target(.playing)) }
        #expect(bench.machine.state == .changing(way))
        #expect(bench.feed(.target(.stopped)) == [.set(.playing), .sendEndOfStream])
        // The change that was under way ends now.
        #expect(bench.feed(.reached(way)).isEmpty)
        #expect(bench.feed(.endOfStream(hadBuffers: true)) == [.close])
    }

    /// The first buffers are in the file before the bus says that all is playing.
    @Test func aStopOnTheWayToPlayingPlaysOutTheEndOfWhatHasBegun() {
        for hasBegun in [true, false] {
            var bench = StateMachineBench()
            bench.feed(.target(.playing), .built(isElsewhere: false))
            bench.machine.hasBegunToWrite = hasBegun
            #expect(bench.feed(.target(.stopped)) == (hasBegun ? [.set(.playing), .sendEndOfStream] : [.close]))
        }
    }

    @Test func aPauseThatIsNeverReachedBecomesAStopAndResumesAnew() {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .target(.paused))
        #expect(bench.machine.state == .changing(.playing))
        let work = bench.feed(.pauseDeadline(waitingFor: ["camera", "view"]))
        #expect(work.last == .close)
        guard case .late(let text)? = work.first else {
            Issue.record("not counted: \(work)")
            return
        }
        #expect(text.contains("waiting for camera, view"))
        #expect(bench.feed(.closed) == [])
        #expect(bench.machine.state == .stopped && bench.machine.isAtRest)
        // Its user has paused it, and not stopped it.
        #expect(bench.machine.hasMissedPause)
        #expect(bench.feed(.target(.playing)) == [.build])
        #expect(!bench.machine.hasMissedPause)
    }

    @Test func aPauseDeadlineThatComesLateChangesNothing() {
        var bench = StateMachineBench()
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.paused), .reached(.paused),
            .target(.playing))
        #expect(bench.feed(.pauseDeadline(waitingFor: [])).isEmpty)
        #expect(bench.machine.state == .changing(.playing))
    }

    /// The warning named nobody, and a host whose file was cut off ended with exit code 0.
    @Test(arguments: [false, true]) func endOfStreamThatNeverArrivesIsSaidAndCounted(isCut: Bool) {
        var bench = StateMachineBench()
        bench.feed(.target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.stopped))
        let work = bench.feed(.drainDeadline(missing: ["mux.audio_0", "file"], isCut: isCut))
        #expect(work.count == 2 && work.last == .close)
        guard case .late(let text)? = work.first else {
            Issue.record("not counted: \(work)")
            return
        }
        #expect(text.contains("did not reach mux.audio_0, file in time"))
        #expect(text.contains("files may lack") == isCut)
        #expect(bench.machine.failedDrains == (isCut ? 1 : 0))
        // Who stopped it is told so, too.
        #expect(bench.machine.lastFailure?.code == (isCut ? "no-end" : nil))
    }

    /// It counted as a file without its end, and the host ended with exit code 1.
    @Test func whatHasComeToItsEndIsNotCutByADeviceThatHangs() {
        var bench = StateMachineBench()
        bench.feed(
            .target(.playing), .built(isElsewhere: false), .reached(.playing), .target(.stopped),
            .endOfStream(hadBuffers: true), .closeDeadline)
        #expect(bench.machine.state == .stopped && bench.machine.lastFailure == .stuck)
        #expect(bench.machine.failedDrains == 0)
    }

    /// Whatever comes in whatever order: it never hangs half-way once its pipeline answers, and ends where it was told.
    @Test(arguments: [EndOfStreamPolicy.stop, .loop, .restart], [true, false])
    func randomEventsAlwaysLeadToTheTarget(onEOS: EndOfStreamPolicy, restarts: Bool) {
        var campaign = Campaign(rounds: 3000)
        for _ in 0..<campaign.rounds {
            var machine = PipelineStateMachine(
                rules: .init(onEOS: onEOS, restart: restarts ? StateMachineBench.policy : nil))
            var now = ClockTime.seconds(1)
            for _ in 0..<Int.random(in: 1...30, using: &campaign) {
                now = now + .milliseconds(Int64.random(in: 0...20_000, using: &campaign))
                let event: PipelineStateMachine.Event =
                    switch Int.random(in: 0..<18, using: &campaign) {
                    case 0, 1: .target(.playing)
                    case 2: .target(.paused)
                    case 3: .target(.stopped)
                    case 4: .built(isElsewhere: Bool.random(using: &campaign))
                    case 5: .reached(.playing)
                    case 6: .reached(.paused)
                    case 7: .closed
                    case 8: .endOfStream(hadBuffers: true)
                    case 9: .pauseDeadline(waitingFor: [])
                    case 10: .error(StateMachineBench.failure)
                    case 11: .health(.flowing)
                    case 12: .health(.stalled(silent: ["s"]))
                    case 13: .buffering(Int.random(in: 0...100, using: &campaign))
                    case 14: .hold(Bool.random(using: &campaign))
                    case 15: .retry
                    case 16: .startDeadline(StateMachineBench.failure)
                    default: .drainDeadline(missing: [], isCut: true)
                    }
                machine.drains = Bool.random(using: &campaign)
                machine.hasBegunToWrite = Bool.random(using: &campaign)
                _ = machine.handle(event, now: now)
            }
            let target = machine.target
            _ = machine.handle(.hold(false), now: now)
            // Now the pipeline behind it answers every action truthfully.
            var steps = 0
            while !machine.isAtRest, steps < 30 {
                steps += 1
                switch machine.state {
                case .building: _ = machine.handle(.built(isElsewhere: false), now: now)
                case .changing(let wanted): _ = machine.handle(.reached(wanted), now: now)
                case .buffering: _ = machine.handle(.buffering(100), now: now)
                case .draining: _ = machine.handle(.endOfStream(hadBuffers: true), now: now)
                case .closing: _ = machine.handle(.closed, now: now)
                case .waiting: _ = machine.handle(.retry, now: now)
                case .stopped, .playing, .paused, .finished, .failed: break
                }
            }
            #expect(machine.isAtRest, "\(campaign.note)")
            switch machine.state {
            case .finished, .failed: break
            case .stopped: #expect(target == .stopped, "\(campaign.note)")
            case .playing, .buffering: #expect(target == .playing, "\(campaign.note)")
            case .paused: #expect(target == .paused, "\(campaign.note)")
            case .waiting: #expect(target == .paused, "\(campaign.note)")
            default: Issue.record("at rest in \(machine.state); \(campaign.note)")
            }
        }
    }
}
