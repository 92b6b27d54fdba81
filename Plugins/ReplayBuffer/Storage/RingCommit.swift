/// What of a ring's file counts: the few numbers that everything else is found by.
///
/// Two places are written in turn, each with a counter and a checksum over all of it. A process that is killed while it
/// writes one leaves the other as it was.
struct RingCommit: Equatable, Sendable {
    static let words = 14

    var counter: UInt64 = 0
    var tail: UInt64 = 0
    var firstKey: UInt64 = 0
    var head: UInt64 = 0
    var leadFloor: UInt64 = 0
    var lastStep: Int64 = 0
    var segmentTail: UInt64 = 0
    var segmentHead: UInt64 = 0
    var nextIndex: UInt64 = 0
    /// When the newest frame of the reference came.
    var wall = WallTimes()

    /// - Thread: stream.
    @inline(__always) func withWords<Result>(_ body: (borrowing InlineArray<14, UInt64>) -> Result) -> Result {
        var words: InlineArray<14, UInt64> = [
            counter, tail, firstKey, head, leadFloor, UInt64(bitPattern: lastStep), segmentTail, segmentHead, nextIndex,
            UInt64(bitPattern: wall.monotonic), UInt64(bitPattern: wall.boottime), UInt64(bitPattern: wall.realtime), 0,
            0,
        ]
        var digest: UInt64 = 0
        for index in 0..<13 { digest = RingDigest.mix(digest, words[index]) }
        words[13] = digest
        return body(words)
    }

    init() {}

    /// Nil where it is not whole.
    init?(_ words: UnsafePointer<UInt64>) {
        counter = words[0]
        (tail, firstKey, head, leadFloor) = (words[1], words[2], words[3], words[4])
        lastStep = Int64(bitPattern: words[5])
        (segmentTail, segmentHead, nextIndex) = (words[6], words[7], words[8])
        wall = WallTimes(
            monotonic: Int64(bitPattern: words[9]), boottime: Int64(bitPattern: words[10]),
            realtime: Int64(bitPattern: words[11]))
        guard counter > 0, words[12] == 0, withWords({ $0[13] }) == words[13] else { return nil }
    }
}
