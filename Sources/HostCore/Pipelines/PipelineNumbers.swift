internal import GStreamerKit

/// What a pipeline has done since the host started, over all its builds.
struct PipelineNumbers: Sendable {
    private(set) var flow = FlowTotals()
    private(set) var quality = QualityTotals()
    private(set) var names = LastingNames()
    /// Pauses, switches of the mode, ends of the stream and ends of a build that were not there in time.
    var lateSteps = 0
    /// Of the streaming threads of builds that are gone.
    var processorTime = ClockTime.zero
    /// Of the present build, as it was last measured; nil: not measured.
    var latency: ClockTime?

    mutating func beginBuild(of description: PipelineDescription) {
        names = LastingNames(description.elementNames)
        quality.beginBuild()
    }

    mutating func update(_ element: String, dropped: UInt64?) {
        quality.update(element, as: names[element], dropped: dropped)
    }

    /// A build is over.
    @HostActor
    mutating func take(over build: PipelineBuild) {
        flow = flow.adding(build.flow.places, names)
        processorTime = processorTime + build.threads.time
        latency = nil
    }
}

extension PipelineController {
    /// What has passed its places, with the present build.
    var flowTotals: [String: FlowTotals.Count] {
        (build.map { numbers.flow.adding($0.flow.places, numbers.names) } ?? numbers.flow).counts
    }

    /// What its streaming threads have taken of the processors, with the present build.
    var processorTime: ClockTime { build.map { numbers.processorTime + $0.threads.time } ?? numbers.processorTime }

    /// Asks the elements on a worker, behind what changes them.
    func measureLatency() {
        guard let pipeline = build?.pipeline else { return }
        let number = buildNumber
        worker.submit { [weak self] in
            let latency = pipeline.latency
            HostActor.enqueue {
                guard let self, number == self.buildNumber, self.build != nil else { return }
                self.numbers.latency = latency
            }
        }
    }
}
