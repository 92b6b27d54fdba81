internal import GStreamerKit

/// What a pipeline is doing and what comes next: the decisions of its controller, without a pipeline.
///
/// ```
///              target playing            built                  reached playing
///   stopped ──────────────────▶ building ─────▶ changing(playing) ─────────────▶ playing ◀──▶ paused, buffering
///      ▲                           ▲                                              │  (changing)
///      │                           │ retry                                        │
///      │   closed               waiting ◀──── closing(rebuild) ◀── error, stall ──┤
///      │                                                                          │
///      └────────── closing ◀──────────────────── draining ◀── target stopped ─────┤
///                    │                                                            │
///   finished ◀───────┤ (after EOS)                                            EOS │
///   failed   ◀───────┘ (no restart policy, or a crash loop)  ◀────────────────────┘
/// ```
///
/// Targets are levels: a new one during a change is kept and followed when the change is over. `finished` stays: a player
/// that has reached its end does not start again because the host resumes. `failed` stays until its cool-down is over.
/// Recovery always builds anew: a pipeline that broke is never taken from NULL to PLAYING again (FACTS, peers).
struct PipelineStateMachine: Sendable {
    var rules = Rules()
    private(set) var state = State.stopped
    private(set) var target = Target.stopped
    private(set) var condition = PipelineCondition.stopped
    private(set) var reason = PipelineReason("not-started", "it was not started")
    /// How often it was built anew after an error.
    private(set) var restarts = 0
    private(set) var lastFailure: PipelineFailure?
    /// A failed pipeline that will try again.
    private(set) var isCoolingDown = false

    /// Whether it is stopped only because it could not be paused in time.
    private(set) var hasMissedPause = false

    /// How often its end could not be written, because an element failed or hung while it drained, or its end did not come.
    private(set) var failedDrains = 0
    /// Builds that hang in their way down: each holds a thread and its device.
    private(set) var abandoned = 0
    static let mostAbandoned = 2
    /// Shorter runs than this follow each other no faster: an empty file is no hot loop.
    static let shortestRun = ClockTime.milliseconds(100)

    private var budget = RestartBudget()
    /// Of the event being handled.
    private var now = ClockTime.zero
    private var builtAt = ClockTime.zero
    /// Whether a stop first lets all that is under way come to its end.
    var drains = true
    /// On the way to its first PLAYING or PAUSED: whether media have reached a file or a stream already, whose end must be written.
    var hasBegunToWrite = false
    /// Since an error, until all is well again.
    private(set) var isRecovering = false
    /// Whether this build ever came to PAUSED or PLAYING, so that something may have to be finalised.
    private(set) var hasPrerolled = false
    /// Whether this build ever let anything through.
    private var hasFlowed = false
    private(set) var isHeld = false
    /// Whether it has to go to where it begins before it plays.
    private var mustSeek = false
    /// It begins as soon as it may: the wait is over, but the target was not to play; or two builds hang.
    private(set) var retryIsDue = false

    init(rules: Rules = Rules()) { self.rules = rules }

    /// What the pipeline behind it is to be in.
    var aim: Target { target == .playing && isHeld ? .paused : target }

