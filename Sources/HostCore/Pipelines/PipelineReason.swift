/// Why a pipeline is in its condition: a code for programs, a text for people.
public struct PipelineReason: Sendable, Equatable {
    /// "asked", "end-of-stream", "element-error", "stalled"; lower case, words joined by "-". Codes keep their meaning.
    public var code: String
    public var text: String

    public init(_ code: String, _ text: String) {
        self.code = code
        self.text = text
    }
}
