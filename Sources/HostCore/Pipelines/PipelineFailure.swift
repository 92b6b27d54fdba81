/// Why a pipeline does not run: what was attempted, on what, and what GStreamer said.
public struct PipelineFailure: Error, Sendable, Equatable {
    /// "build-failed", "element-error", "stalled", "start-timeout", "no-data", "stuck", "no-end", "no-such-pad", "state-change".
    public var code: String
    /// The element that said so, where one did.
    public var element: String?
    public var message: String
    /// The error's domain and its number there, as "gst-resource-error-quark" and 3, where an element said so.
    public var domain: String?
    public var number: Int?
    /// GStreamer's own note for bug reports.
    public var debug: String?

    public init(
        code: String, element: String? = nil, message: String, domain: String? = nil, number: Int? = nil,
        debug: String? = nil
    ) {
        self.code = code
        self.element = element
        self.message = message
        self.domain = domain
        self.number = number
        self.debug = debug
    }

    var reason: PipelineReason { PipelineReason(code, element.map { "\($0): \(message)" } ?? message) }

    static let stuck = PipelineFailure(
        code: "stuck",
        message: "the pipeline did not come to rest in time; its device may hang, and is not released")

    static let noData = PipelineFailure(
        code: "no-data", message: "the stream ended before its first buffer")
}
