internal import GStreamerKit
import Synchronization

/// One place of a build where buffers are counted: a sink's or a muxer's pad, or a live source's.
///
/// A buffer costs a clock read, three relaxed stores and two additions; only the first, and the first after a silence, wakes anybody.
final class FlowLane: Sendable {
    let name: String
    private let pad: Pad
    private let fixedGroup: FlowSample.Group?
    private let last = Atomic<Int64>(0)
    private let spacing = Atomic<Int64>(0)
    private let hasFlowed = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)
    private let buffers = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)
    private let wantsCall = Atomic<Bool>(true)

    /// - Parameter group: nil: by the caps that pass.
    init(name: String, pad: Pad, group: FlowSample.Group?) {
        self.name = name
        self.pad = pad
        fixedGroup = group
    }

    /// Begins to count. `onFlow` is called for the first buffer after each `rearm`.
    /// - Thread: main, or the one that added the element. - Returns: nil where the pad takes no probe.
    func install(clock: any HostClock, onFlow: @escaping @Sendable () -> Void) -> PadProbe? {
        pad.addProbe(events: true) { [self] data in
            switch consume data {
            case .buffer(let buffer):
                if let duration = buffer.duration { spacing.store(duration.nanoseconds, ordering: .relaxed) }
                buffers.wrappingAdd(1, ordering: .relaxed)
                bytes.wrappingAdd(buffer.byteCount, ordering: .relaxed)
                saw(clock.monotonic(), onFlow)
            // Silence in sound is told by gaps; a picture that is not there is not.
            case .event(.gap): if pad.currentCaps?.isVideo == false { saw(clock.monotonic(), onFlow) }
            case .event(.endOfStream):
                hasEnded.store(true, ordering: .relaxed)
                onFlow()
            case .event(.streamStart): hasEnded.store(false, ordering: .relaxed)
            case .event(.flushStop): hasEnded.store(false, ordering: .relaxed)
            default: break
            }
            return .pass
        }
    }

    /// - Thread: stream.
    private func saw(_ now: ClockTime, _ onFlow: () -> Void) {
        last.store(now.nanoseconds, ordering: .relaxed)
        hasFlowed.store(true, ordering: .relaxed)
        guard wantsCall.load(ordering: .relaxed) else { return }
        if wantsCall.exchange(false, ordering: .relaxed) { onFlow() }
    }

    /// What came so far does not count: the pipeline was told to play again.
    func forget() {
        hasFlowed.store(false, ordering: .relaxed)
        rearm()
    }

    /// Calls for the next buffer.
    func rearm() { wantsCall.store(true, ordering: .relaxed) }

    /// What has passed since the pipeline was built.
    var total: FlowTotals.Count {
        FlowTotals.Count(buffers: buffers.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed))
    }

    var sample: FlowSample {
        FlowSample(
            name: name, group: fixedGroup ?? Self.group(of: pad.currentCaps),
            hasFlowed: hasFlowed.load(ordering: .relaxed),
            last: ClockTime(nanoseconds: last.load(ordering: .relaxed)),
            spacing: ClockTime(nanoseconds: spacing.load(ordering: .relaxed)),
            // Not active: its pictures are hidden.
            isOver: hasEnded.load(ordering: .relaxed) || !pad.isLinked || !pad.isActive)
    }

    private static func group(of caps: Caps?) -> FlowSample.Group {
        guard let caps else { return .unknown }
        if caps.isVideo { return .video }
        return caps.mediaType?.hasPrefix("audio/") == true ? .audio : .other
    }
}
