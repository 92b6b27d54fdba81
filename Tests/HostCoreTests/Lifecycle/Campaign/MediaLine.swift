import GStreamerKit
import Locking

@testable import HostCore

/// The media time of one stream. Over every pause, stop and rebuild each buffer of the reference begins where the one before has
/// ended; one that follows another stream begins there or later, and never where the other one has not been: its phase is kept.
final class MediaLine: TapClient {
    struct Last: Sendable {
        var pts: ClockTime
        var end: ClockTime
        /// From running time to media time.
        var offset: ClockTime
        var epoch: UInt32
    }

    private struct State {
        var count = 0
        var last: Last?
        /// All that there were.
        var offsets: Set<ClockTime> = []
        /// Nothing has come for a while, because a test wanted it so: what comes next may come behind a gap.
        var isSilenced = false
        var faults: [String] = []
    }

    let name: String
    let element: String
    private let leader: MediaLine?
    private let state = Locked(State())

    init(_ name: String, _ element: String, leader: MediaLine? = nil) {
        self.name = name
        self.element = element
        self.leader = leader
    }

    var count: Int { state.withLock { $0.count } }
    var last: Last? { state.withLock { $0.last } }
    private var offsets: Set<ClockTime> { state.withLock { $0.offsets } }
    var faults: [String] {
        let others = leader.map { offsets.subtracting($0.offsets) } ?? []
        return state.withLock { $0.faults } + others.map { "\(name) \(element) was moved by \($0) alone" }
    }

    /// The next buffer may come behind a gap.
    func silence() { state.withLock { $0.isSilenced = true } }

    func epoch(_ epoch: TapEpoch) {}
    func format(id: UInt32, caps: Caps) {}
    func gap(pts: ClockTime, duration: ClockTime?) {}
    func endOfStream() {}
    func detached() {}

    func buffer(_ buffer: borrowing TapBuffer) {
        guard let pts = buffer.pts, let runningTime = buffer.runningTime, let duration = buffer.duration else { return }
        let (offset, epoch) = (pts - runningTime, buffer.epoch)
        state.withLock { state in
            state.count += 1
            state.offsets.insert(offset)
            let wasSilenced = state.isSilenced
            state.isSilenced = false
            defer { state.last = Last(pts: pts, end: pts + duration, offset: offset, epoch: epoch) }
            guard let last = state.last else { return }
            let beyond = pts - last.end
            // The clock turns on where anybody waits. Who did not get a processor for half a second of it has a real gap: in
            // running time it is as large, or larger where a pause came, whose part is taken away.
            if epoch == last.epoch, beyond > .milliseconds(500), offset <= last.offset { return }
            if wasSilenced, epoch == last.epoch, beyond > .zero, offset <= last.offset { return }
            // Who follows may lose what would overlap, and waits for the reference.
            if leader == nil ? abs(beyond.nanoseconds) <= 1 : beyond >= .zero - .milliseconds(1) { return }
            state.faults.append("\(name) \(element): \(pts) with \(offset), epoch \(epoch), after \(last)")
        }
    }
}
