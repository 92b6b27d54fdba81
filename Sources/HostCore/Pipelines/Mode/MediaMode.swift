/// What of its media a pipeline presents.
public enum MediaMode: String, Sendable, CaseIterable {
    /// Everything.
    case video
    /// All but pictures: video sinks and the decoders before them are at rest.
    case audio
}
