/// What the ring holds at one moment, for the window.
struct WindowLook: Sendable {
    /// Oldest first; the newest still grows.
    var segments: [Segment] = []
    /// The number of the oldest in the segment table.
    var firstNumber: UInt64 = 0
    /// The oldest key frame in the ring's index; all before it was evicted.
    var firstKey: UInt64 = 0
    /// Media time of it, and of the newest end.
    var oldest: Int64 = 0
    var newest: Int64 = 0
    /// Where the newest sound ends; nil where none was found among the newest frames, or none is kept.
    var soundEnd: Int64?
    var hasSound = false
    /// What the next frame gets: a place in the slab, and a number in the index.
    var writePosition: UInt64 = 0
    var head: UInt64 = 0
    var bounds = Bounds()

    struct Bounds: Equatable, Sendable {
        var window: Int64 = 0
        var bytes = 1
        var frames = 1
    }
}

/// What is in a segment that is complete.
struct WindowFacts: Equatable, Sendable {
    var sequence: UInt64
    var position: UInt64
    var picture: UInt16
    var sound: UInt16?
    /// Where its last picture ends, in media time, and how long nothing came before that.
    var shownEnd: Int64
    var missing: Int64
    /// When its last picture is decoded, in units of `Fragment.pictureScale`.
    var lastDecode: Int64
}

/// Which segments of the ring the window has, and which of them a playlist names.
///
/// A segment comes into the list when it is complete: the next one has begun, and its sound has come, too (or is more than
/// `patience` late). It is named until it is at risk: what would be evicted before a player that reads the playlist now has
/// fetched it, is still there for who knows it, and named no more.
///
/// A segment has the number that it has in the ring's table, in the next process too.
///
/// Pure.
struct WindowList: Sendable {
    /// How far sound may come behind its pictures: what a clip allows.
    static let patience: Int64 = 1_000_000_000
    /// What lies between two pictures without being a gap.
    static let leastGap: Int64 = 100_000_000

    /// No segment is longer, in seconds: 34 years.
    private static let longest: Int64 = 1 << 30

    /// All that can still be fetched, oldest first.
    private(set) var all: [WindowSegment] = []
    /// The first that is named.
    private(set) var firstNamed: UInt64
    private(set) var nextNumber: UInt64 = 0
    private(set) var discontinuity: UInt64 = 0
    private(set) var targetSeconds: Int64
    private(set) var mark: WindowMark
    /// Of the newest segment that there was.
    private var last: (end: Int64, shownEnd: Int64, decode: Int64, format: WindowFormat)?

    /// - Parameter mark: of the process before this one.
    init(after mark: WindowMark = WindowMark()) {
        self.mark = mark
        firstNamed = mark.firstNamed
        targetSeconds = min(max(1, mark.targetSeconds), Self.longest)
    }

    var named: ArraySlice<WindowSegment> { all[(all.firstIndex { $0.number >= firstNamed } ?? all.endIndex)...] }

    var playlist: WindowPlaylist {
        WindowPlaylist(
            segments: named, targetSeconds: targetSeconds, nextNumber: nextNumber, discontinuity: discontinuity)
    }

    func find(_ number: UInt64) -> WindowSegment? {
        guard let first = all.first, number >= first.number, number - first.number < UInt64(all.count) else {
            return nil
        }
        return all[all.startIndex + Int(number - first.number)]
    }

    /// - Parameter describe: looks into a complete segment; nil where it is not there any more.
    mutating func update(_ look: WindowLook, describe: (Segment, _ end: Int64) -> WindowFacts?) {
        all.removeAll { $0.sequence < look.firstKey }
        var found: [Found] = []
        for (number, segment) in zip(look.firstNumber..., look.segments.dropLast()) where number >= nextNumber {
            let end = segment.start &+ segment.duration
            guard isComplete(end, look) else { break }
            if let facts = describe(segment, end) {
                found.append(Found(segment: segment, number: number, end: end, facts: facts))
            }
        }
        let isFirst = last == nil
        // Without a frame of it nobody could say how it is decoded.
        let sound = isFirst && found.contains { $0.facts.sound == mark.sound } ? mark.sound : nil
        for one in found { append(one, sound) }
        if isFirst { countAsBefore(look) }
        forget(look)
        setMark()
    }

