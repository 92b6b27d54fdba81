internal import GStreamerKit

/// What a player does for its user: where it is, where it goes on, how fast.
extension PipelineController {
    /// How long its elements may take to say where they are, or to go elsewhere.
    static let playbackDeadline = ClockTime.seconds(5)

    /// Does what is asked, and returns when it is so: `{"pipeline", "state", "mode", "position_ns", ...}`.
    public func perform(_ request: PlaybackRequest) async throws(ControlError) -> Value {
        switch request {
        case .play:
            if hasEnded { startOver() } else { play() }
            await atRest()
        case .pause:
            guard build != nil else { throw notBuilt }
            pause()
            await atRest()
        case .mode(let mode): await withCheckedContinuation { done in setMode(mode) { done.resume() } }
        case .seek(let position, let isAccurate):
            try await seek(position, rate: nil, isAccurate: isAccurate)
        case .rate(let rate): try await seek(nil, rate: rate, isAccurate: true)
        }
        return try await playback()
    }

    /// Where it plays.
    public func playback() async throws(ControlError) -> Value {
        var members: [Value.Member] = [
            .init("pipeline", .string(name)), .init("state", .string(condition.rawValue)),
            .init("mode", .string(mode.rawValue)),
        ]
        guard let build else { return .map(members) }
        let now = try await ask("say where it is") { [pipeline = build.pipeline] in pipeline.playback }
        members += [
            .init("position_ns", now.position.map { .int($0.nanoseconds) } ?? .null),
            .init("duration_ns", now.duration.map { .int($0.nanoseconds) } ?? .null),
            .init("rate", .double(now.rate)),
            .init("seekable", .bool(now.isSeekable && !build.isLive)),
        ]
        return .map(members)
    }

    private func seek(_ position: ClockTime?, rate: Double?, isAccurate: Bool) async throws(ControlError) {
        guard let build else { throw notBuilt }
        let now = try await ask("say where it is") { [pipeline = build.pipeline] in pipeline.playback }
        // A live source may take the seek, but there is no going back in time.
        guard now.isSeekable, !build.isLive else {
            throw ControlError(.state, "pipeline \(name) cannot seek: its source is live, or knows no other place")
        }
        if let position, let duration = now.duration, position > duration {
            throw ControlError(
                .invalid,
                "\(Quantity.durationText(position.nanoseconds)) is beyond the end of pipeline \(name), "
                    + Quantity.durationText(duration.nanoseconds))
        }
        // It may have gone meanwhile.
        guard build === self.build else { throw notBuilt }
        // What is under way is of the old place; each tap hears again from its own flush on.
        build.closeTaps()
        mediaTime.beginEpoch()
        let seek = Seek(
            to: position, rate: rate ?? now.rate, isAccurate: isAccurate, isSegment: description.onEOS == .loop)
        let isDone = try await ask("go to another place") { [pipeline = build.pipeline] in pipeline.seek(seek) }
        guard !isDone else { return }
        build.openTaps()
        throw ControlError(.failed, "pipeline \(name) did not go there: none of its sources can")
    }

    private var notBuilt: ControlError {
        ControlError(.state, "pipeline \(name) is \(condition.rawValue): start it first")
    }

    private func atRest() async {
        await withCheckedContinuation { continuation in whenAtRest { continuation.resume() } }
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
