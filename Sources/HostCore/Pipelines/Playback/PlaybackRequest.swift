public import GStreamerKit

/// What a user asks of one pipeline that plays.
public enum PlaybackRequest: Sendable, Equatable {
    case play
    case pause
    case mode(MediaMode)
    /// - Parameter isAccurate: that very sample and picture, or the key frame before it.
    case seek(to: ClockTime, isAccurate: Bool)
    case rate(Double)

    /// Beyond these nobody hears or sees anything.
    public static let rates = 0.1...16.0
}
