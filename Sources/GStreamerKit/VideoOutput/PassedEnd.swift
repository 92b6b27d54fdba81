internal import CGStreamer
import Locking
import Synchronization

/// The end of a hidden stream, told to what goes on behind its decoder.
///
/// A streamsynchronizer, as each playbin3 has one, lets no stream end before all have: without it the sound of a clip whose pictures
/// are hidden would never end. It keeps whoever brings the end until then; so a thread of its own does.
final class PassedEnd: Sendable {
    private let output: Pad
    private let carrier = Locked<Carrier?>(nil)

    private final class Carrier: Sendable {
        private enum Progress: UInt8, AtomicRepresentable {
            case telling, told, refused
        }

        private let peer: Pad
        private let progress = Atomic(Progress.telling)
        private let thread = Locked<Running?>(nil)

        // A thread of GLib's, joined once, by whoever took it out of the lock.
        private struct Running: @unchecked Sendable {
            let thread: UnsafeMutablePointer<GThread>
        }

        /// Taken at an earlier time, it is refused now where nothing has made it void.
        private let wasTold: Bool

        init(to peer: Pad, after before: Carrier?) {
            self.peer = peer
            wasTold = before.map { !$0.isRefused } ?? false
            let box = Unmanaged.passRetained(self).toOpaque()
            Handover.give(box)
            let begun = g_thread_new(
                "hidden-end",
                { context in
                    guard let context else { return nil }
                    Handover.take(context)
                    Unmanaged<Carrier>.fromOpaque(context).takeRetainedValue().tell()
                    return nil
                }, box)
            thread.withLock { $0 = begun.map { Running(thread: $0) } }
        }

        /// Nobody takes it where all behind is at rest.
        private func tell() {
            let isTaken = gst_pad_send_event(peer.pointer, gst_event_new_eos()) != 0
            progress.store(isTaken ? .told : .refused, ordering: .releasing)
        }

        var isUnderWay: Bool { progress.load(ordering: .acquiring) == .telling }
        var isRefused: Bool { progress.load(ordering: .acquiring) == .refused && !wasTold }

        func join() {
            let running = thread.withLock { running in
                defer { running = nil }
                return running
            }
            if let running { g_thread_join(running.thread) }
        }
    }

    /// - Parameter output: where the stream would come from if it were not held.
    init(behind output: Pad) { self.output = output }

    /// Once more where it was told before: a seek may have made that void, and nobody hears it twice.
    /// - Thread: any; does not wait.
    func pass() {
        let before = carrier.withLock { carrier -> Carrier? in
            guard carrier?.isUnderWay != true, let peer = output.peer else { return nil }
            let before = carrier
            carrier = Carrier(to: peer, after: before)
            return before
        }
        before?.join()
    }

    /// As if it had not been told: what follows is taken again.
    /// - Parameter flush: its number, the same for all streams: what mixes them waits for that of each.
    /// - Thread: worker, while the stream is held, or nothing flows.
    func takeBack(flush number: UInt32) {
        let taken = carrier.withLock { carrier in
            defer { carrier = nil }
            return carrier
        }
        guard let taken else { return }
        guard !taken.isRefused, let peer = output.peer else { return taken.join() }
        send(gst_event_new_flush_start(), number, to: peer)
        taken.join()
        send(gst_event_new_flush_stop(0), number, to: peer)
        // The flush has made it forget its segment: what it does not know is sent once more.
        gst_pad_unlink(output.pointer, peer.pointer)
        gst_pad_link_full(output.pointer, peer.pointer, GST_PAD_LINK_CHECK_NOTHING)
    }

    private func send(_ event: UnsafeMutablePointer<GstEvent>?, _ number: UInt32, to peer: Pad) {
        gst_event_set_seqnum(event, number)
        gst_pad_send_event(peer.pointer, event)
    }
}
