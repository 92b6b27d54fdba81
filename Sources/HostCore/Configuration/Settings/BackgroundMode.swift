/// What a pipeline does while the host is paused.
public enum BackgroundMode: String, Sendable, CaseIterable {
    /// Goes on.
    case keep
    /// Stands still and keeps its devices.
    case pause
    /// Ends, and lets go of its devices.
    case stop
}
