internal import CGStreamer
import Locking
import Synchronization

/// What a probe sees, borrowed for the call.
public enum ProbeData: ~Copyable {
    case buffer(BufferView)
    case event(StreamEvent)
    case upstream(UpstreamEvent)
    /// Anything a probe of this kind does not look into (buffer lists are taken apart before), or nothing at all.
    case other
}

/// The downstream events this house reacts to.
public enum StreamEvent: Sendable {
    case streamStart
    case caps(Caps)
    case segment(Segment)
    case gap(pts: ClockTime?, duration: ClockTime?)
    case endOfStream
    case flushStart
    case flushStop
    case other
}

/// The upstream events this house reacts to.
public enum UpstreamEvent: Sendable {
    /// How much later than its running time a live pipeline shows its data.
    case latency(ClockTime)
    /// A buffer of this running time was that late, in nanoseconds; early where negative.
    case quality(of: ClockTime, late: Int64)
    /// Its number is the same wherever it goes, and that of what follows from it.
    case seek(number: UInt32, inTime: Bool)
    case other
}

/// What happens to the data a probe saw.
public enum ProbeVerdict: Sendable {
    case pass
    case drop
    /// Pass, and take the probe off.
    case passAndRemove
    /// An event is at its end here: whoever sent it hears that it was done.
    case swallow
}

/// A probe on a pad, by `Pad.addProbe`. Cancelling twice is harmless; a probe whose token is dropped stays on.
public final class PadProbe: Sendable {
    private let pad: Pad
    private let id: gulong
    private let life: ProbeLife

    init(pad: Pad, id: gulong, life: ProbeLife) {
        self.pad = pad
        self.id = id
        self.life = life
    }

    /// Takes the probe off. A call that is running on a streaming thread finishes first or concurrently; `onRemoved`
    /// tells when none can follow.
    /// - Thread: any.
    public func cancel() {
        if life.end() { gst_pad_remove_probe(pad.pointer, id) }
    }
}

/// Whether a probe is still on its pad: GStreamer complains when one is taken off twice.
final class ProbeLife: Sendable {
    private let isOn = Atomic(true)

    /// True for the first caller.
    func end() -> Bool { isOn.exchange(false, ordering: .acquiringAndReleasing) }
}

/// Owns the closures of one probe; released by GStreamer's destroy-notify and nobody else.
final class ProbeBox {
    let handler: @Sendable (consuming ProbeData) -> ProbeVerdict
    let onRemoved: (@Sendable () -> Void)?
    let life = ProbeLife()

    init(handler: @escaping @Sendable (consuming ProbeData) -> ProbeVerdict, onRemoved: (@Sendable () -> Void)?) {
        self.handler = handler
        self.onRemoved = onRemoved
    }

    func handle(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        let type = info.pointee.type.rawValue
        guard let data = info.pointee.data else {
            // Two threads may tell of an idle pad at once: who adds the probe, and who has just left the pad and asks those before it.
            guard type & GST_PAD_PROBE_TYPE_IDLE.rawValue != 0, life.end() else { return GST_PAD_PROBE_OK }
            _ = handler(.other)
            return GST_PAD_PROBE_REMOVE
        }
        if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            Handover.take(data)
            // Whoever lets go of the last reference gives the memory to GLib's slices, which give it to the next buffer.
            defer { Handover.give(data) }
            return result(handler(.buffer(BufferView(pointer: data.assumingMemoryBound(to: GstBuffer.self)))), of: data)
        }
        if type & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
            return handleList(OpaquePointer(data), info)
        }
        if type & GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue != 0 {
            return result(handler(.upstream(UpstreamEvent(data.assumingMemoryBound(to: GstEvent.self)))), of: data)
        }
        if type & (GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue) != 0 {
            return result(handler(.event(StreamEvent(data.assumingMemoryBound(to: GstEvent.self)))), of: data)
        }
        return result(handler(.other), of: data)
    }

    func removed() {
        _ = life.end()
        onRemoved?()
    }

    /// Shows each buffer of a list. One that is to be dropped is taken out of a writable copy of the list.
    private func handleList(
        _ list: OpaquePointer, _ info: UnsafeMutablePointer<GstPadProbeInfo>
    ) -> GstPadProbeReturn {
        var dropped: [guint] = []
        var remove = false
        for index in 0..<gst_buffer_list_length(list) {
            guard let buffer = gst_buffer_list_get(list, index) else { continue }
            defer { Handover.give(UnsafeRawPointer(buffer)) }
            switch handler(.buffer(BufferView(pointer: buffer))) {
            case .pass: break
            case .drop, .swallow: dropped.append(index)
            case .passAndRemove: remove = true
            }
            if remove {
                _ = life.end()
                break
            }
        }
        let result = info.passList(without: dropped)
        return remove && result == GST_PAD_PROBE_OK ? GST_PAD_PROBE_REMOVE : result
    }

    private func result(_ verdict: ProbeVerdict, of data: UnsafeMutableRawPointer?) -> GstPadProbeReturn {
        switch verdict {
        case .pass: return GST_PAD_PROBE_OK
        case .drop: return GST_PAD_PROBE_DROP
        case .passAndRemove: return life.end() ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
        case .swallow:
            guard let data else { return GST_PAD_PROBE_OK }
            gst_mini_object_unref(data.assumingMemoryBound(to: GstMiniObject.self))
            return GST_PAD_PROBE_HANDLED
        }
    }
}

