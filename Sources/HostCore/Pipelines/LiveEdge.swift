public import GStreamerKit

/// Where "now" lies in media time: the place that a live display follows.
///
/// It moves through the newest frame of the reference stream as that frame lasts, and waits at its end for the next one. So it is
/// never further from the newest frame than that frame is long, whatever the clock of the capture does against the host's, and it
/// stands still while nothing comes: there is no offset between two clocks that could be wrong after a pause.
public struct LiveEdge: Sendable, Equatable {
    private var end: ClockTime?
    private var length = ClockTime.zero
    private var seen = ClockTime.zero

    public init() {}

    /// A frame of the reference stream has come.
    /// - Parameters:
    ///   - end: of the frame, in media time. One that ends before the newest changes nothing: B-frames come out of order.
    ///   - now: of any clock that runs while media flows; the same in every call.
    public mutating func advance(to end: ClockTime, length: ClockTime, now: ClockTime) {
        if let newest = self.end, end <= newest { return }
        (self.end, self.length, seen) = (end, length, now)
    }

    /// In media time; nil before the first frame.
    public func time(at now: ClockTime) -> ClockTime? {
        end.map { $0 - length + min(max(now - seen, .zero), length) }
    }
}
