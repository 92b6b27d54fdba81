internal import GStreamerKit

extension PipelineController {
    /// The present build in graphviz's language, with live caps; nil where there is no build.
    /// - Parameter mask: puts stars in the place of secrets.
    /// - Throws: `busy` where an element does not answer in time.
    func dot(
        clock: any HostClock, mask: @escaping PipelineGraph.Mask = { $0 }
    ) async throws(ControlError) -> String? {
        guard let pipeline = build?.pipeline else { return nil }
        switch await LiveDrawing.run(clock: clock, { pipeline.graph(.everything).map(mask) }) {
        case .drawn(let text): return text
        case .late:
            throw ControlError(
                .busy,
                "pipeline \(name) is \(condition.rawValue), and an element did not tell its properties within "
                    + "\(LiveDrawing.deadline): its device may hang")
        }
    }
}
