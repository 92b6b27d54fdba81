internal import GStreamerKit

extension PipelineStateMachine {
    enum Target: Sendable, Equatable {
        case stopped, paused, playing
    }

    enum Ending: Sendable, Equatable {
        case stopped
        case finished
        case failed(PipelineFailure)
        /// To come back.
        case rebuild(Retry)
    }

    /// An attempt to come back.
    struct Retry: Sendable, Equatable {
        /// Nil: from the end of the stream.
        var failure: PipelineFailure?
        /// When it failed; after the end of the stream, when it had begun.
        var since: ClockTime
        /// From then, without the policy's jitter.
        var delay: ClockTime
    }

    enum State: Sendable, Equatable {
        case stopped
        case building
        case changing(Target)
        case playing
        case paused
        /// In PAUSED until its queues are full enough.
        case buffering
        /// EOS was sent; files are being finalised.
        case draining
        case closing(Ending)
        /// Until the next attempt.
        case waiting(Retry)
        case finished
        case failed(PipelineFailure)

        /// Its pipeline is in PAUSED, in PLAYING or on its way there.
        var isRunning: Bool {
            switch self {
            case .changing, .playing, .paused, .buffering: true
            default: false
            }
        }
    }

    /// The part of a description that decisions follow.
    struct Rules: Sendable, Equatable {
        var onEOS = EndOfStreamPolicy.stop
        var restart: RestartPolicy?
    }

    enum Event: Sendable, Equatable {
        case target(Target)
        /// Begin anew from the end of the stream or from a failure, as if it had never run.
        case startOver
        /// - isElsewhere: whether it does not begin where its media do.
        case built(isElsewhere: Bool)
        case buildFailed(PipelineFailure)
        /// The pipeline itself reached PAUSED or PLAYING.
        case reached(Target)
        case health(FlowHealth)
        /// Its emptiest queue, in percent.
        case buffering(Int)
        /// An element asks for PAUSED, or takes that back: its device is wanted elsewhere.
        case hold(Bool)
        case clockLost
        /// - hadBuffers: whether this build ever let anything through.
        case endOfStream(hadBuffers: Bool)
        /// The played segment is over, in a loop.
        case segmentDone
        case error(PipelineFailure)
        case startDeadline(PipelineFailure)
        /// It was told to pause or stop while it was being built, and still is.
        case buildDeadline
        /// - missing: the places that have no end of stream.
        /// - isCut: whether something is written that lacks its end now.
        case drainDeadline(missing: [String], isCut: Bool)
        /// It was told to pause and did not get there in time.
        /// - waitingFor: the elements that are not there.
        case pauseDeadline(waitingFor: [String])
        case closed
        /// It did not come to rest in time.
        case closeDeadline
        /// A build that was abandoned has come to rest after all.
        case released
        /// The delay before an attempt is over.
        case retry
        case coolDownOver
    }

    enum Action: Sendable, Equatable {
        case build
        case set(Target)
        /// To PAUSED and back, for a new clock.
        case chooseClock
        /// Seek to where it begins; nothing was shown yet.
        case begin
        /// Seek to the beginning of the media for another round.
        case loop
        case sendEndOfStream
        /// The sources of a loop have stopped at the end of a segment: EOS from where they stopped.
        case pushEndOfStream
        case close
        /// The build did not come to rest: leave it alone, and take a new worker.
        case abandon
        /// Feed `.retry` when its time has come.
        case wait(Retry)
        /// Feed `.coolDownOver` after this.
        case coolDown(ClockTime)
        case announce(PipelineCondition, PipelineReason)
        case warn(String)
        /// A step was not over in time: said and counted.
        case late(String)
    }
}
