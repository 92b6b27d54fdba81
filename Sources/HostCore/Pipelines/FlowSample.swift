internal import GStreamerKit

/// What one place of a pipeline has seen lately.
struct FlowSample: Sendable, Equatable {
    /// Places of one group stand in for each other: a recording branch whose valve is closed is no stall while the
    /// picture is shown elsewhere. Live sources never do.
    enum Group: Sendable, Equatable {
        case video, audio, other
        case source(String)
        /// No caps so far.
        case unknown

        var isSource: Bool {
            if case .source = self { true } else { false }
        }
    }

    /// "sink0" or "mux.video_0".
    var name: String
    var group: Group
    /// Whether a buffer came since the pipeline was told to play.
    var hasFlowed: Bool
    /// The last buffer, on CLOCK_MONOTONIC.
    var last: ClockTime
    /// How long that buffer lasts: the next cannot be due before.
    var spacing: ClockTime
    /// Its stream is over, or it is linked to nothing: silence is right.
    var isOver: Bool
}
