internal import GStreamerKit
import Locking

/// The steps a controller takes for its state machine: what may take time runs on its worker, under a deadline.
extension PipelineController {
    func change(to target: PipelineStateMachine.Target) {
        guard let build else { return }
        let pipeline = build.pipeline
        let number = buildNumber
        if target == .playing {
            // The time of a start that was paused is over, or it has started before.
            if build.hasPlayed || startTimer == nil { armStart(number) }
        } else {
            build.flow.suspend()
            modes.stand()
            // What begins paused has the time of its start, until somebody waits for its pause.
            if machine.hasPrerolled || isAwaited { armPause() }
        }
        let turn = build.changes.ask()
        worker.submit { [weak self, build, mediaTime, isLive = build.isLive] in
            // It may have waited behind what hung, and the time may be that of the next build.
            guard !build.isGone.load(ordering: .acquiring) else { return }
            // Not before a change to PAUSED that is still under way: what passes until then is of before the pause.
            if target == .playing {
                // Whether it is live may be on its way to the control thread.
                mediaTime.endPause(at: pipeline.pausedAt, isLive: isLive || pipeline.state().result == .noPreroll)
            }
            switch pipeline.setState(target == .playing ? .playing : .paused) {
            // On the bus, behind the element's own error: told directly it could overtake it, and hide why.
            case .failure: return pipeline.bus.postMark(Self.refusal(of: target))
            case .noPreroll: HostActor.enqueue { [weak self] in self?.foundLive(number) }
            case .success, .pending: break
            }
            pipeline.bus.postMark(turn)
        }
    }

    private func foundLive(_ number: Int) {
        guard number == buildNumber else { return }
        build?.isLive = true
        isCapture = true
    }

    nonisolated static func refusal(of target: PipelineStateMachine.Target) -> String { "refused-\(target)" }

    func chooseClock() {
        guard let build else { return }
        worker.submit { [build, mediaTime, pipeline = build.pipeline, isLive = build.isLive] in
            guard !build.isGone.load(ordering: .acquiring) else { return }
            pipeline.setState(.paused)
            guard !build.isGone.load(ordering: .acquiring) else { return }
            mediaTime.endPause(at: pipeline.pausedAt, isLive: isLive)
            pipeline.setState(.playing)
        }
    }

    func begin() {
        guard let build else { return }
        let number = buildNumber
        let seek = Seek(
            to: place?.position ?? .zero, rate: place?.rate ?? 1, isSegment: description.onEOS == .loop)
        worker.submit { [weak self, build, pipeline = build.pipeline, curtain = build.curtain] in
            let isLive = pipeline.state().result == .noPreroll
            // What comes behind the flush of the seek is seen.
            curtain?.liftAtFlush()
            let isThere = build.course.withLock { course in
                guard course == .toItsBeginning else { return true }
                // A live source may take the seek, but there is no going back in time.
                return !isLive && pipeline.seek(seek)
            }
            curtain?.lift()
            if isThere { _ = pipeline.hasArrived(within: Self.beginPatience) }
            HostActor.enqueue { [weak self] in self?.hasBegun(number, isThere) }
        }
    }

    private func hasBegun(_ number: Int, _ isThere: Bool) {
        guard number == buildNumber, let build else { return }
        build.hasYetToSeek = false
        if !isThere { cannotBegin() }
        listenAgain()
    }

    /// What comes next waits for the first of the place it begins at, but not for long.
    private nonisolated static let beginPatience = ClockTime.seconds(3)

    /// A loop is played to its end and built anew instead.
    private func cannotBegin() {
        guard let place else { return }
        self.place = nil
        let position = Quantity.durationText(place.position.nanoseconds)
        onNotice(self, .warning("it cannot go back to \(position), and plays from its beginning"))
    }

    func loop() {
        guard let build else { return }
        let number = buildNumber
        let step = Self.once { [weak self, pipeline = build.pipeline, output = modes.output] in
            // A change of mode behind it waits for it.
            func seek() -> Bool { pipeline.seekToStart() }
            if pipeline.state().result != .noPreroll, output?.unpaced(seek) ?? seek() { return }
            HostActor.enqueue { [weak self] in
                guard let self, number == self.buildNumber else { return }
                self.endLastRound()
            }
        }
        nextRound = step
        // A sink that hangs keeps no round from its turn.
        if stuckSince == nil { worker.submit(step) } else { workers.submit(step) }
    }

