/// Why a pipeline does not run: what was attempted, on what, and what GStreamer said.
public struct PipelineFailure: Error, Sendable, Equatable {
    /// "build-failed", "element-error", "stuck", "no-such-pad".
    public var code: String
    /// The element that said so, where one did.
    public var element: String?
    public var message: String
    /// GStreamer's own note for bug reports.
    public var debug: String?

    public init(code: String, element: String? = nil, message: String, debug: String? = nil) {
        self.code = code
        self.element = element
        self.message = message
        self.debug = debug
    }

    static let stuck = PipelineFailure(
        code: "stuck",
        message: "the pipeline did not come to rest in time; its device may hang, and is not released")
}
