import GStreamerKit
import Synchronization

/// What an output has said of its time: when the next picture can be shown that nobody throws away.
///
/// Written by the output's streaming threads, read by a worker.
final class OutputTiming: Sendable {
    private let latency = Atomic<Int64>(0)
    private let earliest = Atomic<Int64>(0)
    /// A picture's duration; nanoseconds.
    private static let grace: Int64 = 50_000_000

    func hear(_ event: UpstreamEvent) {
        switch event {
        case .latency(let time): latency.store(time.nanoseconds, ordering: .relaxed)
        case .quality(let time, let late):
            // Decoders and filters throw away what is due before this once they have heard of something late: GstVideoDecoder and
            // GstBaseTransform count its lateness twice, the decoder adds a picture.
            let next = late > 0 ? time.nanoseconds &+ 2 &* late &+ Self.grace : 0
            earliest.store(next, ordering: .relaxed)
        default: break
        }
    }

    /// The running time that is shown now; what is due then and comes later is shown when it comes.
    func soonest(_ running: Int64) -> Int64 {
        max(0, running - latency.load(ordering: .relaxed), earliest.load(ordering: .relaxed))
    }
}