    /// There is no other round: EOS goes through what is left of this one, and files get their end before the next build begins
    /// them anew.
    func endLastRound() {
        guard let build else { return }
        guard build.pipeline.segmentEnds.isEmpty else { return pushEndOfStream() }
        feed(.endOfStream(hadBuffers: build.flow.hasFlowed(since: .zero)))
    }

    /// A source in a segment tells its end only to the bus: EOS is put in behind it.
    func pushEndOfStream() {
        // Each from a thread of its own, and none in the way of the change to NULL: a pad may have to wait for the EOS of
        // another, as behind a multiqueue.
        for pad in build?.pipeline.segmentEnds ?? [] { workers.submit { pad.pushEndOfStream() } }
    }

    func drain() {
        guard let build else { return }
        let number = buildNumber
        build.flow.suspend()
        startTimer?.cancel()
        // Where nothing ever flowed there is nothing to finalise, and EOS would not arrive.
        guard build.flow.hasFlowed(since: .zero) else {
            return HostActor.enqueue { [weak self] in self?.feed(.endOfStream(hadBuffers: false), from: number) }
        }
        // Where it was paused, not before it plays: sending an event holds the lock that the change to PLAYING needs, and waits
        // for a streaming thread that waits for this change. A source may hold its own lock, too: not in the way of the
        // change to NULL.
        let patience = ClockTime(nanoseconds: limits.drain.nanoseconds / 2)
        let send = Self.once { [workers, build, pipeline = build.pipeline] in
            workers.submit {
                _ = pipeline.state(timeout: patience)
                build.course.withLock { $0 = .toItsEnd }
                // Each by itself: one that waits for its streaming thread keeps neither the others from their end nor, with
                // the lock of the whole, the pipeline from going to NULL.
                for origin in pipeline.origins { workers.submit { origin.sendEndOfStream() } }
            }
        }
        sendEnd = send
        if stuckSince == nil { worker.submit(send) } else { send() }
        armDrain(of: number)
    }

    /// What has to come to its end has all of its time from now on.
    func armDrain(of number: Int) {
        armDeadline(limits.drain) { [weak self] in
            guard let self, number == self.buildNumber, let build = self.build else { return }
            build.lacksItsEnd = true
            let missing = build.flow.unended
            // What has come to a sink is written when the sink says so. Beside one that hangs none is heard.
            let isWhole = missing.isEmpty && self.stuckSince != nil
            self.feed(.drainDeadline(missing: missing, isCut: build.hasSomethingToFinalise && !isWhole))
        }
    }

    func close() {
        startTimer?.cancel()
        guard let build else { return feed(.closed) }
        let number = buildNumber
        onNotice(self, .releasing(build.pipeline))
        // What it still does on its way to NULL is lost to the numbers, which never go back.
        numbers.take(over: build)
        (self.build, leaving) = (nil, build)
        build.isGone.store(true, ordering: .releasing)
        build.isPlayedOut = isPlayedOut
        for tell in onRelease.values { tell() }
        keptEncoder.clear()
        let release = modes.end()
        build.unwatch()
        (sendEnd, nextRound) = (nil, nil)
        armDeadline(left(of: limits.close)) { [weak self] in self?.feed(.closeDeadline, from: number) }
        let began = place
        // What is live has no place, and what writes begins a new file.
        let asks = goesOn && !build.isLive && !build.writes
        if !asks { place = nil }
        let (hasArrived, hasFailed) = (!build.hasYetToSeek, !keepsPlace)
        let lacksItsEnd = build.lacksItsEnd
        // Once: on its way down it does not say so any more.
        let found = Locked<PlaybackPlace??>(nil)
        let place: @Sendable () -> PlaybackPlace? = {
            if let known = found.withLock({ $0 }) { return known }
            let next = PlaybackPlace.next(
                after: build.pipeline.playback, began: began, hasArrived: hasArrived, hasFailed: hasFailed)
            found.withLock { $0 = .some(next) }
            return next
        }
        leavingPlace = asks ? place : nil
        worker.submit { [weak self] in
            let next = asks ? place() : nil
            if lacksItsEnd { build.pipeline.letGoOfStreams() }
            build.pipeline.setState(.null)
            HostActor.enqueue {
                release()
                build.letGo()
                if let self, self.leaving === build { (self.leaving, self.leavingPlace) = (nil, nil) }
                guard let self, !self.release(number) else { return }
                guard self.buildNumber == number, case .closing = self.machine.state else { return }
                self.deadline?.cancel()
                // Its user may have stopped it for good meanwhile.
                self.place = self.goesOn ? next : nil
                self.feed(.closed)
            }
        }
    }

