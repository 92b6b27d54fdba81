internal import GStreamerKit

/// Pipelines as drawings in graphviz's language.
public enum PipelineGraph {
    /// Puts stars in the place of secrets. It gets the whole text of a graph, in which property values are escaped.
    public typealias Mask = @Sendable (String) -> String

    /// Builds pipelines of a configuration and draws them; they never leave NULL, so no device is opened.
    /// - Parameter name: one pipeline, or nil for all.
    /// - Throws: where there is no such pipeline, or it cannot be built.
    /// - Thread: worker or a short-lived process, after `GStreamer.start`.
    public static func draw(
        _ configuration: HostConfiguration, only name: String? = nil, mask: Mask = { $0 }
    ) throws(PipelineFailure) -> String {
        var text = ""
        for pipeline in try select(configuration.pipelines, name) {
            text += try draw(PipelineBuilder.build(pipeline), as: pipeline.name, .structure, mask: mask)
        }
        return text
    }

    /// Draws one that exists, as it is now. - Thread: worker.
    static func draw(
        _ pipeline: Pipeline, as name: String, _ detail: Pipeline.GraphDetail, mask: Mask = { $0 }
    ) throws(PipelineFailure) -> String {
        guard let text = pipeline.graph(detail), !text.isEmpty else {
            throw PipelineFailure(
                code: "no-graph",
                message: "cannot draw pipeline \(name): this GStreamer was built without its debugging (gst_debug)")
        }
        return mask(text)
    }

    private static func select(
        _ pipelines: [PipelineDescription], _ name: String?
    ) throws(PipelineFailure) -> [PipelineDescription] {
        let names = pipelines.map(\.name)
        guard let name else {
            guard !pipelines.isEmpty else {
                throw PipelineFailure(code: "no-pipeline", message: "the configuration has no pipeline")
            }
            return pipelines
        }
        let found = pipelines.filter { $0.name == name }
        guard found.isEmpty else { return found }
        let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw PipelineFailure(
            code: "no-pipeline",
            message: "there is no pipeline \"\(name)\"\(hint) (\(KnownNames.list("pipelines", names)))")
    }
}
