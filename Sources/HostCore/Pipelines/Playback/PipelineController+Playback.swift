internal import GStreamerKit

/// What a player does for its user: where it is, where it goes on, how fast.
extension PipelineController {
    /// How long its elements may take to say where they are, or to go elsewhere.
    static let playbackDeadline = ClockTime.seconds(5)
    /// Seeks of one build that may be under way: each has a thread, and keeps it where it waits for what hangs.
    static let mostSeeks = 8

    private enum SeekResult {
        case done, refused, overtaken
    }

    /// Where it plays.
    public func playback() async throws(ControlError) -> Value {
        var members: [Value.Member] = [
            .init("pipeline", .string(name)), .init("state", .string(condition.rawValue)),
            .init("mode", .string(mode.rawValue)),
        ]
        members += nextMode
        guard let build else {
            if let place { members.append(.init("next_position_ns", .int(place.position.nanoseconds))) }
            return .map(members)
        }
        let now = try await place(in: build)
        members += [
            .init("position_ns", now.position.map { .int($0.nanoseconds) } ?? .null),
            .init("duration_ns", now.duration.map { .int($0.nanoseconds) } ?? .null),
            .init("rate", .double(now.rate)),
            .init("seekable", .bool(now.isSeekable && !build.isLive)),
        ]
        return .map(members)
    }

    /// Goes on from another place, or at another speed; nil is what it is. Returns when it is there.
    func seek(to position: ClockTime?, rate: Double?, isAccurate: Bool) async throws(ControlError) {
        guard let build else { throw notBuilt }
        guard condition != .starting else {
            throw ControlError(.state, "pipeline \(name) is starting: it can seek when it plays")
        }
        guard !build.writes else {
            throw ControlError(
                .state,
                "pipeline \(name) writes a file or a stream, which a jump would spoil: seek in one that only plays")
        }
        let now = try await place(in: build)
        // A live source may take the seek, but there is no going back in time.
        guard now.isSeekable, !build.isLive else {
            throw ControlError(.state, "pipeline \(name) cannot seek: its source is live, or knows no other place")
        }
        if let position, let duration = now.duration, position > duration {
            throw ControlError(
                .invalid,
                "\(Quantity.durationText(position.nanoseconds)) is beyond the end of pipeline \(name), "
                    + Quantity.durationText(duration.nanoseconds), field: "position")
        }
        // It may have gone meanwhile.
        guard build === self.build else { throw notBuilt }
        guard build.seeksUnderWay < Self.mostSeeks else {
            throw ControlError(
                .busy,
                "pipeline \(name) is \(condition.rawValue), and \(build.seeksUnderWay) seeks are under way: try again later"
            )
        }
        let seek = Seek(
            to: position, rate: rate ?? now.rate, isAccurate: isAccurate, isSegment: description.onEOS == .loop)
        let seekNumber = build.beginSeek()
        let taps = build.listeners.map { ($0, $0.number) }
        let result = await workers.result(within: Self.playbackDeadline, clock: clock) {
            [build, curtain = build.curtain, mediaTime, weak self] in
            // For one that is still in a call, maybe for ever: before any of the others is deaf, and with no lock that an end needs.
            for (tap, _) in taps { tap.waitForClient() }
            let result: SeekResult = build.course.withLock { course in
                guard course != .toItsEnd, !build.isGone.load(ordering: .acquiring) else { return .refused }
                // Those that waited go in no order: the one that was asked for last holds, where somebody still waits for it.
                guard build.isNewest(seekNumber) else { return .overtaken }
                // What is under way is of the old place; each tap hears again from its own flush on. Not before a seek that is under
                // way has flushed: what it brings would be of this epoch.
                for (tap, number) in taps { tap.close(number) }
                // A call that does not return may have kept it for longer than the build was there.
                guard !build.isGone.load(ordering: .acquiring) else { return .refused }
                mediaTime.beginEpoch()
                curtain?.liftAtFlush()
                guard build.pipeline.seek(seek, unless: { !build.isNewest(seekNumber) }) else {
                    return build.isNewest(seekNumber) ? .refused : .overtaken
                }
                course = .elsewhere
                return .done
            }
            // Also where nobody waits for it any more.
            HostActor.enqueue {
                build.seeksUnderWay -= 1
                guard let self, build === self.build else { return }
                self.listenAgain()
            }
            return result
        }
        switch result {
        case .done?: try await arrive(build, seek: seekNumber)
        case .refused?:
            guard build === self.build, machine.state != .draining else {
                throw ControlError(.state, "pipeline \(name) did not go there: it comes to its end")
            }
            throw ControlError(.failed, "pipeline \(name) did not go there: none of its sources can")
        case .overtaken?:
            throw overtaken
        case nil:
            build.giveUp(seekNumber)
            throw late("go to another place")
        }
    }

    /// Returns when every sink has something of the new place, or its media are over there.
    /// - Parameter seek: the one that is to arrive; a later one takes its place.
    func arrive(_ build: PipelineBuild, seek: Int? = nil) async throws(ControlError) {
        let limit = limits.arrival
        let hasArrived = await workers.result(within: limit + .seconds(1), clock: clock) {
            [pipeline = build.pipeline] in
            pipeline.hasArrived(within: limit, unless: seek.map { number in { !build.isNewest(number) } })
        }
        guard build === self.build else {
            // Whoever seeks to the end is there when it is played out.
            if build.isPlayedOut { return }
            throw ControlError(
                .failed, "pipeline \(name) did not come to the new place: it is \(condition.rawValue) now")
        }
        guard hasArrived != true else { return }
        if let seek, !build.isNewest(seek) { throw overtaken }
        throw ControlError(
            .timeout,
            "pipeline \(name) is \(condition.rawValue) and went to the new place, but nothing has come from there within "
                + "\(Quantity.durationText(limit.nanoseconds)): it goes on when its media come")
    }

    var notBuilt: ControlError {
        let remedy =
            switch machine.state {
            case .building, .waiting, .closing(.rebuild): "it can when it plays"
            case .draining, .closing: "it is being ended"
            case .stopped, .changing, .playing, .paused, .buffering, .finished, .failed: "start it first"
            }
        return ControlError(.state, "pipeline \(name) is \(condition.rawValue): \(remedy)")
    }

    private func place(in build: PipelineBuild) async throws(ControlError) -> Playback {
        let answer = await workers.result(within: Self.playbackDeadline, clock: clock) {
            build.questions.ask { build.pipeline.playback }
        }
        guard let answer else { throw late("say where it is") }
        if let answer { return answer }
        throw ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and \(OpenQuestions.most) questions to its elements have no answer "
                + "yet: its device may hang")
    }

    private var overtaken: ControlError {
        ControlError(.busy, "pipeline \(name) did not go there: a later seek was asked for meanwhile")
    }

    private func late(_ what: String) -> ControlError {
        ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and did not \(what) within "
                + Quantity.durationText(Self.playbackDeadline.nanoseconds))
    }
}
