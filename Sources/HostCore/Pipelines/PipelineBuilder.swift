internal import GStreamerKit

/// Builds what a description says. - Thread: worker; loading an element's plugin can take a while.
enum PipelineBuilder {
    static func build(_ description: PipelineDescription) throws(PipelineFailure) -> Pipeline {
        let pipeline: Pipeline
        do throws(Pipeline.LaunchError) {
            pipeline = try Pipeline(launch: description.namedLaunch, name: description.name)
        } catch {
            throw PipelineFailure(
                code: "build-failed", message: "cannot build pipeline \(description.name): \(error.text)")
        }
        for setting in description.properties { try apply(setting, to: pipeline) }
        if let latency = description.latency { pipeline.setLatency(latency) }
        return pipeline
    }

    private static func apply(_ setting: PropertySetting, to pipeline: Pipeline) throws(PipelineFailure) {
        let path = setting.path
        guard let element = pipeline.element(named: path.element) else {
            throw PipelineFailure(
                code: "build-failed", element: path.element,
                message: "properties: the pipeline has no element \"\(path.element)\"")
        }
        guard element.trySet(path.property, to: setting.value) else {
            throw PipelineFailure(
                code: "build-failed", element: path.element,
                message: "properties: \"\(path.property)\" cannot be set to \"\(setting.value)\"")
        }
    }
}
