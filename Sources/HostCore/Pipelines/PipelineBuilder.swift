internal import GStreamerKit

/// Builds what a description says. - Thread: worker; loading an element's plugin can take a while.
enum PipelineBuilder {
    static func build(_ description: PipelineDescription) throws(PipelineFailure) -> Pipeline {
        do throws(Pipeline.LaunchError) {
            return try Pipeline(launch: description.namedLaunch, name: description.name)
        } catch {
            throw PipelineFailure(
                code: "build-failed", message: "cannot build pipeline \(description.name): \(error.text)")
        }
    }
}
