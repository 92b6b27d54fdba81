/// The host as the service manager sees it.
extension Host {
<<<<<<< HEAD
    /// Every pipeline that starts with the host.
    var serviceReport: [ServiceReport.Pipeline] {
        pipelines.controllers.filter(\.description.autostart).map {
            ServiceReport.Pipeline(name: $0.name, state: $0.condition.rawValue)
        }
    }
}

extension PipelineController: ProgressSource {
    /// Stopping and pausing have deadlines of their own; a controller that is far beyond them does not act any more. All
    /// other states may last: what is wrong with the pipeline itself is no reason to end the process.
    public var isMakingProgress: Bool {
        switch machine.state {
        case .draining, .closing, .changing(.paused): clock.monotonic() - stepBegan < .seconds(30)
        default: true
        }
=======
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
>>>>>>> system
    }
}
