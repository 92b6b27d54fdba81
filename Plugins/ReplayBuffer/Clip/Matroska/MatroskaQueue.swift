/// Puts frames of several tracks into one order. They come as they arrived, and one track may be seconds ahead of another; whoever seeks in a
/// file expects the sound of a place with its picture, and takes the first time in it for that of its beginning.
///
/// Pure.
struct MatroskaQueue {
    /// Of each track, what came last; nil before the first frame.
    private var reached: [Int64?]
    private var hasEnded: [Bool]
    private var frames: [MatroskaCluster.Frame] = []
    private var bytes = 0
    /// When to look for clusters: a look costs as much as there is.
    private var enough = Self.usual

    private struct Amount {
        /// Milliseconds.
        var time: UInt64
        var bytes: Int

        func isReached(by other: Amount) -> Bool { other.time >= time || other.bytes >= bytes }
    }

    private static let usual = Amount(time: 10_000, bytes: MatroskaCluster.mostBytes)
    /// What is missing of another track is not waited for any more.
    private static let most = Amount(time: 20_000, bytes: 2 * MatroskaCluster.mostBytes)

    init(tracks: Int) {
        reached = Array(repeating: nil, count: tracks)
        hasEnded = Array(repeating: false, count: tracks)
    }

    mutating func add(_ frame: MatroskaCluster.Frame, track: Int) {
        frames.append(frame)
        bytes += frame.bytes.count
        reached[track] = frame.order
    }

    mutating func end(track: Int) { hasEnded[track] = true }

    /// Whole clusters of what is complete, when there is enough of it.
    mutating func takeClusters() -> [MatroskaCluster] {
        let span = (frames.last?.order ?? 0) - (frames.first?.order ?? 0)
        let amount = Amount(time: span.magnitude, bytes: bytes)
        guard enough.isReached(by: amount) else { return [] }
        let isLate = Self.most.isReached(by: amount)
        let clusters = take(isLate ? .max : complete, isLast: isLate)
        enough =
            clusters.isEmpty ? Amount(time: amount.time + 1000, bytes: amount.bytes + (1 << 20)) : Self.usual
        return clusters
    }

    /// All that is left.
    mutating func finish() -> [MatroskaCluster] { take(.max, isLast: true) }

    /// Up to where no track has anything more to come.
    private var complete: Int64 {
        zip(reached, hasEnded).lazy.filter { !$0.1 }.map { $0.0 ?? .min }.min() ?? .max
    }

    private mutating func take(_ limit: Int64, isLast: Bool) -> [MatroskaCluster] {
        let sorted = frames.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element)
        var clusters: [MatroskaCluster] = []
        var open = MatroskaCluster()
        for frame in sorted.prefix(while: { $0.order <= limit }) {
            if open.ends(before: frame) {
                clusters.append(open)
                open = MatroskaCluster()
            }
            open.add(frame)
        }
        // The last one may get more.
        if isLast, !open.frames.isEmpty { clusters.append(open) }
        let taken = clusters.reduce(0) { $0 + $1.frames.count }
        frames = Array(sorted[taken...])
        bytes = frames.reduce(0) { $0 + $1.bytes.count }
        return clusters
    }
}
