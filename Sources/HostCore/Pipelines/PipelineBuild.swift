internal import GStreamerKit
import Locking
import Synchronization

/// One build of a pipeline and what hangs on it: taps, gates, probes, the bus watch, the watch over its flow.
///
/// `letGo` must be called once the pipeline is in NULL; afterwards nothing of the build is alive but what others hold.
@HostActor
final class PipelineBuild {
    enum Course {
        /// To the place it begins at, if that is another than where its media do.
        case toItsBeginning
        /// Elsewhere, by its user: it does not go to where it was to begin any more.
        case elsewhere
        /// Its end is on its way, which a seek would take back.
        case toItsEnd
    }

    let pipeline: Pipeline
    let flow: FlowWatch
    /// Its streaming threads.
    let threads = StreamThreads()
    /// Whether it runs at the pace of the world: known from the change to PAUSED, at the latest when it plays.
    var isLive = false
    /// Whether it has reached PLAYING before.
    var hasPlayed = false
    /// Whether it has to go to where it begins before anything of it is to be heard.
    var hasYetToSeek = false
    /// Over its sinks until it goes to the place it begins at: what it prerolls with before is of another, and a screen would show it.
    private(set) var curtain: PictureCurtain?
    /// Seeks of its user that are under way. Each has a thread.
    var seeksUnderWay = 0
    private var seekNumber = 0
    /// The seek that its user asked for last; 0: nobody waits for that any more.
    private let newestSeek = Atomic<Int>(0)
    /// What flows may be of a place that it is about to leave: nothing of it is to be heard.
    var isElsewhere: Bool { hasYetToSeek || seeksUnderWay > 0 }
    /// Whether its end has not come in time, or cannot come: what waits for it is not to be waited for.
    var lacksItsEnd = false
    private var roundBegan = ClockTime.zero
    private var silentRounds = 0
    /// A short clip may go round many times before its first picture has left the queues; more than this is a source that
    /// seeks, but gives nothing.
    private static let mostSilentRounds = 200
    /// Where it is going. Who seeks holds this lock: one seek at a time, and none that undoes what came before it.
    let course = Locked(Course.toItsBeginning)
    /// Whether another build may be in its place: who comes late with a seek must not touch its taps.
    let isGone = Atomic<Bool>(false)
    /// Whether it was taken down because its media were over, and not for a failure.
    var isPlayedOut = false
    let questions = OpenQuestions()
    var buffering = BufferingLevel()
    var changes = AskedChanges()
    private let probes = Locked<[PadProbe]>([])
    private var firstBuffers: FirstBufferWatch?
    private var taps: [(tap: Tap, probe: PadProbe)] = []
    private var busWatch: BusWatch?

    init(_ pipeline: Pipeline, flow: FlowWatch) {
        self.pipeline = pipeline
        self.flow = flow
    }

    /// Shows nothing before it is told to; nothing of it flows yet.
    func cover() { curtain = PictureCurtain(over: pipeline) }

    /// A seek of its user begins, and overtakes those that have not got to their turn.
    /// - Returns: its number.
    func beginSeek() -> Int {
        seeksUnderWay += 1
        seekNumber += 1
        newestSeek.store(seekNumber, ordering: .releasing)
        return seekNumber
    }

    /// Whether a seek is the one that its user asked for last, and waits for. - Thread: worker.
    nonisolated func isNewest(_ seek: Int) -> Bool { newestSeek.load(ordering: .acquiring) == seek }

    /// Its user was told that it did not go there: that is to stay so.
    func giveUp(_ seek: Int) {
        _ = newestSeek.compareExchange(expected: seek, desired: 0, ordering: .acquiringAndReleasing)
    }

    nonisolated func hold(_ probe: PadProbe?) {
        if let probe { probes.withLock { $0.append(probe) } }
    }

    /// - Parameter closed: it hears nothing before the pad is flushed, or the tap is opened.
    /// - Returns: false where its client has to come back from a call first.
    func attach(_ tap: Tap, closed: Bool = false) throws(PipelineFailure) -> Bool {
        guard let element = pipeline.element(named: tap.pad.element), let pad = element.pad(named: tap.pad.pad) else {
            let pads = pipeline.element(named: tap.pad.element)?.padNames.joined(separator: ", ") ?? "none"
            throw PipelineFailure(
                code: "no-such-pad", element: tap.pad.element,
                message: "element \"\(tap.pad.element)\" has no pad \"\(tap.pad.pad)\" (it has \(pads))")
        }
        switch tap.attach(to: pad, closed: closed) {
        case .on(let probe):
            taps.append((tap, probe))
            return true
        case .isBusy: return false
        case .refused:
            throw PipelineFailure(
                code: "no-such-pad", element: tap.pad.element,
                message: "pad \"\(tap.pad.pad)\" of \"\(tap.pad.element)\" takes no tap")
        }
    }