    mutating func handle(_ event: Event, now: ClockTime) -> [Action] {
        self.now = now
        switch event {
        case .target(let wanted):
            (target, hasMissedPause) = (wanted, false)
            return pursue()
        case .startOver:
            budget = RestartBudget()
            // One that is on its way, or there, would be started a second time at its end.
            switch state {
            case .closing, .waiting, .failed, .finished: retryIsDue = true
            case .stopped, .building, .changing, .playing, .paused, .buffering, .draining: break
            }
            return pursue()
        case .built(let isElsewhere):
            guard state == .building else { return [] }
            // Told to stop meanwhile: nothing flows yet, so there is nothing to drain.
            if target == .stopped { return enter(.closing(.stopped)) }
            mustSeek = isElsewhere || rules.onEOS == .loop
            // A seek needs a preroll.
            return enter(.changing(mustSeek ? .paused : aim))
        case .buildFailed(let failure):
            guard state == .building else { return [] }
            lastFailure = failure
            return enter(.failed(failure))
        case .reached(let reached):
            guard state == .changing(reached) else { return [] }
            return enter(reached == .playing ? .playing : .paused)
        case .health(let health):
            guard state == .playing else { return [] }
            return follow(health, now)
        case .buffering(let percent): return follow(buffering: percent)
        case .hold(let held):
            // A build on its way down holds nothing: the next one asks for itself.
            guard state.isRunning else { return [] }
            isHeld = held
            return pursue()
        case .clockLost: return state == .playing ? [.chooseClock] : []
        case .endOfStream(let hadBuffers): return end(now, hadBuffers)
        case .segmentDone:
            if state == .draining { return [.pushEndOfStream] }
            guard rules.onEOS == .loop, state.isRunning else { return [] }
            return [.loop]
        case .error(let failure): return fail(failure, now)
        case .startDeadline(let failure):
            switch state {
            case .building: return abandon() + fail(failure, now)
            case .changing, .buffering, .playing: return fail(failure, now)
            default: return []
            }
        case .buildDeadline:
            guard state == .building, target != .playing else { return [] }
            if target == .paused { (target, hasMissedPause) = (.stopped, true) }
            return abandon() + [
                .late("it is still being built; that is given up, and it is built anew when it is to play")
            ] + enter(.closing(.stopped))
        case .drainDeadline(let missing, let isCut):
            guard state == .draining else { return [] }
            let end = isCut ? "; files may lack their last part" : ""
            let what =
                missing.isEmpty ? "was not acknowledged by its sinks" : "did not reach \(News.places(missing))"
            let late = "end of stream \(what) in time\(end)"
            if isCut {
                (failedDrains, lastFailure) = (failedDrains + 1, PipelineFailure(code: "no-end", message: late))
            }
            return [.late(late)] + enter(.closing(.stopped))
        case .pauseDeadline(let waitingFor):
            // To where it begins it has the time of its start.
            guard case .changing(let way) = state, aim == .paused || way == .paused && !mustSeek else { return [] }
            let missing = waitingFor.isEmpty ? "" : " (waiting for \(waitingFor.joined(separator: ", ")))"
            // An element asked for it, or its user has it play since: what keeps it from that is found there.
            if target == .playing {
                let what = isHeld ? "the pause that an element asked for" : "a pause in time"
                isHeld = false
                let late = "it did not come to \(what)\(missing); it plays on"
                // On its way to where it begins it needs a preroll all the same.
                return [.late(late)] + (mustSeek ? [] : enter(.changing(.playing)))
            }
            (target, hasMissedPause) = (.stopped, true)
            return [
                .late("it did not come to a pause in time\(missing); it is stopped, and starts anew when it is to play")
            ] + pursue()
        case .closed:
            guard case .closing(let ending) = state else { return [] }
            return settle(ending)
        case .closeDeadline:
            guard case .closing(let ending) = state else { return [] }
            return abandon() + [.late(PipelineFailure.stuck.message)] + giveUp(ending)
        case .released:
            abandoned -= 1
            // One that was to start, and could not beside those that hung.
            return pursue()
        case .retry:
            guard case .waiting = state else { return [] }
            retryIsDue = true
            return pursue()
        case .coolDownOver:
            guard case .failed = state, isCoolingDown else { return [] }
            // The device still hangs: another build would only hang beside it.
            if !mayBuild, let span = rules.restart?.coolDown { return [.coolDown(span)] }
            retryIsDue = true
            return pursue()
        }
    }

    /// Those of the description before that still hang.
    mutating func takeOver(abandoned count: Int) { abandoned = count }

    // MARK: - What happens

    private mutating func follow(_ health: FlowHealth, _ now: ClockTime) -> [Action] {
        switch health {
        case .starting(let missing):
            let why = "waiting for the first buffer at \(News.places(missing))"
            return tell(News(isRecovering ? .recovering : .starting, "no-buffer-yet", why))
        case .flowing:
            hasFlowed = true
            isRecovering = false
            budget.isWell(at: now)
            return tell(News(.playing, "flowing", "buffers pass"))
        case .degraded(let silent):
            hasFlowed = true
            isRecovering = false
            return tell(News(.degraded, "silent", "no buffer at \(News.places(silent)); the rest plays"))
        case .stalled(let silent):
            let failure = PipelineFailure(
                code: hasFlowed ? "stalled" : "start-timeout",
                message: "no buffer at \(News.places(silent))" + (hasFlowed ? " any more" : " in time"))
            let actions = tell(News(.stalled, failure.reason))
            // Without a policy it is left as it is: what is silent now may speak again.
            guard rules.restart != nil else {
                if !actions.isEmpty { lastFailure = failure }
                return actions
            }
            return actions + fail(failure, now)
        }
    }

    private mutating func follow(buffering percent: Int) -> [Action] {
        switch state {
        case .playing where percent < 100 && aim == .playing,
            .changing(.playing) where percent < 100 && aim == .playing:
            return enter(.buffering)
        case .buffering where percent >= 100: return enter(.changing(.playing))
        default: return []
        }
    }

    private mutating func end(_ now: ClockTime, _ hadBuffers: Bool) -> [Action] {
        if state == .draining { return enter(.closing(.stopped)) }
        guard state.isRunning else { return [] }
        switch rules.onEOS {
        case .stop, .exit: return enter(.closing(.finished))
        case .loop, .restart:
            guard hadBuffers else { return fail(.noData, now) }
            return enter(.closing(.rebuild(Retry(failure: nil, since: builtAt, delay: Self.shortestRun))))
        }
    }

