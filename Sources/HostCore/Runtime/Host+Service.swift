/// The host as the service manager sees it.
extension Host {
    /// Every pipeline that starts by itself, or was started since.
    var serviceReport: [ServiceReport.Pipeline] {
        pipelines.controllers.map { ServiceReport.Pipeline($0) }
    }
}

extension ServiceReport.Pipeline {
    @HostActor
    init(_ controller: PipelineController) {
        let isRecovering = controller.condition == .recovering
        self.init(
            name: controller.name, state: controller.condition.rawValue,
            detail: isRecovering ? "attempt \(controller.restarts + 1)" : nil)
    }
}
