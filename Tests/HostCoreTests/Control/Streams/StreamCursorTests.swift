import Testing

@testable import HostCore

@Suite struct StreamCursorTests {
    private static func backlog(_ names: [String], most: Int = 100) -> StreamBacklog {
        var backlog = StreamBacklog(mostEntries: most, mostBytes: 1 << 20)
        for (index, name) in names.enumerated() { backlog.append(entry(index + 1, name)) { _ in } }
        return backlog
    }

    private static func entry(_ number: Int, _ name: String) -> StreamEntry {
        StreamEntry(sequence: UInt64(number), name: name, source: "host", json: [])
    }

    private static func all(_ cursor: StreamCursor, in backlog: StreamBacklog) -> [StreamCursor.Item] {
        var cursor = cursor
        var items: [StreamCursor.Item] = []
        while let item = cursor.take(from: backlog) { items.append(item) }
        return items
    }

    @Test func theLastAreCountedBehindTheFilter() {
        let backlog = Self.backlog(["a", "b", "a", "b", "a", "b"])
        let cursor = StreamCursor(
            .last(2), follows: false, filter: StreamFilter(patterns: [.name("a")]), boot: 1, in: backlog)
        #expect(Self.all(cursor, in: backlog) == [.entry(Self.entry(3, "a")), .entry(Self.entry(5, "a"))])
    }

    @Test func anotherBootGetsEverythingAndIsToldSo() {
        let backlog = Self.backlog(["a", "b"])
        let cursor = StreamCursor(
            .after(StreamPosition(boot: 2, sequence: 1)), follows: true, filter: .everything, boot: 1, in: backlog)
        #expect(
            Self.all(cursor, in: backlog) == [
                .gap(StreamGap(reason: .restart, lost: nil), before: 1), .entry(Self.entry(1, "a")),
                .entry(Self.entry(2, "b")),
            ])
    }

    @Test func whatAFilterLostLongAgoIsCountedByNobody() {
        let backlog = Self.backlog(["a", "b", "a", "b"], most: 2)
        let cursor = StreamCursor(
            .after(StreamPosition(boot: 1, sequence: 0)), follows: true, filter: StreamFilter(patterns: [.name("a")]),
            boot: 1, in: backlog)
        #expect(
            Self.all(cursor, in: backlog) == [
                .gap(StreamGap(reason: .expired, lost: nil), before: 3), .entry(Self.entry(3, "a")),
            ])
    }

    /// The latest number is no such: there is nothing behind it yet.
    @Test func aNumberFromTheFutureIsSaidAndAllThatIsThereFollows() {
        let backlog = Self.backlog(["a"])
        let latest = StreamCursor(
            .after(StreamPosition(boot: 1, sequence: 1)), follows: true, filter: .everything, boot: 1, in: backlog)
        #expect(Self.all(latest, in: backlog).isEmpty)
        let cursor = StreamCursor(
            .after(StreamPosition(boot: 1, sequence: .max)), follows: true, filter: .everything, boot: 1, in: backlog)
        #expect(
            Self.all(cursor, in: backlog) == [
                .gap(StreamGap(reason: .unknown, lost: nil), before: 1), .entry(Self.entry(1, "a")),
            ])
    }

    @Test func whoDoesNotFollowHearsOfNothingLater() {
        var backlog = Self.backlog(["a"])
        var cursor = StreamCursor(.oldest, follows: false, filter: .everything, boot: 1, in: backlog)
        backlog.append(Self.entry(2, "b")) { _ in }
        let first = cursor.take(from: backlog)
        let second = cursor.take(from: backlog)
        #expect(first == .entry(Self.entry(1, "a")))
        #expect(second == nil)
        #expect(cursor.isAtEnd(of: backlog))
    }

    @Test func aNumberThatIsLeftOutLosesNobodyElse() {
        var backlog = Self.backlog(["a", "b"])
        var cursor = StreamCursor(.oldest, follows: true, filter: .everything, boot: 1, in: backlog)
        backlog.append(Self.entry(9, "c")) { cursor.leaves($0) }
        #expect(backlog.count == 1 && backlog.first == 9 && backlog.next == 10)
        let items = Self.all(cursor, in: backlog)
        #expect(items == [.gap(StreamGap(reason: .slow, lost: 8), before: 9), .entry(Self.entry(9, "c"))])
    }

    // MARK: Filters and positions

    @Test func filtersAreReadAsTheyAreWritten() throws {
        #expect(try StreamFilter(names: nil, source: nil).isEverything)
        #expect(try StreamFilter(names: " , ", source: nil).isEverything)
        #expect(try StreamFilter(names: "a,*", source: nil).isEverything)
        #expect(try StreamFilter(names: "a.*, b", source: nil).patterns == [.prefix("a."), .name("b")])
        for wrong in ["a*", "*.a", "a.*.b", "a.**", Array(repeating: "a", count: 33).joined(separator: ",")] {
            #expect(throws: ControlError.self) { try StreamFilter(names: wrong, source: nil) }
        }
    }

    @Test func aSourceIsFoundByItsNameOrWithItsKind() {
        let filter = StreamFilter(patterns: [.all], source: "camera")
        func takes(_ source: String) -> Bool {
            filter.takes(StreamEntry(sequence: 1, name: "a", source: source, json: []))
        }
        #expect(takes("camera") && takes("pipeline camera"))
        #expect(!takes("camera2") && !takes("pipeline camera2") && !takes("my camera b") && !takes("host"))
    }

    @Test(arguments: [0, 1, 0xdead_beef, UInt64.max]) func positionsComeBack(number: UInt64) {
        let position = StreamPosition(boot: number, sequence: ~number)
        #expect(StreamPosition(position.text) == position)
        #expect(position.text.utf8.firstIndex(of: UInt8(ascii: "."))?.utf16Offset(in: position.text) == 16)
    }

    @Test(arguments: [
        "", ".", "1.1", "0000000000000001", "0000000000000001.", "0000000000000001.-1", "0000000000000001.+1",
        "+000000000000001.1", "000000000000000g.1", "0000000000000001.1.1", "0000000000000001.18446744073709551616",
    ])
    func whatIsNoPositionIsRefused(text: String) { #expect(StreamPosition(text) == nil) }
}
