internal import GStreamerKit

/// Where a player goes on when it is built anew.
struct PlaybackPlace: Sendable, Equatable {
    var position: ClockTime
    var rate: Double

    /// One that fails again within this of where it began is not sent there once more: it may be the media that are broken.
    static let leastProgress = ClockTime.seconds(1)

    /// Where it goes on after a build that is about to go.
    ///
    /// - Parameters:
    ///   - now: what that build says.
    ///   - began: where that build began, or would have.
    ///   - hasArrived: whether it has come there.
    static func next(after now: Playback, began: PlaybackPlace?, hasArrived: Bool, hasFailed: Bool)
        -> PlaybackPlace?
    {
        // It did not even come to its media: that says nothing of them.
        guard now.isSeekable, let position = now.position else { return began }
        // Still at the beginning of its media, where nobody was. What failed on the way may have failed by it.
        guard hasArrived else { return hasFailed ? nil : began }
        // Behind where it began is further than that, too: a loop has gone round.
        if hasFailed, let began, abs((position - began.position).nanoseconds) < leastProgress.nanoseconds { return nil }
        return PlaybackPlace(position: position, rate: now.rate)
    }
}
