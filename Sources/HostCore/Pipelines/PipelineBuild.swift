internal import GStreamerKit

/// One build of a pipeline and what hangs on it: taps, gates, first-buffer probes, the bus watch.
///
/// `letGo` must be called once the pipeline is in NULL; afterwards nothing of the build is alive but what others hold.
@HostActor
final class PipelineBuild {
    let pipeline: Pipeline
    private var probes: [PadProbe] = []
    private var taps: [Tap] = []
    private var busWatch: BusWatch?

    init(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func hold(_ probe: PadProbe?) {
        if let probe { probes.append(probe) }
    }

    func attach(_ tap: Tap) throws(PipelineFailure) {
        guard let element = pipeline.element(named: tap.pad.element), let pad = element.pad(named: tap.pad.pad) else {
            let pads = pipeline.element(named: tap.pad.element)?.padNames.joined(separator: ", ") ?? "none"
            throw PipelineFailure(
                code: "no-such-pad", element: tap.pad.element,
                message: "element \"\(tap.pad.element)\" has no pad \"\(tap.pad.pad)\" (it has \(pads))")
        }
        guard tap.attach(to: pad) else {
            throw PipelineFailure(
                code: "no-such-pad", element: tap.pad.element,
                message: "pad \"\(tap.pad.pad)\" of \"\(tap.pad.element)\" takes no tap")
        }
        taps.append(tap)
    }

    /// The tap is ending by itself.
    func forget(_ tap: Tap) { taps.removeAll { $0 === tap } }

    /// Calls back for the first buffer at each sink, those that join later included, from its streaming thread.
    func onFirstBuffer(_ handler: @escaping @Sendable (_ element: String) -> Void) {
        let watch: @Sendable (Element) -> Void = { sink in
            guard sink.isSink, !sink.isBin, let pad = sink.pad(named: "sink") else { return }
            let name = sink.name
            _ = pad.addProbe { _ in
                handler(name)
                return .passAndRemove
            }
        }
        pipeline.onElementAdded(watch)
        for sink in pipeline.sinks { watch(sink) }
    }

    /// The one reader of this build's bus.
    func watch(_ handler: @escaping @HostActor @Sendable (BusMessage) -> Void) {
        busWatch = pipeline.bus.watch { message in HostActor.assumeIsolated { handler(message) } }
    }

    func unwatch() {
        busWatch?.cancel()
        busWatch = nil
    }

    func letGo() {
        unwatch()
        for probe in probes { probe.cancel() }
        probes = []
        for tap in taps { tap.remove() }
        taps = []
    }
}