    /// Whether what comes after the build that is closing goes on where that ends.
    private var goesOn: Bool {
        if forgetsPlace { return false }
        if keepsPlace { return true }
        guard machine.target != .stopped else { return false }
        switch machine.state {
        case .closing(.rebuild(let retry)): return retry.failure != nil
        case .closing(.failed): return true
        default: return false
        }
    }

    /// Whether the build that is closing has come to the end of its media.
    private var isPlayedOut: Bool {
        switch machine.state {
        case .closing(.finished): true
        case .closing(.rebuild(let retry)): retry.failure == nil
        default: false
        }
    }

    func wait(for retry: PipelineStateMachine.Retry) {
        let policy = description.restart ?? RestartPolicy()
        let delay = RestartBudget.jittered(retry.delay, policy, unit: Double.random(in: -1...1))
        let begin = retry.since + delay
        let left = begin - clock.monotonic()
        nextAttempt = begin
        arm(max(left, .zero)) { [weak self] in self?.feed(.retry) }
    }

    func armPause() {
        let number = buildNumber
        armDeadline(left(of: limits.pause)) { [weak self] in
            guard let self, number == self.buildNumber else { return }
            // Its end would only be heard.
            if self.stuckSince != nil { self.machine.drains = self.build?.hasSomethingToFinalise ?? true }
            // Its user has not stopped it: it goes on where it is.
            if case .changing = self.machine.state, self.machine.target == .paused { self.keepsPlace = true }
            self.feed(.pauseDeadline(waitingFor: self.build?.pipeline.unsettledElements ?? []))
        }
    }

    /// Somebody waits for it to be at rest, which a build that hangs never is.
    func armBuild() {
        guard machine.state == .building else { return }
        let number = buildNumber
        armDeadline(limits.close) { [weak self] in
            guard let self else { return }
            if self.machine.state == .building, self.machine.target == .paused { self.keepsPlace = true }
            self.feed(.buildDeadline, from: number)
        }
    }

    func armStart(_ number: Int) {
        startTimer?.cancel()
        startDue = nil
        guard let limit = description.startTimeout else { return }
        let due = clock.monotonic() + limit
        startDue = due
        startTimer = clock.schedule(after: limit) { [weak self] in
            guard let self else { return }
            if self.stoodStill(since: due) { self.armStart(number) } else { self.startIsLate(limit, number) }
        }
    }

    private func startIsLate(_ limit: ClockTime, _ number: Int) {
        guard number == buildNumber else { return }
        startTimer = nil
        if machine.state == .playing, let build { return build.flow.endStart() }
        let waiting = build?.pipeline.unsettledElements ?? []
        let what =
            waiting.isEmpty
            ? (build == nil ? "it is still being built" : "it did not get to PLAYING")
            : "waiting for \(waiting.joined(separator: ", "))"
        feed(
            .startDeadline(
                PipelineFailure(
                    code: "start-timeout", element: waiting.count == 1 ? waiting.first : nil,
                    message: "it did not start within \(Quantity.durationText(limit.nanoseconds)); \(what)")))
    }

    /// A limit to what is waited for.
    func armDeadline(_ limit: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void) {
        let due = clock.monotonic() + limit
        arm(limit) { [weak self] in
            guard let self else { return }
            if self.stoodStill(since: due) { self.armDeadline(limit, action) } else { action() }
        }
    }

    /// Whether a timer that was due then came so late that the whole process stood still. What is waited for did, too, so it has
    /// its time from now on.
    private func stoodStill(since due: ClockTime) -> Bool { clock.monotonic() - due > FlowWatch.lateness }

    func arm(_ delay: ClockTime, _ action: @escaping @HostActor @Sendable () -> Void) {
        deadline?.cancel()
        deadline = clock.schedule(after: delay, action)
    }
}
