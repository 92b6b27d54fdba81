/// What a pipeline does while something holds of the host. In the order of their strength: the strongest of all reasons wins.
public enum BackgroundMode: String, Sendable, CaseIterable, Comparable {
    /// Goes on.
    case keep
    /// Goes on without its pictures: nothing is decoded or shown, the sound plays on.
    case audioOnly = "audio-only"
    /// Stands still and keeps its devices.
    case pause
    /// Ends, and lets go of its devices.
    case stop

    private var strength: Int {
        switch self {
        case .keep: 0
        case .audioOnly: 1
        case .pause: 2
        case .stop: 3
        }
    }

    public static func < (left: BackgroundMode, right: BackgroundMode) -> Bool { left.strength < right.strength }

    /// Whether the pipeline does not play.
    var isQuiet: Bool { self >= .pause }
}
