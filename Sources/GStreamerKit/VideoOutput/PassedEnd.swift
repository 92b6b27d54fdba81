internal import CGStreamer
import Locking

/// The end of a hidden stream, told to what goes on behind its decoder.
///
/// A streamsynchronizer, as each playbin3 has one, lets no stream end before all have: without it the sound of a clip whose pictures
/// are hidden would never end. It keeps whoever brings the end until then; so a thread of its own does.
final class PassedEnd: Sendable {
    private let output: Pad
    private let carrier = Locked<Carrier?>(nil)

    // A thread of GLib's, joined once, by whoever took it out of the lock.
    private struct Carrier: @unchecked Sendable {
        let thread: UnsafeMutablePointer<GThread>
    }

    /// - Parameter output: where the stream would come from if it were not held.
    init(behind output: Pad) { self.output = output }

    /// - Thread: any; does not wait.
    func pass() {
        carrier.withLock { carrier in
            guard carrier == nil, let peer = output.peer else { return }
            let box = Unmanaged.passRetained(peer).toOpaque()
            Handover.give(box)
            let thread = g_thread_new(
                "hidden-end",
                { context in
                    guard let context else { return nil }
                    Handover.take(context)
                    let peer = Unmanaged<Pad>.fromOpaque(context).takeRetainedValue()
                    // Nobody takes it where all behind is at rest.
                    gst_pad_send_event(peer.pointer, gst_event_new_eos())
                    return nil
                }, box)
            carrier = thread.map { Carrier(thread: $0) }
        }
    }

    /// As if it had not been told: what follows is taken again. - Thread: worker, while the stream is held, or nothing flows.
    func takeBack() {
        let taken = carrier.withLock { carrier in
            defer { carrier = nil }
            return carrier
        }
        guard let taken else { return }
        guard let peer = output.peer else {
            g_thread_join(taken.thread)
            return
        }
        gst_pad_send_event(peer.pointer, gst_event_new_flush_start())
        g_thread_join(taken.thread)
        gst_pad_send_event(peer.pointer, gst_event_new_flush_stop(0))
        // The flush has made it forget its segment: what it does not know is sent once more.
        gst_pad_unlink(output.pointer, peer.pointer)
        gst_pad_link_full(output.pointer, peer.pointer, GST_PAD_LINK_CHECK_NOTHING)
    }
}