/// The one C callback of all probes. Fallback: the data passes.
func probeTrampoline(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context else { return GST_PAD_PROBE_OK }
    // The pad's own lock orders adding a probe, its calls, and its end.
    Handover.take(context)
    defer { Handover.give(context) }
    return Unmanaged<ProbeBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.handle(info) }
}

func probeDestroyed(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Handover.take(context)
    Unmanaged<ProbeBox>.fromOpaque(context).takeRetainedValue().removed()
}

extension StreamEvent {
    init(_ event: UnsafeMutablePointer<GstEvent>) {
        switch mh_gst_event_type(event) {
        case GST_EVENT_STREAM_START: self = .streamStart
        case GST_EVENT_CAPS:
            var caps: UnsafeMutablePointer<GstCaps>?
            gst_event_parse_caps(event, &caps)
            self = caps.map { .caps(Caps(retaining: $0)) } ?? .other
        case GST_EVENT_SEGMENT:
            var segment: UnsafePointer<GstSegment>?
            gst_event_parse_segment(event, &segment)
            self = segment.map { .segment(Segment($0.pointee)) } ?? .other
        case GST_EVENT_GAP:
            var pts: GstClockTime = 0
            var duration: GstClockTime = 0
            gst_event_parse_gap(event, &pts, &duration)
            self = .gap(pts: ClockTime(pts), duration: ClockTime(duration))
        case GST_EVENT_EOS: self = .endOfStream
        case GST_EVENT_FLUSH_START: self = .flushStart
        case GST_EVENT_FLUSH_STOP: self = .flushStop
        default: self = .other
        }
    }
}

extension UpstreamEvent {
    init(_ event: UnsafeMutablePointer<GstEvent>) {
        switch mh_gst_event_type(event) {
        case GST_EVENT_LATENCY:
            var latency: GstClockTime = 0
            gst_event_parse_latency(event, &latency)
            self = ClockTime(latency).map { .latency($0) } ?? .other
        case GST_EVENT_SEEK:
            var format = GST_FORMAT_UNDEFINED
            gst_event_parse_seek(event, nil, &format, nil, nil, nil, nil, nil)
            self = .seek(number: gst_event_get_seqnum(event), inTime: format == GST_FORMAT_TIME)
        case GST_EVENT_QOS:
            var late: GstClockTimeDiff = 0
            var time: GstClockTime = 0
            var kind = GST_QOS_TYPE_OVERFLOW
            gst_event_parse_qos(event, &kind, nil, &late, &time)
            // That asks for fewer buffers, and says nothing of one.
            guard kind != GST_QOS_TYPE_THROTTLE, let time = ClockTime(time) else {
                self = .other
                return
            }
            self = .quality(of: time, late: Int64(late))
        default: self = .other
        }
    }
}

extension UnsafeMutablePointer<GstPadProbeInfo> {
    /// The answer of a probe to a list of buffers of which some, by ascending index, do not pass: they are taken out of it, or of a
    /// writable copy. - Thread: stream.
    func passList(without dropped: [guint]) -> GstPadProbeReturn {
        guard !dropped.isEmpty, let list = pointee.data else { return GST_PAD_PROBE_OK }
        guard dropped.count < gst_buffer_list_length(OpaquePointer(list)) else { return GST_PAD_PROBE_DROP }
        let object = list.assumingMemoryBound(to: GstMiniObject.self)
        guard let writable = gst_mini_object_make_writable(object) else { return GST_PAD_PROBE_OK }
        for index in dropped.reversed() { gst_buffer_list_remove(OpaquePointer(writable), index, 1) }
        pointee.data = UnsafeMutableRawPointer(writable)
        return GST_PAD_PROBE_OK
    }
}
