internal import CGStreamer
import Locking

/// Where the last queue before a sink gives its pictures out. While nobody is shown them, the queue goes on: each picture waits
/// here until it is over, and is dropped then. Who comes back meanwhile sees the one that waits, and what is behind it.
///
/// ```
///   open ──close──▶ closed ──part──▶ closed, apart ──join, open──▶ open
/// ```
///
/// Lock order: `state` is a leaf.
final class QueueOutlet: Sendable {
    private struct State {
        var isClosed = false
        /// It is about to go: nothing is waited for.
        var isLettingGo = false
        /// Counts the beginnings and ends of flushes: what waited before one is not given after it.
        var flushes = 0
        /// What was seen since it was closed: pictures in plain memory, and in that of a device or a display.
        var (sawPlain, sawForeign) = (false, false)
        /// So many pictures are still to come out that were made before what is behind began anew, where that asks whose memory to use.
        var older = 0
        var probe: PadProbe?

        /// A picture has come. What is to become of it at once; nil where it waits.
        mutating func see(isPlain: Bool) -> ProbeVerdict? {
            let isOlder = older > 0
            older -= isOlder ? 1 : 0
            guard !isClosed else {
                if isPlain { sawPlain = true } else { sawForeign = true }
                return isPlain ? nil : .drop
            }
            // A display that begins anew does not know its memory of before.
            if isOlder { return isPlain ? .pass : .drop }
            probe = nil
            return .passAndRemove
        }
    }

    /// The source pad of the queue.
    private let pad: Pad
    /// Where it goes on.
    private let peer: Pad
    private let time: RunningTime
    private let state = Locked(State())

    init?(_ pad: Pad, time: RunningTime) {
        guard let peer = pad.peer else { return nil }
        (self.pad, self.peer) = (pad, peer)
        self.time = time
    }

    /// Nothing passes from now on.
    /// - Parameter onIdle: called once, on any thread, when what passed before has arrived; must not wait.
    /// - Thread: any.
    func close(onIdle: @escaping @Sendable () -> Void) {
        // What is older stays so where it is opened again before what is behind has ended.
        state.withLock { ($0.isClosed, $0.sawPlain, $0.sawForeign) = (true, false, false) }
        // Also where there is a probe: what that has let pass counts as under way only when it has left it, and a new one is asked, too.
        stepBack()
        pad.whenIdle(onIdle)
    }

    /// What is behind is about to be ended. Whoever pushes into what has ended stops, and does not begin again by itself; what an
    /// unlinked pad says of its stream waits for the next link.
    /// - Thread: worker, when it is closed and idle.
    func part() { gst_pad_unlink(pad.pointer, peer.pointer) }

    /// What is behind has begun anew, and hears what the stream has said of itself. - Thread: worker.
    func join() {
        // To ask once more whose memory it is to use, a decoder waits until the queue is empty. Plain memory stays what it is.
        // Besides what waits in the queue: one that has come out of it, and one that waits for its place.
        let older = level + 2
        let asks = state.withLock { state in
            let asks = state.sawForeign || !state.sawPlain
            state.older = asks ? older : 0
            return asks
        }
        // Else the queue's thread sends it before the picture that it has in its hands, and counts as at rest between the two.
        var said = StickyEvents.of(pad.pointer)
        for event in said.inOrder where !event.isEnd {
            gst_mini_object_ref(event.pointer)
            gst_pad_send_event(peer.pointer, event.event)
        }
        said.removeAll()
        gst_pad_link_full(
            pad.pointer, peer.pointer, asks ? GST_PAD_LINK_CHECK_NOTHING : GST_PAD_LINK_CHECK_NO_RECONFIGURE)
    }

    /// How many pictures wait in the queue.
    private var level: Int { pad.leafElement?.text(of: "current-level-buffers").flatMap { Int($0) } ?? 0 }

    /// What waits passes, and all that comes after it. - Thread: any, when what is behind takes it.
    func open() {
        let probe = state.withLock { state -> PadProbe? in
            state.isClosed = false
            guard state.older == 0 else { return nil }
            defer { state.probe = nil }
            return state.probe
        }
        time.wake()
        probe?.cancel()
    }

    /// Nothing waits any more. - Thread: any.
    func letGo() {
        state.withLock { $0.isLettingGo = true }
        time.wake()
    }

    /// Comes after whoever has come to the pad, and must see what nobody is shown. - Thread: any.
    func stepBack() {
        guard state.withLock({ $0.isClosed }), let new = probe() else { return }
        let old = state.withLock { state -> PadProbe? in
            guard state.isClosed else { return new }
            defer { state.probe = new }
            return state.probe
        }
        old?.cancel()
    }

    private func probe() -> PadProbe? {
        pad.addProbe(events: true) { [weak self] data in
            guard let self else { return .pass }
            switch consume data {
            case .buffer(let picture):
                return self.keep(picture.pts, picture.duration, isPlain: picture.isInSystemMemory)
            case .event(let event):
                self.see(event)
                return .pass
            default: return .pass
            }
        }
    }

    private func see(_ event: StreamEvent) {
        switch event {
        case .flushStart, .flushStop:
            state.withLock { state in
                state.flushes += 1
                state.older = 0
            }
            time.wake()
        default: break
        }
    }

    /// Keeps a picture for as long as it may be the right one. - Thread: stream, where a sink would wait, too.
    private func keep(_ pts: ClockTime?, _ duration: ClockTime?, isPlain: Bool) -> ProbeVerdict {
        let (verdict, flushes) = state.withLock { ($0.see(isPlain: isPlain), $0.flushes) }
        if let verdict { return verdict }
        // What has no time is right at once, and over.
        let end = pts.flatMap { pad.currentSegment?.runningTime(of: $0) }.map { $0 + (duration ?? .zero) } ?? .zero
        time.waitPatiently(until: end, on: pad) {
            state.withLock { !$0.isClosed || $0.isLettingGo || $0.flushes != flushes }
        }
        return state.withLock { $0.isClosed || $0.flushes != flushes } ? .drop : .pass
    }
}
