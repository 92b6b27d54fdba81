/// Where everything lies in the file of a ring that outlives its process: version 1.
///
///     0        header       what this file is, and the numbers below; written last when it is made, never changed
///     1024     commit 0     what of the rest counts (`RingCommit`); the whole one with the larger counter holds
///     1280     commit 1
///     4096     notes 0      what belongs to the frames and seldom changes (`RingNotes`); likewise
///     …        notes 1
///     …        index        48 bytes for each frame (`Frame`), by sequence number modulo `frames`
///     …        seals        8 bytes for each: checksums of its index entry (low half) and of its bytes (high half)
///     …        segments     72 bytes for each (`SegmentTable.Entry`), by number modulo `segments`
///     …        slab         the bytes of the frames, by position modulo `slab`
///
/// Parts begin at multiples of 4096. Numbers are as the processor has them: the file is read where it was written.
struct RingLayout: Equatable, Sendable {
    static let version: UInt64 = 1
    /// "MHREPLAY".
    static let magic: UInt64 = 0x5941_4c50_4552_484d
    static let page = 4096
    static let commits = 1024
    static let commitStride = 256
    static let notesBytes = 128 << 10
    /// Smaller ones hold nothing worth it.
    static let least = 4 << 20
    /// Words of the header.
    static let headerWords = 8

    /// Index entries, entries of the segment table, and bytes for frames.
    let frames: Int
    let segments: Int
    let slab: Int

    enum Header: Equatable {
        /// Nothing but zeros: never used, or its making was not finished.
        case blank
        case layout(RingLayout)
        case unusable(String)
    }

    /// As much as fits in `total` bytes.
    /// - Parameter wanted: index entries that would be enough.
    init?(total: Int, wanted: Int, window: Int64) {
        guard total >= Self.least else { return nil }
        let each = MemoryLayout<Frame>.stride + MemoryLayout<UInt64>.stride
        let frames = max(2, min(wanted, total / 8 / each))
        let segments = GOPRing.segmentCapacity(window: window, frames: frames)
        let empty = RingLayout(frames: frames, segments: segments, slab: 0)
        guard let room = empty?.slabPlace, total / Self.page * Self.page > room else { return nil }
        self.init(frames: frames, segments: segments, slab: total / Self.page * Self.page - room)
    }

    /// Nil for what no file can have.
    init?(frames: Int, segments: Int, slab: Int) {
        let most = 1 << 46
        guard (2...most / 64).contains(frames), (2...most / 128).contains(segments), (0...most).contains(slab) else {
            return nil
        }
        (self.frames, self.segments, self.slab) = (frames, segments, slab)
    }

    var notesPlace: Int { Self.page }
    var indexPlace: Int { notesPlace + 2 * Self.notesBytes }
    var sealsPlace: Int { indexPlace + Self.pages(frames * MemoryLayout<Frame>.stride) }
    var segmentsPlace: Int { sealsPlace + Self.pages(frames * MemoryLayout<UInt64>.stride) }
    var slabPlace: Int { segmentsPlace + Self.pages(segments * SegmentTable.stride) }
    /// In bytes.
    var total: Int { slabPlace + slab }

    private static func pages(_ bytes: Int) -> Int { (bytes + page - 1) / page * page }

    var header: [UInt64] {
        var words: [UInt64] = [
            Self.magic, Self.version, UInt64(frames), UInt64(segments), UInt64(slab), UInt64(Self.notesBytes),
            UInt64(MemoryLayout<Frame>.stride) | UInt64(SegmentTable.stride) << 32,
        ]
        words.append(RingDigest.of(words))
        return words
    }

    /// - Parameter size: of the file, in bytes.
    static func read(_ words: [UInt64], size: Int) -> Header {
        guard words.count == headerWords else { return .unusable("it is too short") }
        if words.allSatisfy({ $0 == 0 }) { return .blank }
        guard words[0] == magic else { return .unusable("it is no replay buffer") }
        guard RingDigest.of(Array(words.dropLast())) == words[7] else { return .unusable("its header is damaged") }
        guard words[1] == version else {
            return .unusable("its layout has version \(words[1]); this is made for version \(version)")
        }
        guard
            let layout = RingLayout(
                frames: Int(clamping: words[2]), segments: Int(clamping: words[3]), slab: Int(clamping: words[4])),
            layout.slab > 0, layout.header == words
        else { return .unusable("its header makes no sense") }
        guard layout.total == size else {
            return .unusable("it has \(size) bytes and not the \(layout.total) that its header says")
        }
        return .layout(layout)
    }
}
