internal import CGStreamer
import Locking

/// A built pipeline: owns the top-level element. Its end is explicit: bring it to `.null` before the last reference goes.
///
/// ```swift
/// let pipeline = try Pipeline(launch: "videotestsrc num-buffers=3 ! fakesink", name: "try")
/// pipeline.setState(.playing)
/// ```
public final class Pipeline: Sendable {
    public let element: Element
    public let bus: Bus
    /// While some of its sinks are at rest. A leaf; changed under `withStateLocked`, which a seek holds.
    let seekDetour = Locked<SeekDetour?>(nil)

    /// gst_parse refused the text, in its own words.
    public struct LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
        public var code: Int
        public var text: String
        /// Elements that do not exist.
        public var missingElements: [String]

        public var description: String { text }
    }

    /// Builds from a launch string. Nothing flows and no device is opened yet.
    /// - Thread: main or worker.
    public init(launch: String, name: String) throws(LaunchError) {
        let context = gst_parse_context_new()
        defer { gst_parse_context_free(context) }
        var failure: UnsafeMutablePointer<GError>?
        let parsed = gst_parse_launch_full(launch, context, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
        // Both may be set: a partial pipeline is of no use (FACTS).
        if let failure {
            defer { g_error_free(failure) }
            if let parsed {
                gst_object_ref_sink(parsed)
                gst_object_unref(parsed)
            }
            throw LaunchError(
                code: Int(failure.pointee.code), text: String(cString: failure.pointee.message),
                missingElements: Self.missing(context))
        }
        guard let parsed else { throw LaunchError(code: 0, text: "nothing to build", missingElements: []) }
        element = Self.topLevel(parsed, name: name)
        let object = UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstObject.self)
        guard let bus = gst_element_get_bus(element.pointer) else {
            throw LaunchError(code: 0, text: "the pipeline has no bus", missingElements: [])
        }
        self.bus = Bus(adopting: bus, pipeline: object)
    }

    public var name: String { element.name }

    /// Asks for a state. Going down can hang for ever on a stuck device.
    /// - Thread: worker; never a streaming thread (it would join itself), never main.
    @discardableResult
    public func setState(_ state: PipelineState) -> StateChangeResult {
        let ask = { StateChangeResult(gst_element_set_state(self.element.pointer, state.raw)) }
        guard state == .paused else { return ask() }
        return withStateLocked {
            guard hasLostState else { return ask() }
            // As a pipeline does it that goes from PLAYING to PAUSED: for its elements to know, and once more when they stand.
            let isPlaying = mh_gst_state_target(element.pointer) == GST_STATE_PLAYING
            gst_element_abort_state(element.pointer)
            if isPlaying { keepTime() }
            defer { if isPlaying { keepTime() } }
            return ask()
        }
    }

    /// While nobody asks for a state, or has asked and is not back.
    /// - Thread: worker.
    func withStateLocked<Result>(_ body: () -> Result) -> Result {
        g_rec_mutex_lock(&element.pointer.pointee.state_lock)
        defer { g_rec_mutex_unlock(&element.pointer.pointee.state_lock) }
        return body()
    }

    /// While one of its sinks comes back by itself and waits for its first buffer, the whole counts as PAUSED and all else plays.
    /// Asked for PAUSED then, a bin answers that it is on its way there, and the rest plays on (1.22). With that change called off it
    /// asks each of its elements; but it does not write down its running time, which would go on meanwhile.
    private var hasLostState: Bool { state() == (.pending, .paused) }

    /// The running time now is the one at which it stands. Nothing where nobody keeps it.
    private func keepTime() {
        let now = gst_element_get_current_running_time(element.pointer)
        if pausedAt != nil, ClockTime(now) != nil { gst_element_set_start_time(element.pointer, now) }
    }

    /// The state it is in now; waits at most `timeout` for a change under way.
    /// - Thread: worker, or any with a zero timeout.
    public func state(timeout: ClockTime = .zero) -> (result: StateChangeResult, current: PipelineState) {
        var current = GST_STATE_NULL
        let result = gst_element_get_state(element.pointer, &current, nil, ClockTime.raw(timeout))
        return (StateChangeResult(result), PipelineState(current) ?? .null)
    }

    /// Where its media come from: its own elements that only give data out, bins included. When each was sent EOS,
    /// `BusMessage.endOfStream` follows as soon as all sinks have it. Empty in a pipeline that has stopped: a source would keep
    /// the event for good (1.22).
    /// - Thread: any.
    public var origins: [Element] {
        switch state().current {
        case .null, .ready: return []
        case .paused, .playing: break
        }
        guard let iterator = gst_bin_iterate_sources(bin) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Element] = []
        forEachObject(iterator) { found.append(Element(retaining: $0.assumingMemoryBound(to: GstElement.self))) }
        return found
    }

    /// Has streaming threads come back from wherever they wait downstream: a flush without an end, after which nothing flows any
    /// more. A source that was sent EOS holds the lock of its state until its thread is back, and would keep the pipeline from
    /// going to NULL.
    /// - Thread: worker.
    public func letGoOfStreams() {
        for source in sources {
            for pad in source.pads where !pad.isSink { gst_pad_push_event(pad.pointer, gst_event_new_flush_start()) }
        }
    }

    /// An element by its name, in any depth.
    public func element(named name: String) -> Element? {
        gst_bin_get_by_name(bin, name).map { Element(adopting: $0) }
    }

    /// All elements in any depth, bins included.
    public var elements: [Element] {
        var found: [Element] = []
        guard let iterator = gst_bin_iterate_recurse(bin) else { return [] }
        defer { gst_iterator_free(iterator) }
        forEachObject(iterator) { found.append(Element(retaining: $0.assumingMemoryBound(to: GstElement.self))) }
        return found
    }

    /// Elements that are no bins and take data only in, or give it only out.
    public var sinks: [Element] { elements.filter { $0.isSink && !$0.isBin } }
    public var sources: [Element] { elements.filter { $0.isSource && !$0.isBin } }

    /// Both, sinks first: what has devices, files and connections.
    public var ends: [Element] { sinks + sources }

    /// Calls `handler` for each element that joins later, in any depth: playbin and autovideosink make theirs on the way to
    /// PAUSED. Lasts as long as the pipeline.
    /// - Thread: the handler runs on whichever thread adds the element.
    public func onElementAdded(_ handler: @escaping @Sendable (Element) -> Void) {
        let box = Unmanaged.passRetained(ElementAddedBox(handler))
        // The signal's lock orders connecting before its calls.
        Handover.give(box.toOpaque())
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> Void = { _, _, element, context in
            guard let element, let context else { return }
            Handover.take(context)
            let added = Element(retaining: element.assumingMemoryBound(to: GstElement.self))
            Unmanaged<ElementAddedBox>.fromOpaque(context).takeUnretainedValue().handler(added)
        }
        g_signal_connect_data(
            element.pointer, "deep-element-added", unsafeBitCast(callback, to: GCallback.self), box.toOpaque(),
            { context, _ in context.map { Unmanaged<ElementAddedBox>.fromOpaque($0).release() } },
            GConnectFlags(rawValue: 0))
    }

    /// Measured latency is redistributed; the answer to `BusMessage.latencyChanged`.
    /// - Thread: main or worker.
    public func recalculateLatency() { gst_bin_recalculate_latency(bin) }

    private var bin: UnsafeMutablePointer<GstBin> {
        UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstBin.self)
    }

    /// A launch string of one element gives that element: it gets a pipeline around it.
    private static func topLevel(_ parsed: UnsafeMutablePointer<GstElement>, name: String) -> Element {
        if mh_gst_is_pipeline(parsed) != 0 {
            gst_object_ref_sink(parsed)
            gst_object_set_name(UnsafeMutableRawPointer(parsed).assumingMemoryBound(to: GstObject.self), name)
            return Element(adopting: parsed)
        }
        guard let pipeline = gst_pipeline_new(name) else {
            gst_object_ref_sink(parsed)
            return Element(adopting: parsed)
        }
        gst_object_ref_sink(pipeline)
        gst_bin_add(UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self), parsed)
        return Element(adopting: pipeline)
    }

    private static func missing(_ context: OpaquePointer?) -> [String] {
        takeStrings(gst_parse_context_get_missing_elements(context))
    }
}

/// Owns the closure of a signal handler; released by GLib's destroy-notify.
private final class ElementAddedBox: Sendable {
    let handler: @Sendable (Element) -> Void
    init(_ handler: @escaping @Sendable (Element) -> Void) { self.handler = handler }
}

extension Element {
    /// Whether it holds other elements.
    public var isBin: Bool { mh_gst_is_bin(pointer) != 0 }
}