    private mutating func fail(_ failure: PipelineFailure, _ now: ClockTime) -> [Action] {
        guard state.isRunning || state == .building || state == .draining else { return [] }
        lastFailure = failure
        if state == .draining {
            // It was told to stop, and stops; the next start is a new build.
            failedDrains += 1
            return [.warn("its end could not be written: \(failure.reason.text)")] + enter(.closing(.stopped))
        }
        guard let policy = rules.restart else { return enter(.closing(.failed(failure))) }
        switch budget.fail(at: now, policy) {
        case .retry(let delay):
            isRecovering = true
            return enter(.closing(.rebuild(Retry(failure: failure, since: now, delay: delay))))
        case .exhausted:
            isRecovering = true
            isCoolingDown = policy.coolDown != nil
            var last = failure
            last.message +=
                " (more than \(policy.limit) attempts in \(Quantity.durationText(policy.period.nanoseconds)))"
            return enter(.closing(.failed(last)))
        }
    }

    private mutating func abandon() -> [Action] {
        abandoned += 1
        return [.abandon]
    }

    /// What becomes of it when its build hangs on the way down.
    private mutating func giveUp(_ ending: Ending) -> [Action] {
        switch ending {
        // What it wrote has come to its end before, or that was counted.
        case .stopped: lastFailure = .stuck
        case .rebuild where target != .stopped && !mayBuild: return failAsStuck()
        case .rebuild, .finished, .failed: break
        }
        return settle(ending)
    }

    // MARK: - Steps

    private mutating func settle(_ ending: Ending) -> [Action] {
        switch ending {
        case .stopped: enter(.stopped)
        case .finished: enter(.finished)
        case .failed(let failure): enter(.failed(failure))
        case .rebuild where target == .stopped: enter(.stopped)
        case .rebuild(let retry): enter(.waiting(retry))
        }
    }

    private mutating func enter(_ next: State) -> [Action] {
        let previous = state
        state = next
        if next == .building {
            if isRecovering { restarts += 1 }
            (hasPrerolled, hasFlowed, hasBegunToWrite, isHeld, mustSeek) = (false, false, false, false, false)
            (retryIsDue, isCoolingDown, builtAt) = (false, false, now)
        }
        if next == .playing || next == .paused { hasPrerolled = true }
        if case .closing = next { isHeld = false }
        // Who stopped it ended the recovery: the next start is one like any other.
        if next == .stopped { isRecovering = false }
        return tell(news(of: next)) + work(in: next, from: previous) + pursue()
    }

    private mutating func work(in next: State, from previous: State) -> [Action] {
        switch next {
        case .building: return [.build]
        case .changing(let target): return [.set(target)]
        case .buffering: return [.set(.paused)]
        // EOS does not pass a sink that is paused, or about to be.
        case .draining: return previous == .playing ? [.sendEndOfStream] : [.set(.playing), .sendEndOfStream]
        case .closing: return [.close]
        case .waiting(let retry): return [.wait(retry)]
        case .failed where isCoolingDown: return rules.restart?.coolDown.map { [.coolDown($0)] } ?? []
        case .paused where mustSeek:
            mustSeek = false
            return [.begin]
        case .stopped, .playing, .paused, .finished, .failed: return []
        }
    }

    private mutating func tell(_ news: News?) -> [Action] {
        guard let news else { return [] }
        // The reason may change while the condition lasts; users are told of conditions, and of each failed attempt.
        let isNews = news.isToldAgain || news.condition != condition
        (condition, reason) = (news.condition, news.reason)
        return isNews ? [.announce(condition, reason)] : []
    }

    private mutating func build() -> [Action] {
        if mayBuild { return enter(.building) }
        // It begins when one of them has ended.
        (lastFailure, retryIsDue) = (.stuck, true)
        return failAsStuck()
    }

    private mutating func failAsStuck() -> [Action] {
        isCoolingDown = rules.restart?.coolDown != nil
        return enter(.failed(.stuck))
    }

    /// The next step from where it rests to where it should be.
    private mutating func pursue() -> [Action] {
        switch (state, aim) {
        case (.stopped, .playing), (.stopped, .paused): build()
        case (.failed, .playing) where retryIsDue && mayBuild: build()
        case (.finished, .playing) where retryIsDue, (.waiting, .playing) where retryIsDue: build()
        case (.waiting, .stopped): enter(.stopped)
        case (.playing, .paused), (.paused, .playing), (.buffering, .paused): enter(.changing(aim))
        case (.playing, .stopped), (.paused, .stopped), (.buffering, .stopped):
            enter(drains ? .draining : .closing(.stopped))
        // On its way into or out of a pause: what was recorded before is to be finalised all the same.
        case (.changing, .stopped) where (hasPrerolled || hasBegunToWrite) && drains: enter(.draining)
        // Nothing has begun: there is nothing to finalise, and EOS might never arrive.
        case (.changing, .stopped): enter(.closing(.stopped))
        default: []
        }
    }
}