    /// A round of a loop is over. False where another would be as empty as those before.
    func endRound(now: ClockTime) -> Bool {
        silentRounds = flow.hasFlowed(since: roundBegan) ? 0 : silentRounds + 1
        roundBegan = now
        return silentRounds < Self.mostSilentRounds
    }

    /// The taps on it.
    var listeners: [Tap] { taps.map(\.tap) }

    /// Lets taps hear that are closed.
    func openTaps() { for (tap, _) in taps { tap.open() } }

    /// The pads of those taps.
    func pads(of taps: [Tap]) -> [Pad] {
        taps.compactMap { pipeline.element(named: $0.pad.element)?.pad(named: $0.pad.pad) }
    }

    /// The tap is ending by itself.
    func forget(_ tap: Tap) { taps.removeAll { $0.tap === tap } }

    /// Calls back for the first buffer at each sink, those that join later included, from its streaming thread; watches the
    /// flow there, and has sound come in time.
    func watchSinks(onFirstBuffer handler: @escaping @Sendable (_ element: String, _ round: Int) -> Void) {
        let flow = flow
        let firstBuffers = FirstBufferWatch(onBuffer: handler)
        self.firstBuffers = firstBuffers
        let watch: @Sendable (Element) -> Void = { [weak self] sink in
            guard sink.isSink, !sink.isBin, let pad = sink.pad(named: "sink") else { return }
            let name = sink.name
            firstBuffers.add(name, pad)
            self?.hold(flow.add(FlowLane(name: name, pad: pad, group: nil)))
            self?.hold(SoundThread.follow(pad))
        }
        pipeline.onElementAdded(watch)
        for sink in pipeline.sinks { watch(sink) }
    }

    /// Those it has found so far.
    var sinkNames: [String] { firstBuffers?.names ?? [] }

    /// The next buffer at any sink is a first one again, told with this number.
    func awaitFirstBuffer() -> Int { firstBuffers?.arm() ?? 0 }

    /// Finds the places that are there only once it runs: the pads of muxers, and sources that turned out to be live.
    /// - Returns: whether there is a live source.
    func watchMuxersAndLiveSources() -> Bool {
        var hasLiveSource = false
        for element in pipeline.elements where !element.isBin {
            if element.kind.split(separator: "/").contains("Muxer") {
                for pad in element.pads where pad.isSink {
                    hold(flow.add(FlowLane(name: "\(element.name).\(pad.name)", pad: pad, group: nil)))
                }
            } else if element.isLiveSource {
                hasLiveSource = true
                guard let pad = element.pad(named: "src") else { continue }
                hold(flow.add(FlowLane(name: element.name, pad: pad, group: .source(element.name))))
            }
        }
        return hasLiveSource
    }

    /// Whether something leaves the process as a file or a stream, whose end must be written.
    var hasSomethingToFinalise: Bool { hasOutput(["Muxer", "Encoder", "File", "Network"]) }

    /// Whether media have reached it.
    var hasBegunToWrite: Bool { hasSomethingToFinalise && flow.hasFlowed(since: .zero) }

    /// Whether something leaves the process as a file or a stream.
    var writes: Bool { hasOutput(["Muxer", "File", "Network"]) }

    private func hasOutput(_ kinds: [String]) -> Bool {
        pipeline.elements.contains { element in
            let words = element.kind.split(separator: "/")
            return kinds.contains { words.contains(Substring($0)) } && !element.isSource
        }
    }

    /// The one reader of this build's bus.
    func watch(_ handler: @escaping @HostActor @Sendable (BusMessage) -> Void) {
        busWatch = pipeline.bus.watch { message in HostActor.assumeIsolated { handler(message) } }
    }

    func unwatch() {
        flow.suspend()
        busWatch?.cancel()
        busWatch = nil
    }

    func letGo() {
        unwatch()
        curtain?.lift()
        firstBuffers?.cancel()
        for probe in probes.withLock({ $0 }) { probe.cancel() }
        probes.withLock { $0 = [] }
        for (tap, probe) in taps { tap.remove(probe) }
        taps = []
    }
}
