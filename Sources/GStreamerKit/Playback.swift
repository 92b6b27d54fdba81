internal import CGStreamer

/// Where a pipeline plays.
public struct Playback: Sendable, Equatable {
    /// From the beginning of its media; nil where it has none, or does not know.
    public var position: ClockTime?
    public var duration: ClockTime?
    /// 1 is the speed at which it was recorded.
    public var rate: Double
    public var isSeekable: Bool

    public init(position: ClockTime? = nil, duration: ClockTime? = nil, rate: Double = 1, isSeekable: Bool = false) {
        (self.position, self.duration, self.rate, self.isSeekable) = (position, duration, rate, isSeekable)
    }
}

/// A place to go on from.
public struct Seek: Sendable, Equatable {
    /// Nil: where it is.
    public var position: ClockTime?
    public var rate: Double
    /// Whether it goes to that very sample and picture; else to the key frame before it, which is faster.
    public var isAccurate: Bool
    /// Whether its end is told as `BusMessage.segmentDone`, as a loop wants it.
    public var isSegment: Bool

    public init(to position: ClockTime?, rate: Double = 1, isAccurate: Bool = true, isSegment: Bool = false) {
        (self.position, self.rate, self.isAccurate, self.isSegment) = (position, rate, isAccurate, isSegment)
    }
}

extension Pipeline {
    /// From the beginning of its media; nil where it has none, or does not know.
    /// - Thread: worker: an element that is stuck in its device may not answer.
    public var position: ClockTime? {
        var time: gint64 = 0
        guard gst_element_query_position(element.pointer, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
        return ClockTime(nanoseconds: Int64(time))
    }

    /// - Thread: worker: an element that is stuck in its device may not answer.
    public var playback: Playback {
        var playback = Playback(position: position)
        var time: gint64 = 0
        if gst_element_query_duration(element.pointer, GST_FORMAT_TIME, &time) != 0, time >= 0 {
            playback.duration = ClockTime(nanoseconds: Int64(time))
        }
        ask(gst_query_new_segment(GST_FORMAT_TIME)) { query in
            gst_query_parse_segment(query, &playback.rate, nil, nil, nil)
        }
        ask(gst_query_new_seeking(GST_FORMAT_TIME)) { query in
            var isSeekable: gboolean = 0
            gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
            playback.isSeekable = isSeekable != 0
        }
        return playback
    }

    /// Goes on from another place. What has gone downstream is thrown away, and running time begins anew. It is there when
    /// `hasArrived`.
    /// - Parameter isVoid: asked when it is its turn, which a change of state may keep it from: it does nothing then.
    /// - Thread: worker. False where the source cannot.
    public func seek(_ seek: Seek, unless isVoid: () -> Bool = { false }) -> Bool {
        var flags = GST_SEEK_FLAG_FLUSH.rawValue
        if seek.isSegment { flags |= GST_SEEK_FLAG_SEGMENT.rawValue }
        flags |=
            seek.isAccurate
            ? GST_SEEK_FLAG_ACCURATE.rawValue : GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
        guard let position = seek.position ?? playback.position else { return false }
        // As GStreamer does it where the whole is asked: a sink that loses its state while the pipeline is on its way to PLAYING may stay
        // in PAUSED for ever, and the pipeline says that it plays (1.22).
        return withStateLocked { !isVoid() && send(seek: seek.rate, GstSeekFlags(rawValue: flags), to: position) }
    }

    /// Waits until every sink has something of the place that it was sent to. False where that takes longer, or fails.
    /// - Parameter isOver: asked ten times a second; nobody waits any longer then.
    /// - Thread: worker.
    public func hasArrived(within limit: ClockTime, unless isOver: (() -> Bool)? = nil) -> Bool {
        func now() -> ClockTime { ClockTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000) }
        let end = now() + limit
        while true {
            let left = max(end - now(), .zero)
            switch state(timeout: isOver == nil ? left : min(left, .milliseconds(100))).result {
            case .success, .noPreroll: return true
            case .pending where left > .zero && isOver?() == false: break
            case .pending: return false
            // Who waits hears that, too, when another state is asked for meanwhile: it is on its way there then.
            case .failure where left > .zero && withStateLocked({ state().result != .failure }): break
            case .failure: return false
            }
        }
    }

    /// By all sinks, and by what stands in for those at rest. What several share follows the event once.
    func send(seek rate: Double, _ flags: GstSeekFlags, to position: ClockTime) -> Bool {
        let event = gst_event_new_seek(
            rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, gint64(position.nanoseconds), GST_SEEK_TYPE_NONE, -1)
        guard let event else { return false }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self)) }
        let detour = seekDetour.withLock { $0 }
        let sinks = sinks.filter { sink in detour?.sinks.contains { $0.pointer == sink.pointer } != true }
        let once = SeekOnce(event, in: elements)
        defer { once.end() }
        var answers: [gboolean] = []
        for sink in sinks {
            gst_event_ref(event)
            answers.append(gst_element_send_event(sink.pointer, event))
        }
        for pad in detour?.pads ?? [] {
            gst_event_ref(event)
            answers.append(gst_pad_send_event(pad.pointer, event))
        }
        return !answers.isEmpty && !answers.contains(0)
    }

    private func ask(_ query: UnsafeMutablePointer<GstQuery>?, _ read: (UnsafeMutablePointer<GstQuery>) -> Void) {
        guard let query else { return }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self)) }
        if gst_element_query(element.pointer, query) != 0 { read(query) }
    }
}
