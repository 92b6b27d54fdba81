/// What of its media a running pipeline works on.
public enum MediaMode: String, Sendable, CaseIterable {
    /// All of it.
    case video
    /// Its sound alone: nothing is decoded or shown.
    case audio
}
