import PluginKit
import Locking
import Synchronization

/// The ring between the streaming thread that fills it and the workers that read clips.
///
/// Lock: `state` is a leaf. The streaming thread holds it for one memcpy of a frame; everybody else for a chunk of at
/// most `chunkFrames` index entries (12 kB). Bytes are read outside of it, protected by the pin, so the stream never
/// waits for a file, nor for a copy of more than an index chunk.
final class ReplayStore: StreamTap {
    static let chunkFrames = 256

    private struct State: ~Copyable {
        var ring: GOPRing
        /// The formats that frames in the ring, or the next ones, have; newest last.
        var formats: [(number: UInt16, caps: String)] = []
        var formatNumber: UInt16 = 0
        var epoch: UInt32 = 0
    }

    private let slab: ByteSlab
    private let state: Locked<State>
    /// Which kinds of loss nobody has been told of yet.
    private let unreported = Atomic<UInt8>(0)
    private let reported = Atomic<UInt8>(0)
    private let notify: @Sendable () -> Void

    /// - Parameter notify: called on the streaming thread when a kind of loss happens for the first time.
    init(slab: ByteSlab, frameCapacity: Int, window: Int64, notify: @escaping @Sendable () -> Void) {
        self.slab = slab
        self.notify = notify
        state = Locked(State(ring: GOPRing(slab: slab, frameCapacity: frameCapacity, window: window)))
    }

    // MARK: Stream

    func epoch(_ epoch: StreamEpoch) {
        state.withLock { state in
            state.epoch = epoch.number
            state.ring.interrupt()
        }
    }

    /// The same caps as before keep their number: a restarted pipeline is no change of format.
    func format(_ id: UInt32, caps: Span<UInt8>) {
        let text = String(copying: caps)
        state.withLock { state in
            guard state.formats.last?.caps != text else { return }
            let oldest = state.ring.count > 0 ? state.ring[state.ring.tail].format : state.formatNumber
            if let used = state.formats.firstIndex(where: { $0.number == oldest }) {
                state.formats.removeFirst(used)
            }
            state.formatNumber &+= 1
            state.formats.append((state.formatNumber, text))
        }
    }

    func buffer(_ buffer: borrowing StreamBuffer) {
        var frame = Frame()
        frame.dts = buffer.dts?.nanoseconds ?? Frame.none
        frame.duration = buffer.durationNanoseconds ?? Frame.none
        frame.isKey = buffer.isKeyFrame
        let pts = buffer.pts?.nanoseconds
        let outcome = buffer.withBytes { bytes in
            state.withLock { state in
                frame.pts = pts ?? (frame.dts != Frame.none ? frame.dts : state.ring.newestEnd)
                frame.epoch = state.epoch
                frame.format = state.formatNumber
                return state.ring.append(bytes, frame)
            }
        }
        switch outcome {
        case .oversized(first: true): report(.oversized)
        case .held(first: true): report(.held)
        default: break
        }
    }

    // MARK: Losses

    enum Loss: UInt8 { case oversized = 1, held = 2 }

    private func report(_ loss: Loss) {
        guard reported.bitwiseOr(loss.rawValue, ordering: .relaxed).oldValue & loss.rawValue == 0 else { return }
        unreported.bitwiseOr(loss.rawValue, ordering: .releasing)
        notify()
    }

    /// The kinds of loss that happened for the first time since the last call.
    /// - Thread: main.
    func takeLosses() -> [Loss] {
        let bits = unreported.exchange(0, ordering: .acquiring)
        return [Loss.oversized, .held].filter { bits & $0.rawValue != 0 }
    }

    // MARK: Clips

    var status: RingStatus { state.withLock { $0.ring.status } }
    var saves: Int { state.withLock { $0.ring.pins.count } }
    var capacity: Int { slab.capacity }

    /// - Thread: main.
    func pin(last length: Int64?) -> (choice: GOPRing.Choice, caps: String) {
        state.withLock { state in
            let choice = state.ring.pin(last: length)
            guard case .clip(let clip) = choice else { return (choice, "") }
            return (choice, state.formats.first { $0.number == clip.format }?.caps ?? "")
        }
    }

    /// Fills `chunk` with the next pinned entries from `sequence` on and lets go of all before it.
    /// - Thread: worker.
    func read(_ clip: ClipRange, from sequence: UInt64, into chunk: inout [Frame]) {
        state.withLock { state in
            state.ring.pins.advance(clip.slot, to: sequence)
            state.ring.copyFrames(from: sequence, to: clip.end, into: &chunk, limit: Self.chunkFrames)
        }
    }

    /// Shows the bytes of a pinned frame.
    /// - Thread: worker.
    func withBytes<Result, Failure: Error>(
        of frame: Frame, scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch, body)
    }

    /// The end of a save. - Thread: any.
    func unpin(_ clip: ClipRange) {
        state.withLock { $0.ring.pins.remove(clip.slot) }
    }
}
