/// What a scalar of a schema stands for beyond its JSON type: `"format": "duration"`.
public enum SchemaFormat: String, Sendable, CaseIterable {
    /// `500ms`; an integer of nanoseconds.
    case duration
    /// `256MiB`; an integer of bytes.
    case size
    /// `pipeline/element.pad`
    case pad
    /// `pipeline/element`
    case element
    case pipeline
    /// The name of a plugin instance.
    case instance
    /// A file. The command line makes a relative one absolute: it stands elsewhere than the host.
    case path
    /// A text that is never shown.
    case secret

    /// The JSON type it goes with.
    var type: String {
        switch self {
        case .duration, .size: "integer"
        case .pad, .element, .pipeline, .instance, .path, .secret: "string"
        }
    }
}
