/// The audio outputs as the host needs them.
extension Host {
    func makeOutputs() -> OutputService {
        let worker = SerialWorker(workers)
        return OutputService(lifecycle: lifecycle, events: events, clock: clock, log: log) {
            DeviceOutputMonitor(worker)
        }
    }

    /// What the config says; a host that was not started from a file has nothing to do with the machine's sound.
    var outputSettings: OutputSettings {
        var settings = configuration.outputs
        if source == nil { settings.watch = .off }
        return settings
    }

    var needsOutput: Bool { OutputDemand.isThere(in: configuration.pipelines) }
}