    private struct Found {
        var segment: Segment
        var number: UInt64
        var end: Int64
        var facts: WindowFacts
    }

    /// Discontinuities are numbered as they were by the process before this one.
    private mutating func countAsBefore(_ look: WindowLook) {
        guard !all.isEmpty else { return }
        // After a power cut the table may end earlier than it did.
        if firstNamed >= look.firstNumber &+ UInt64(look.segments.count) { firstNamed = look.firstNumber }
        guard let known = all.last(where: { $0.number <= mark.number }) ?? all.first,
            mark.discontinuity > known.discontinuity
        else { return }
        let before = mark.discontinuity - known.discontinuity
        for place in all.indices { all[place].discontinuity &+= before }
        discontinuity &+= before
    }

    private mutating func setMark() {
        (mark.firstNamed, mark.targetSeconds) = (firstNamed, targetSeconds)
        if let first = all.first { mark.sound = first.format.sound }
        guard let begin = all.last(where: { $0.before == nil }) else { return }
        (mark.number, mark.discontinuity) = (begin.number, begin.discontinuity)
    }

    private func isComplete(_ end: Int64, _ look: WindowLook) -> Bool {
        guard look.hasSound else { return true }
        return (look.soundEnd ?? .min) >= end || look.newest &- end >= Self.patience
    }

    /// - Parameter sound: what the segments before the first one had.
    private mutating func append(_ found: Found, _ sound: UInt16?) {
        let (segment, end, facts) = (found.segment, found.end, found.facts)
        if found.number != nextNumber {
            // Numbers in a playlist follow each other: some went before they were described.
            all.removeAll()
            firstNamed = max(firstNamed, found.number)
        }
        // Sound that is missing for a while is still to come: one track more is another format.
        let format = WindowFormat(picture: facts.picture, sound: facts.sound ?? last?.format.sound ?? sound)
        let goesOn =
            last.map { $0.end == segment.start && segment.start &- $0.shownEnd < Self.leastGap && $0.format == format }
            ?? true
        if !goesOn { discontinuity &+= 1 }
        // Up to the next segment, where that goes on from there.
        let behind = end &- facts.shownEnd
        let missing = facts.missing &+ (behind >= Self.leastGap ? behind : 0)
        let new = WindowSegment(
            number: found.number, start: segment.start, end: end, missing: missing, realtime: segment.wall.realtime,
            sequence: facts.sequence, position: facts.position, format: format, discontinuity: discontinuity,
            before: goesOn ? last?.decode : nil)
        all.append(new)
        nextNumber = found.number &+ 1
        last = (end, facts.shownEnd, max(facts.lastDecode, (new.before ?? .min)), format)
        targetSeconds = max(targetSeconds, min((new.duration &+ 999_999_999) / 1_000_000_000, Self.longest))
    }

    /// Names no more what would be gone before it was fetched: three target durations, and never more than a quarter of what
    /// there is.
    private mutating func forget(_ look: WindowLook) {
        let margin = min(3 * targetSeconds * 1_000_000_000, (look.newest &- look.oldest) / 4)
        let atRisk = named.prefix { Self.timeLeft(of: $0, look) < margin }
        if let number = atRisk.last?.number { firstNamed = max(firstNamed, number + 1) }
    }

    /// Names nothing up to there any more.
    mutating func forget(through number: UInt64) { firstNamed = max(firstNamed, number + 1) }

    /// How long it stays, if as much comes as came since: until it is older than the window, or the room is full.
    static func timeLeft(of segment: WindowSegment, _ look: WindowLook) -> Int64 {
        let age = max(0, look.newest &- segment.start)
        let share = max(
            Double(look.writePosition &- segment.position) / Double(max(1, look.bounds.bytes)),
            Double(look.head &- segment.sequence) / Double(max(1, look.bounds.frames)))
        let left = look.bounds.window &- age
        guard share > 0 else { return left }
        return min(left, Int64(min(9e17, Double(age) * (1 - share) / share)))
    }
}
