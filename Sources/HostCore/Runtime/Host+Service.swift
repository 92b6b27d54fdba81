internal import GStreamerKit

/// The host as the service manager sees it.
extension Host {
    /// Every pipeline that starts by itself.
    var serviceReport: [ServiceReport.Pipeline] {
        pipelines.controllers.map { ServiceReport.Pipeline(name: $0.name, state: $0.stateName) }
    }
}

extension PipelineController: ProgressSource {
    /// Stopping and pausing have deadlines of their own; a controller that is far beyond them does not act any more. All
    /// other states may last: what is wrong with the pipeline itself is no reason to end the process.
    public var isMakingProgress: Bool {
        ["stopping", "pausing"].contains(stateName) ? clock.monotonic() - since < .seconds(30) : true
    }
}
