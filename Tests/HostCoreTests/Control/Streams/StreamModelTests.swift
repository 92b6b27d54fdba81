import Testing

@testable import HostCore

/// A backlog and its clients against a model that keeps everything: no client misses, repeats or reorders what it was not
/// told of as lost, and what it was told of is counted to the last one.
@Suite struct StreamModelTests {
    /// A client of the model: all it is owed, with what has left the backlog meanwhile replaced by a number.
    private struct Reader {
        var cursor: StreamCursor
        let filter: StreamFilter
        /// Numbers it has not seen, the oldest first.
        var owed: [UInt64] = []
        var lost: UInt64 = 0
    }

    private static func filter(_ random: inout SeededRandom) -> StreamFilter {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .everything
        case 1: StreamFilter(patterns: [.name("a.x")])
        case 2: StreamFilter(patterns: [.prefix("a."), .name("b.y")])
        default: StreamFilter(patterns: [.all], source: "one")
        }
    }

    @Test(arguments: 1...40) func everythingComesOrIsCounted(round: Int) throws {
        let seed = UInt64.random(in: 0..<1 << 32) &+ UInt64(round)
        var random = SeededRandom(seed: seed)
        let most = Int.random(in: 1...12, using: &random)
        let mostBytes = Bool.random(using: &random) ? 1 << 20 : 400
        var backlog = StreamBacklog(mostEntries: most, mostBytes: mostBytes)
        var readers: [Reader] = []
        var told: [StreamEntry] = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where readers.count < 6:
                let filter = Self.filter(&random)
                readers.append(
                    Reader(
                        cursor: StreamCursor(.now, follows: true, filter: filter, boot: 1, in: backlog), filter: filter)
                )
            case 1..<6:
                let entry = StreamEntry(
                    sequence: UInt64(told.count) + 1,
                    name: ["a.x", "a.y", "b.x", "b.y"].randomElement(using: &random) ?? "",
                    source: ["one", "two"].randomElement(using: &random) ?? "",
                    json: Array(repeating: 0x20, count: Int.random(in: 0...100, using: &random)))
                told.append(entry)
                for index in readers.indices where readers[index].filter.takes(entry) {
                    readers[index].owed.append(entry.sequence)
                }
                backlog.append(entry) { gone in
                    for index in readers.indices {
                        readers[index].cursor.leaves(gone)
                        if readers[index].owed.first == gone.sequence {
                            readers[index].owed.removeFirst()
                            readers[index].lost += 1
                        }
                    }
                }
                #expect(backlog.count <= most, "seed \(seed)")
                #expect(backlog.count >= 1, "seed \(seed)")
            default:
                guard !readers.isEmpty else { continue }
                let index = Int.random(in: 0..<readers.count, using: &random)
                let item = readers[index].cursor.take(from: backlog)
                switch item {
                case nil:
                    #expect(readers[index].owed.isEmpty && readers[index].lost == 0, "seed \(seed)")
                case .gap(let gap, let before):
                    #expect(gap == StreamGap(reason: .slow, lost: readers[index].lost), "seed \(seed)")
                    #expect(before <= readers[index].owed.first ?? .max, "seed \(seed)")
                    readers[index].lost = 0
                case .entry(let entry):
                    #expect(readers[index].lost == 0, "seed \(seed)")
                    try #require(!readers[index].owed.isEmpty, "seed \(seed)")
                    #expect(entry == told[Int(readers[index].owed.removeFirst()) - 1], "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: 1...40) func whoComesBackGetsTheRest(round: Int) {
        let seed = UInt64.random(in: 0..<1 << 32) &+ UInt64(round)
        var random = SeededRandom(seed: seed)
        let most = Int.random(in: 1...10, using: &random)
        var backlog = StreamBacklog(mostEntries: most, mostBytes: 1 << 20)
        let count = UInt64.random(in: 0...30, using: &random)
        for number in 0..<count {
            backlog.append(StreamEntry(sequence: number + 1, name: "a.x", source: "one", json: [])) { _ in }
        }
        let seen = UInt64.random(in: 0...32, using: &random)
        var cursor = StreamCursor(
            .after(StreamPosition(boot: 1, sequence: seen)), follows: false, filter: .everything, boot: 1, in: backlog)
        let oldest = count - min(count, UInt64(most)) + 1
        var expected: [StreamCursor.Item] = []
        let isUnknown = seen > count
        if isUnknown { expected.append(.gap(StreamGap(reason: .unknown, lost: nil), before: oldest)) }
        if seen + 1 < oldest {
            expected.append(.gap(StreamGap(reason: .expired, lost: oldest - seen - 1), before: oldest))
        }
        let first = isUnknown ? oldest : max(seen + 1, oldest)
        for number in stride(from: first, through: max(count, 0), by: 1) where number <= count {
            expected.append(.entry(StreamEntry(sequence: number, name: "a.x", source: "one", json: [])))
        }
        var got: [StreamCursor.Item] = []
        while let item = cursor.take(from: backlog) { got.append(item) }
        #expect(got == expected, "seed \(seed)")
        let isAtEnd = cursor.isAtEnd(of: backlog)
        #expect(isAtEnd, "seed \(seed)")
    }
}

/// Numbers that come again for the same seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
