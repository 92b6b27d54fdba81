import GStreamerKit
import HostTestKit

@testable import HostCore

/// Writes down what passes a tap.
final class TapListener: TapClient {
    enum Seen: Sendable, Equatable {
        case epoch(UInt32)
        case format(UInt32)
        case buffer(pts: ClockTime?, epoch: UInt32)
        case end
        case refused(String)
        case missed
        case detached
    }

    let seen = Recorder<Seen>()
    private let onBuffer: @Sendable () -> Void

    init(onBuffer: @escaping @Sendable () -> Void = {}) { self.onBuffer = onBuffer }

    func epoch(_ epoch: TapEpoch) { seen.record(.epoch(epoch.number)) }
    func format(id: UInt32, caps: Caps) { seen.record(.format(id)) }
    func buffer(_ buffer: borrowing TapBuffer) {
        seen.record(.buffer(pts: buffer.pts, epoch: buffer.epoch))
        flowing.continuation.finish()
        onBuffer()
    }
    func gap(pts: ClockTime, duration: ClockTime?) {}
    func endOfStream() { seen.record(.end) }
    func refused(_ failure: PipelineFailure) { seen.record(.refused(failure.message)) }
    func missed() { seen.record(.missed) }
    func detached() {
        seen.record(.detached)
        ended.continuation.finish()
    }

    private let flowing = AsyncStream.makeStream(of: Never.self)

    /// Returns when the first buffer was seen.
    func hasBuffer() async { for await _ in flowing.stream {} }

    private let ended = AsyncStream.makeStream(of: Never.self)

    /// Returns when `detached` was called.
    func isDetached() async { for await _ in ended.stream {} }
}
