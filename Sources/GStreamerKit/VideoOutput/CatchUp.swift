internal import CGStreamer
import Locking
import Synchronization

/// After a decoder began anew: its first picture passes, so that one is to be seen at once; those that are over by now are dropped
/// before anybody converts them; with the first that is not, or with a flush, it is done.
///
/// Until then nobody upstream hears how late that first picture was: a decoder would leave out as much again.
final class CatchUp: Sendable {
    private let pad: Pad
    private let time: RunningTime
    private let hasShown = Atomic(false)
    private let probe = Locked<gulong>(0)

    private init(_ pad: Pad, _ time: RunningTime) { (self.pad, self.time) = (pad, time) }

    /// It ends by itself; who ends before that cancels it.
    /// - Parameter pad: the source pad of the decoder, where nothing flows yet.
    static func begin(on pad: Pad, time: RunningTime) -> CatchUp {
        let catchUp = CatchUp(pad, time)
        let box = Unmanaged.passRetained(catchUp)
        Handover.give(box.toOpaque())
        let mask =
            mh_gst_probe_data().rawValue | GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue
            | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
        let probe = gst_pad_add_probe(
            pad.pointer, GstPadProbeType(rawValue: mask),
            { _, info, context in
                guard let info, let context else { return GST_PAD_PROBE_OK }
                // The pad's own lock orders adding a probe, and its calls.
                Handover.take(context)
                defer { Handover.give(context) }
                return Unmanaged<CatchUp>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.see(info) }
            }, box.toOpaque(), { $0.map { Unmanaged<CatchUp>.fromOpaque($0).release() } })
        catchUp.probe.withLock { $0 = probe }
        return catchUp
    }

    /// - Thread: any; twice is harmless.
    func cancel() {
        let probe = probe.withLock { probe in
            defer { probe = 0 }
            return probe
        }
        if probe != 0 { gst_pad_remove_probe(pad.pointer, probe) }
    }

    private func see(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        guard let data = info.pointee.data else { return GST_PAD_PROBE_OK }
        let type = info.pointee.type.rawValue
        if type & GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue != 0 {
            let isQuality = mh_gst_event_type(data.assumingMemoryBound(to: GstEvent.self)) == GST_EVENT_QOS
            return isQuality ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
        if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0, isOver(data.assumingMemoryBound(to: GstBuffer.self)) {
            return hasShown.exchange(true, ordering: .relaxed) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
        // Taken off by what is returned, not by `cancel`.
        let isOn = probe.withLock { probe in
            defer { probe = 0 }
            return probe != 0
        }
        return isOn ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
    }

    private func isOver(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        guard let begin = pad.currentSegment?.runningTime(of: ClockTime(buffer.pointee.pts)) else { return false }
        return begin + (ClockTime(buffer.pointee.duration) ?? .zero) <= time.now
    }
}
