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
    /// `/dev/video0`, `hw:1`.
    case device
    /// Where media come from or go to.
    case uri
    /// A text that is never shown.
    case secret
    /// Of a result: a moment, in nanoseconds since 1970.
    case time
    /// The same, at which what the map is about is over.
    case endTime = "end-time"
    /// Of a result: how much is done, 0 to 1.
    case progress

    /// The JSON type it goes with.
    var type: String {
        switch self {
        case .duration, .size, .time, .endTime: "integer"
        case .progress: "number"
        case .pad, .element, .pipeline, .instance, .path, .device, .uri, .secret: "string"
        }
    }
}
