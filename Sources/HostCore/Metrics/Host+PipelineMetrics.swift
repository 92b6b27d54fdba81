internal import GStreamerKit

/// What `GET /metrics` says of pipelines.
extension Host {
    var pipelineFamilies: [MetricFamily] { stateFamilies + flowFamilies + qualityFamilies }

    private var stateFamilies: [MetricFamily] {
        var state = MetricFamily("mediahost_pipeline_state", .gauge, "1 for the state that a pipeline is in.")
        var since = MetricFamily("mediahost_pipeline_state_seconds", .gauge, "How long it has been in this state.")
        var restarts = MetricFamily(
            "mediahost_pipeline_restarts_total", .counter, "New builds after an error or a stall.")
        var late = MetricFamily(
            "mediahost_pipeline_late_steps_total", .counter,
            "Pauses, switches of the mode, ends of the stream and ends of a build that were not there in time.")
        var latency = MetricFamily(
            "mediahost_pipeline_latency_seconds", .gauge, "How long data takes through the present build at least.")
        var processor = MetricFamily(
            "mediahost_pipeline_cpu_seconds_total", .counter,
            "What its streaming threads have taken of the processors.")
        let now = clock.monotonic()
        for pipeline in pipelines.controllers {
            for condition in PipelineCondition.allCases {
                state.add(
                    condition == pipeline.condition ? 1 : 0, ["pipeline": pipeline.name, "state": condition.rawValue])
            }
            since.add((now - pipeline.since).asSeconds, ["pipeline": pipeline.name])
            restarts.add(Double(pipeline.restarts), ["pipeline": pipeline.name])
            late.add(Double(pipeline.numbers.lateSteps), ["pipeline": pipeline.name])
            if let time = pipeline.numbers.latency { latency.add(time.asSeconds, ["pipeline": pipeline.name]) }
            processor.add(pipeline.processorTime.asSeconds, ["pipeline": pipeline.name])
        }
        return [state, since, restarts, late, latency, processor]
    }

    private var flowFamilies: [MetricFamily] {
        var buffers = MetricFamily(
            "mediahost_pipeline_buffers_total", .counter, "Buffers that came to a sink, a muxer or from a live source.")
        var bytes = MetricFamily("mediahost_pipeline_bytes_total", .counter, "The bytes of these buffers.")
        for pipeline in pipelines.controllers {
            // What looks alike without its secrets is one number.
            var totals = FlowTotals()
            for (place, count) in pipeline.flowTotals { totals.add(secrets.mask(place), count) }
            for (place, count) in totals.counts.sorted(by: { $0.key < $1.key }) {
                buffers.add(Double(count.buffers), ["pipeline": pipeline.name, "place": place])
                bytes.add(Double(count.bytes), ["pipeline": pipeline.name, "place": place])
            }
        }
        return [buffers, bytes]
    }

    private var qualityFamilies: [MetricFamily] {
        var dropped = MetricFamily(
            "mediahost_pipeline_dropped_total", .counter, "What an element has dropped to keep up, where it says so.")
        var messages = MetricFamily(
            "mediahost_pipeline_qos_total", .counter, "How often an element said that it is late.")
        for pipeline in pipelines.controllers {
            var counts = pipeline.numbers.quality.counts
            // A number that comes with its first step hides it from whoever asks for the change: sinks have theirs from the start.
            for sink in pipeline.build?.sinkNames ?? [] {
                let name = pipeline.numbers.names[sink]
                if counts[name] == nil { counts[name] = QualityTotals.Count(dropped: 0) }
            }
            let shown = Dictionary(counts.map { (secrets.mask($0.key), $0.value) }) { $0 + $1 }
            for (element, count) in shown.sorted(by: { $0.key < $1.key }) {
                if let number = count.dropped {
                    dropped.add(Double(number), ["pipeline": pipeline.name, "element": element])
                }
                messages.add(Double(count.messages), ["pipeline": pipeline.name, "element": element])
            }
        }
        return [dropped, messages]
    }
}
