internal import CGStreamer
import Locking
import Synchronization

/// What comes to the pad, on its streaming thread.
extension HeldStream {
    func listen() {
        let probe = probe()
        state.withLock { $0.probe = probe }
    }

    func probe() -> gulong {
        let mask =
            mh_gst_probe_data().rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
            | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
        let box = Unmanaged.passRetained(self)
        Handover.give(box.toOpaque())
        return gst_pad_add_probe(
            pad.pointer, GstPadProbeType(rawValue: mask),
            { _, info, context in
                guard let info, let context else { return GST_PAD_PROBE_OK }
                // The pad's own lock orders adding a probe, and its calls.
                Handover.take(context)
                defer { Handover.give(context) }
                return Unmanaged<HeldStream>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.see(info) }
            }, box.toOpaque(), { $0.map { Unmanaged<HeldStream>.fromOpaque($0).release() } })
    }

    private func see(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        let type = info.pointee.type.rawValue
        guard let data = info.pointee.data else { return GST_PAD_PROBE_OK }
        if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            return see(HeldObject(adopting: data)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        }
        if type & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
            let all = HeldObject(adopting: data)
            if let dropped = state.withLock({ $0.pass(list: all) }) { return info.passList(without: dropped) }
            var dropped: [guint] = []
            for index in 0..<gst_buffer_list_length(OpaquePointer(data)) {
                guard let buffer = gst_buffer_list_get(OpaquePointer(data), index) else { continue }
                if !see(HeldObject(adopting: buffer)) { dropped.append(index) }
            }
            return info.passList(without: dropped)
        }
        if type & GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue != 0 {
            let event = data.assumingMemoryBound(to: GstEvent.self)
            if mh_gst_flush_resets_time(event) != 0 { time.beginAnew() }
            let isStop = mh_gst_event_type(event) == GST_EVENT_FLUSH_STOP
            let passes = state.withLock { state in
                if isStop, state.takeBackNews() { onNews(.goesOn) }
                return state.flush()
            }
            time.wake()
            if passes { return GST_PAD_PROBE_OK }
            if let further = bypass?.peer {
                gst_mini_object_ref(HeldObject(adopting: data).pointer)
                gst_pad_send_event(further.pointer, event)
            }
            return GST_PAD_PROBE_DROP
        }
        return seeEvent(HeldObject(adopting: data))
    }

    /// Whether it passes. The buffer is borrowed.
    private func see(_ buffer: HeldObject) -> Bool {
        let (passes, news) = state.withLock { state -> (Bool, News?) in
            if state.mode == .passing { return (state.pass(buffer), nil) }
            guard isEncoded else { return (false, nil) }
            let isDue = state.keep(buffer, now: time.now) && state.mode == .holding && state.becomeDue()
            return (false, isDue ? .due(round: state.round) : nil)
        }
        if let news { onNews(news) }
        if !passes { pace(by: buffer) }
        return passes
    }

    /// Waits as a sink would, with more patience: what nobody shows must not be read to its end at once.
    private func pace(by buffer: HeldObject) {
        let (due, generation) = state.withLock { state -> (ClockTime?, Int) in
            guard let begin = state.time(of: buffer) else { return (nil, 0) }
            let end = begin + (ClockTime(buffer.buffer.pointee.duration) ?? .zero)
            state.end = max(state.end, end)
            // A demuxer brings it by itself, and must not wait: all the others would.
            let waits = !state.isSparse || state.queue.count > HeldStreamState.mostSparse
            let isHeld = state.mode == .holding || state.mode == .feeding && isEncoded
            return (isHeld && waits ? (isQueued ? end : begin) : nil, state.generation)
        }
        guard let due else { return }
        let isHurried = { [self] in hurries.load(ordering: .acquiring) > 0 }
        guard isEncoded else {
            let isPlain = BufferView(pointer: buffer.buffer).isInSystemMemory
            guard state.withLock({ $0.wait(with: buffer, isPlain: isPlain, generation) }) else { return }
            time.waitPatiently(until: due, on: pad) {
                isHurried() || state.withLock { $0.mode != .holding || $0.waiting == nil }
            }
            return state.withLock { $0.endWait() }
        }
        // Also while it feeds: whoever brings it brings the sound, which a sink wants ahead of its time.
        // What is live comes as much earlier as it is shown later, and must not wait.
        let begin = due - time.latency
        guard time.now + Self.mostAhead < begin else { return }
        // Also in a pause, in which nothing becomes due.
        time.waitPatiently(until: begin - Self.leastAhead, on: pad) {
            isHurried() || state.withLock { $0.mode == .passing || $0.generation != generation }
        }
    }

    private func seeEvent(_ event: HeldObject) -> GstPadProbeReturn {
        let isEnd = event.isEnd
        let (answer, tells, generation) = state.withLock { state -> (GstPadProbeReturn, Bool, Int) in
            if case .segment(let segment) = StreamEvent(event.event) { state.segment = segment }
            if state.mode == .passing {
                state.pass(event: event)
                guard state.mayRepeat, state.known.contains(event.event) else { return (GST_PAD_PROBE_OK, false, 0) }
                event.release()
                return (GST_PAD_PROBE_HANDLED, false, 0)
            }
            // The reference goes into the queue.
            let isNews = state.keepEvent(event)
            return (GST_PAD_PROBE_HANDLED, isNews && isEnd && state.mode == .holding, state.generation)
        }
        if tells {
            // A demuxer may bring that of subtitles by itself, long before their time, too; all streams must be over for it to count.
            time.waitPatiently(until: state.withLock { $0.isSparse ? .zero : $0.end }, on: pad) { [self] in
                hurries.load(ordering: .acquiring) > 0
                    || state.withLock { $0.mode != .holding || $0.generation != generation }
            }
            // A seek meanwhile has made it void.
            state.withLock { if $0.tellEnd(of: generation) { onNews(.end) } }
        }
        return answer
    }
}
