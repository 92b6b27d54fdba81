internal import GStreamerKit

/// Whether a client takes its download fast enough to keep its place. The decision without sockets and clocks.
///
/// Only the time counts in which there was something for it and no room left: who sends rarely is not the client's fault.
/// - Thread: any. A value.
struct DownloadPace: Sendable {
    /// So much in so long at least: 1 KiB a second, far below any line on which somebody waits for a file.
    static let leastBytes: Int64 = 30 << 10
    static let span = ClockTime.seconds(30)

    private let leastBytes: Int64
    private let span: ClockTime
    private var waited = ClockTime.zero
    private var written: Int64 = 0
    private var queuedBefore: Int64 = 0

    init(leastBytes: Int64 = Self.leastBytes, span: ClockTime = Self.span) {
        self.leastBytes = leastBytes
        self.span = span
    }

    /// How long it may be waited for until it is looked at again.
    var patience: ClockTime { span - waited }

    /// The socket has taken these.
    mutating func wrote(_ bytes: Int) { written += Int64(bytes) }

    /// It was waited for.
    /// - Parameter queued: what the socket still holds of what was written to it.
    /// - Returns: whether it may stay.
    mutating func waited(_ time: ClockTime, queued: Int64) -> Bool {
        waited = waited + time
        guard waited >= span else { return true }
        let taken = written + queuedBefore - queued
        (waited, written, queuedBefore) = (.zero, 0, queued)
        return taken >= leastBytes
    }
}
