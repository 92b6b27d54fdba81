/// What a pipeline is doing and what comes next: the decisions of its controller, without a pipeline.
///
/// ```
///              target playing            built                  reached playing
///   stopped ──────────────────▶ building ─────▶ changing(playing) ─────────────▶ playing ◀──▶ paused
///      ▲                                                                          │  (changing)
///      │   closed            drained or deadline          target stopped          │
///      └────────── closing ◀──────────────────── draining ◀────────────────────────┤
///                    │                                                            │
///   finished ◀───────┤ (after EOS)                                     EOS, error │
///   failed   ◀───────┘ (after an error)  ◀────────────────────────────────────────┘
/// ```
///
/// Targets are levels: a new one during a change is kept and followed when the change is over. `finished` and `failed`
/// stay: a player that has reached its end does not start again because the host resumes.
struct PipelineStateMachine: Sendable {
    enum Target: Sendable, Equatable {
        case stopped, paused, playing
    }

    enum Ending: Sendable, Equatable {
        case stopped
        case finished
        case failed(PipelineFailure)
    }

    enum State: Sendable, Equatable {
        case stopped
        case building
        case changing(Target)
        case playing
        case paused
        /// EOS was sent; files are being finalised.
        case draining
        case closing(Ending)
        case finished
        case failed(PipelineFailure)
    }

    enum Event: Sendable, Equatable {
        case target(Target)
        case built
        case buildFailed(PipelineFailure)
        /// The pipeline itself reached PAUSED or PLAYING.
        case reached(Target)
        case endOfStream
        case error(PipelineFailure)
        case drainDeadline
        /// It was told to pause and did not get there in time.
        case pauseDeadline
        case closed
        /// It did not come to rest in time.
        case closeDeadline
    }

    enum Action: Sendable, Equatable {
        case build
        case set(Target)
        case sendEndOfStream
        case close
        case announce
        case warn(String)
    }

    private(set) var state = State.stopped
    private(set) var target = Target.stopped
    /// Whether this build ever came to PAUSED or PLAYING, so that something may have to be finalised.
    private var hasPrerolled = false

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .target(let wanted):
            target = wanted
            return pursue()
        case .built:
            guard state == .building else { return [] }
            // Told to stop meanwhile: nothing flows yet, so there is nothing to drain.
            if target == .stopped { return enter(.closing(.stopped)) }
            return enter(.changing(target))
        case .buildFailed(let failure):
            guard state == .building else { return [] }
            return enter(.failed(failure))
        case .reached(let reached):
            guard state == .changing(reached) else { return [] }
            return enter(reached == .playing ? .playing : .paused)
        case .endOfStream:
            switch state {
            case .draining: return enter(.closing(.stopped))
            case .changing, .playing, .paused: return enter(.closing(.finished))
            case .stopped, .building, .closing, .finished, .failed: return []
            }
        case .error(let failure):
            switch state {
            case .changing, .playing, .paused, .draining: return enter(.closing(.failed(failure)))
            case .stopped, .building, .closing, .finished, .failed: return []
            }
        case .drainDeadline:
            guard state == .draining else { return [] }
            return [.warn("end of stream did not reach every sink in time; files may lack their last part")]
                + enter(.closing(.stopped))
        case .pauseDeadline:
            guard case .changing = state, target == .paused else { return [] }
            target = .stopped
            return [.warn("it did not come to a pause in time; it is stopped, and starts anew when it is resumed")]
                + pursue()
        case .closed:
            guard case .closing(let ending) = state else { return [] }
            return settle(ending)
        case .closeDeadline:
            guard case .closing = state else { return [] }
            return enter(.failed(.stuck))
        }
    }

    /// Nothing is under way and nothing more will happen by itself.
    var isAtRest: Bool {
        switch state {
        case .stopped, .finished, .failed: true
        case .playing: target == .playing
        case .paused: target == .paused
        case .building, .changing, .draining, .closing: false
        }
    }

    private mutating func settle(_ ending: Ending) -> [Action] {
        switch ending {
        case .stopped: enter(.stopped)
        case .finished: enter(.finished)
        case .failed(let failure): enter(.failed(failure))
        }
    }

    private mutating func enter(_ next: State) -> [Action] {
        let wasPlaying = state == .playing
        state = next
        switch next {
        case .building: hasPrerolled = false
        case .playing, .paused: hasPrerolled = true
        case .stopped, .changing, .draining, .closing, .finished, .failed: break
        }
        let actions: [Action] =
            switch next {
            case .building: [.build]
            case .changing(let target): [.set(target)]
            // EOS does not pass a sink that is paused, or about to be.
            case .draining: wasPlaying ? [.sendEndOfStream] : [.set(.playing), .sendEndOfStream]
            case .closing: [.close]
            case .stopped, .playing, .paused, .finished, .failed: []
            }
        return [.announce] + actions + pursue()
    }

    /// The next step from where it rests to where it should be.
    private mutating func pursue() -> [Action] {
        switch (state, target) {
        case (.stopped, .playing), (.stopped, .paused): enter(.building)
        case (.playing, .paused), (.paused, .playing): enter(.changing(target))
        case (.playing, .stopped), (.paused, .stopped): enter(.draining)
        // On its way into or out of a pause: what was recorded before is to be finalised all the same.
        case (.changing, .stopped) where hasPrerolled: enter(.draining)
        // Not prerolled yet: there is nothing to finalise, and EOS might never arrive.
        case (.changing, .stopped): enter(.closing(.stopped))
        default: []
        }
    }
}
