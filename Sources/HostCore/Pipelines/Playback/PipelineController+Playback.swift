internal import GStreamerKit

/// What a player does for its user: where it is, where it goes on, how fast.
extension PipelineController {
    /// How long its elements may take to say where they are, or to go elsewhere.
    static let playbackDeadline = ClockTime.seconds(5)

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
        let now = try await ask("say where it is") { [pipeline = build.pipeline] in pipeline.playback }
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
        let now = try await ask("say where it is") { [pipeline = build.pipeline] in pipeline.playback }
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
        let seek = Seek(
            to: position, rate: rate ?? now.rate, isAccurate: isAccurate, isSegment: description.onEOS == .loop)
        build.seeksUnderWay += 1
        let taps = build.listeners.map { ($0, $0.number) }
        let isDone = try await ask("go to another place") { [build, curtain = build.curtain, mediaTime, weak self] in
            // For one that is still in a call, maybe for ever: before any of the others is deaf, and with no lock that an end needs.
            for (tap, _) in taps { tap.waitForClient() }
            let isDone = build.course.withLock { course in
                guard course != .toItsEnd, !build.isGone.load(ordering: .acquiring) else { return false }
                // What is under way is of the old place; each tap hears again from its own flush on. Not before a seek that is under
                // way has flushed: what it brings would be of this epoch.
                for (tap, number) in taps { tap.close(number) }
                // A call that does not return may have kept it for longer than the build was there.
                guard !build.isGone.load(ordering: .acquiring) else { return false }
                mediaTime.beginEpoch()
                curtain?.liftAtFlush()
                guard build.pipeline.seek(seek) else { return false }
                course = .elsewhere
                return true
            }
            // Also where nobody waits for it any more.
            HostActor.enqueue {
                build.seeksUnderWay -= 1
                guard let self, build === self.build else { return }
                self.listenAgain()
            }
            return isDone
        }
        guard isDone else {
            guard build === self.build, machine.state != .draining else {
                throw ControlError(.state, "pipeline \(name) did not go there: it comes to its end")
            }
            throw ControlError(.failed, "pipeline \(name) did not go there: none of its sources can")
        }
        try await arrive(build)
    }

    /// Returns when every sink has something of the new place.
    private func arrive(_ build: PipelineBuild) async throws(ControlError) {
        let limit = limits.arrival
        let hasArrived = await workers.result(within: limit + .seconds(1), clock: clock) {
            [pipeline = build.pipeline] in
            pipeline.hasArrived(within: limit)
        }
        guard build === self.build else {
            throw ControlError(
                .failed, "pipeline \(name) did not come to the new place: it is \(condition.rawValue) now")
        }
        guard hasArrived != true else { return }
        throw ControlError(
            .timeout,
            "pipeline \(name) is \(condition.rawValue) and went to the new place, but nothing has come from there within "
                + "\(Quantity.durationText(limit.nanoseconds)): it goes on when its media come")
    }

    var notBuilt: ControlError {
        ControlError(.state, "pipeline \(name) is \(condition.rawValue): start it first")
    }

    private func ask<Answer: Sendable>(
        _ what: String, _ question: @escaping @Sendable () -> Answer
    ) async throws(ControlError) -> Answer {
        if let answer = await workers.result(within: Self.playbackDeadline, clock: clock, of: question) {
            return answer
        }
        throw ControlError(
            .busy,
            "pipeline \(name) is \(condition.rawValue), and did not \(what) within "
                + Quantity.durationText(Self.playbackDeadline.nanoseconds))
    }
}
