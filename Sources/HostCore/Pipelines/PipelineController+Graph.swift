internal import GStreamerKit

extension PipelineController {
    /// The present build in graphviz's language, with live caps; nil where there is no build.
    /// - Throws: `busy` where an element does not answer in time.
    func dot(clock: any HostClock, hiding secrets: SecretMask) async throws(ControlError) -> String? {
        guard let pipeline = build?.pipeline else { return nil }
        switch await LiveAnswer.run(clock: clock, { PipelineGraph.draw(pipeline, .everything, secrets) }) {
        case .answered(let text): return text
        case .late:
            throw ControlError(
                .busy,
                "pipeline \(name) is \(condition.rawValue), and an element did not tell its properties within "
                    + "\(LiveAnswer.deadline): its device may hang")
        }
    }
}
