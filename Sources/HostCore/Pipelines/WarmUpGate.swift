internal import GStreamerKit
import Locking

/// Drops the first frames after a start, before anything downstream sees them: cameras give dark ones. What is heard meanwhile is
/// dropped, too, so that sound and pictures begin at the same instant.
///
/// Raw frames are dropped before the encoder, which is then asked for a key frame; warm-up after the encoder left a delta
/// frame first in 3 of 3 runs (FACTS). On a pad that carries encoded video, dropping goes on up to the next key frame.
enum WarmUpGate {
    /// From when on sound passes, in running time: nil until the first frame that is kept, of whichever camera: one may be dead.
    private final class Opening: Sendable {
        let at = Locked<ClockTime?>(nil)
    }

    /// Puts the gates on the pads of a new build. Each takes itself off when it is done; a build that ends earlier cancels the
    /// results (a gate holds its pad).
    /// - Thread: main, before anything flows.
    static func install(_ plan: WarmUpPlan) -> [PadProbe] {
        guard plan.frames > 0 else { return [] }
        let opening = Opening()
        return plan.pads.compactMap { gate($0, plan, opening) }
            + plan.sound.compactMap { follow(opening, on: $0) }
    }

    private static func gate(_ pad: Pad, _ plan: WarmUpPlan, _ opening: Opening) -> PadProbe? {
        let progress = Locked(WarmUpProgress(frames: plan.frames, isForRawOnly: plan.isForRawOnly))
        return pad.addProbe { data in
            guard case .buffer(let buffer) = consume data else { return .pass }
            let isKey = !buffer.flags.contains(.delta)
            let step = progress.withLock { state in
                // Asked once, on the first frame: caps do not change during a warm-up.
                if state.isRaw == nil { state.isRaw = plan.isRaw(pad.currentCaps) }
                return state.next(isKey: isKey)
            }
            switch step {
            case .drop: return .drop
            case .dropAndAskForKey:
                pad.requestKeyFrameUpstream()
                return .drop
            case .open:
                if progress.withLock({ $0.isRaw == true }) { pad.requestKeyFrameDownstream() }
                let begin = pad.currentSegment?.runningTime(of: buffer.pts) ?? .zero
                opening.at.withLock { $0 = $0 ?? begin }
                return .passAndRemove
            }
        }
    }

    private static func follow(_ opening: Opening, on pad: Pad) -> PadProbe? {
        pad.addProbe { data in
            guard case .buffer(let buffer) = consume data else { return .pass }
            guard let begin = opening.at.withLock({ $0 }) else { return .drop }
            guard let time = pad.currentSegment?.runningTime(of: buffer.pts) else { return .passAndRemove }
            return time < begin ? .drop : .passAndRemove
        }
    }
}

/// How far a warm-up is: the decision without the pad.
struct WarmUpProgress {
    enum Step: Equatable {
        case drop
        case dropAndAskForKey
        case open
    }

    /// Nil until the first frame told.
    var isRaw: Bool?
    private var left: Int
    private let isForRawOnly: Bool
    private var hasAsked = false

    init(frames: Int, isRaw: Bool? = nil, isForRawOnly: Bool = false) {
        left = frames
        self.isForRawOnly = isForRawOnly
        self.isRaw = isRaw
    }

    mutating func next(isKey: Bool) -> Step {
        if isForRawOnly, isRaw == false { return .open }
        if left > 0 {
            left -= 1
            return .drop
        }
        if isRaw == true || isKey { return .open }
        if hasAsked { return .drop }
        hasAsked = true
        return .dropAndAskForKey
    }
}
