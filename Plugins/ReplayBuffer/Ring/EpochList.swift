/// When each run of the pipeline began, and when the one before it had ended: how long a pause was by the clock.
///
/// The newest `limit` are kept.
struct EpochList: Sendable {
    struct Entry: Sendable {
        var number: UInt32
        /// How long nothing came before it, in nanoseconds; CLOCK_BOOTTIME, which goes on in suspend.
        var pause: Int64
    }

    private static let limit = 1024

    private(set) var entries: [Entry] = []

    init(_ entries: [Entry] = []) { self.entries = entries.suffix(Self.limit) }

    /// - Parameter lastFrame: when the end of the last frame before it was reached, on CLOCK_BOOTTIME; nil where there
    ///   was none.
    mutating func begin(_ number: UInt32, at boottime: Int64, lastFrame: Int64?) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(number: number, pause: lastFrame.map { max(0, boottime &- $0) } ?? 0))
    }

    func pause(before number: UInt32) -> Int64 { entries.last { $0.number == number }?.pause ?? 0 }
}
