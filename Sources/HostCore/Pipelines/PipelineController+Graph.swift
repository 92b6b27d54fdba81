internal import GStreamerKit

extension PipelineController {
    /// The present build in graphviz's language, with live caps; nil where there is no build.
    ///
    /// Drawn on a thread of its own, because an element that is stuck with its lock held makes the drawing wait.
    /// - Parameter mask: puts stars in the place of secrets.
    func dot(mask: @escaping PipelineGraph.Mask = { $0 }) async -> String? {
        guard let pipeline = build?.pipeline else { return nil }
        return await withCheckedContinuation { continuation in
            WorkerPool().submit {
                let text = pipeline.graph(.everything).map(mask)
                HostActor.enqueue { continuation.resume(returning: text) }
            }
        }
    }
}
