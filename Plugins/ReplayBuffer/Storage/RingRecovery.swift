/// What is found in the file of a ring: the longest run of frames that follow each other and are whole.
///
/// After the end of a process that is all of it. Pages of a file on a disk that were not yet written when the power went
/// are as they were before, each by itself: then the entries after the last commit are looked at, too, and the bytes of
/// frames at both ends, as far as the kernel may have kept them back.
struct RingRecovery {
    enum Finding {
        case found(RingRecovery)
        case damaged(String)
    }

    var commit: RingCommit
    var notes: RingNotes
    var notesCounter: UInt64
    /// Sequence numbers: of the oldest frame, of the oldest key frame, and after the newest one.
    var tail: UInt64
    var firstKey: UInt64
    var head: UInt64
    /// Where the bytes of the next frame go.
    var writePosition: UInt64 = 0
    /// Media time: where the next frame may begin; whatever the track, nothing lies beyond.
    var end: Int64 = 0
    /// The newest run of a frame.
    var epoch: UInt32 = 0
    /// Frames that counted and are not whole.
    var lost = 0

    var isEmpty: Bool { firstKey == head }

    /// How old, in media time, what is looked at is: four times what Linux keeps back by default
    /// (vm.dirty_expire_centisecs), in nanoseconds.
    static let unwritten: Int64 = 120_000_000_000

    /// - Parameter isAfterPowerCut: nobody knows which pages were written.
    static func read(_ place: RingPlace, isAfterPowerCut: (RingNotes) -> Bool) -> Finding {
        guard let commit = place.readCommit() else { return .damaged("neither of its two states is whole") }
        guard let (notes, counter) = RingNotes.read(place) else { return .damaged("neither of its two notes is whole") }
        guard commit.tail <= commit.firstKey, commit.firstKey <= commit.head, commit.head < 1 << 62,
            commit.head - commit.tail <= UInt64(place.layout.frames), commit.segmentTail <= commit.segmentHead,
            (1...64).contains(notes.pads.count)
        else { return .damaged("its state makes no sense") }
        var found = RingRecovery(
            commit: commit, notes: notes, notesCounter: counter, tail: commit.head, firstKey: commit.head,
            head: commit.head)
        found.look(place, isAfterPowerCut(notes))
        return .found(found)
    }

    private mutating func look(_ place: RingPlace, _ isAfterPowerCut: Bool) {
        let limit = isAfterPowerCut ? commit.head + UInt64(place.layout.frames) : commit.head
        var search = RunSearch()
        let ends = isAfterPowerCut ? Self.ends(place, commit) : nil
        var scratch: [UInt8] = []
        var sequence = commit.tail
        while sequence < limit {
            let frame = place.frame(sequence).flatMap { frame -> Frame? in
                guard isKnown(frame) else { return nil }
                if let ends, frame.pts < ends.old || frame.pts > ends.new,
                    !place.isWhole(frame, at: sequence, scratch: &scratch)
                {
                    return nil
                }
                return frame
            }
            if frame == nil {
                // Beyond the last commit the first that is none is the end.
                if sequence >= commit.head { break }
                lost += 1
            }
            search.see(frame, sequence)
            sequence += 1
        }
        take(search.longest, place)
    }

    private func isKnown(_ frame: Frame) -> Bool {
        guard Int(frame.track) < notes.pads.count else { return false }
        // 0: it had no caps.
        return frame.format == 0 || notes.formats.contains { $0.number == frame.format && $0.track == frame.track }
    }

    /// Between them are the frames that the kernel has written for sure.
    private static func ends(_ place: RingPlace, _ commit: RingCommit) -> (old: Int64, new: Int64) {
        let frames = (commit.tail..<commit.head)
        let oldest = frames.lazy.compactMap { place.frame($0)?.pts }.first
        let newest = frames.lazy.reversed().compactMap { place.frame($0)?.pts }.first
        return (oldest.map { $0 &+ unwritten } ?? .max, newest.map { $0 &- unwritten } ?? .min)
    }

    private mutating func take(_ run: Range<UInt64>, _ place: RingPlace) {
        lost += max(0, Int(commit.head - commit.tail) - lost - run.count)
        head = run.upperBound
        (tail, firstKey) = (head, head)
        guard let last = run.last.flatMap({ place.frame($0) }) else { return }
        writePosition = last.position &+ UInt64(last.size)
        let capacity = (bytes: UInt64(place.layout.slab), frames: UInt64(place.layout.frames))
        tail = run.lowerBound
        while tail < head,
            head - tail > capacity.frames
                || writePosition &- (place.frame(tail)?.position ?? 0) > capacity.bytes
        {
            tail += 1
        }
        firstKey = max(tail, min(commit.firstKey, head))
        while firstKey < head, place.frame(firstKey)?.isKey != true { firstKey += 1 }
        // Without a picture to begin with nothing can be shown.
        if firstKey == head { tail = head }
        measure(place)
    }

    private mutating func measure(_ place: RingPlace) {
        guard firstKey < head else { return }
        end = .min
        for sequence in firstKey..<head {
            guard let frame = place.frame(sequence) else { continue }
            epoch = max(epoch, frame.epoch)
            let length = frame.duration > 0 ? frame.duration : frame.track == 0 ? commit.lastStep : 0
            let (stop, isOver) = frame.pts.addingReportingOverflow(length)
            if !isOver { end = max(end, stop) }
        }
    }
}

/// Runs of frames each of which begins, in the slab, where the one before ends.
private struct RunSearch {
    private(set) var longest: Range<UInt64> = 0..<0
    private var current: Range<UInt64> = 0..<0
    private var position: UInt64 = 0

    /// - Parameter frame: nil where there is none that is whole.
    mutating func see(_ frame: Frame?, _ sequence: UInt64) {
        guard let frame else {
            current = sequence + 1..<sequence + 1
            return
        }
        if current.isEmpty || frame.position != position { current = sequence..<sequence }
        current = current.lowerBound..<sequence + 1
        position = frame.position &+ UInt64(frame.size)
        // Of two that are as long, the newer.
        if current.count >= longest.count { longest = current }
    }
}
