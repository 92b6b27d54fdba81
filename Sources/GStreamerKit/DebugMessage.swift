/// One line of GStreamer's own log.
public struct DebugMessage: Sendable, Equatable {
    public enum Level: Sendable, Equatable {
        case error, warning
    }

    public var level: Level
    /// "filesrc"
    public var category: String
    /// The element's name, "" where it is about none.
    public var element: String
    /// The name of the pipeline that holds it, "" where that is not known.
    public var pipeline: String
    /// "gst_file_src_start"
    public var function: String
    public var text: String

    public init(
        level: Level, category: String, element: String, pipeline: String, function: String, text: String
    ) {
        self.level = level
        self.category = category
        self.element = element
        self.pipeline = pipeline
        self.function = function
        self.text = text
    }
}
