import Synchronization

/// The parts of a ring that outlives its process, in the memory they share with its file.
///
/// The order of writing is what makes a kill harmless at any instruction: frames and index entries go where nothing is that
/// counts, then a commit says that they do. Processes see memory in the order in which another one wrote it, so the compiler
/// is all there is to be told of that order. After a power cut there is no order; then checksums say what is whole.
// As `RingMapping`.
struct RingPlace: @unchecked Sendable {
    let mapping: RingMapping
    let layout: RingLayout
    let slab: ByteSlab
    let index: UnsafeMutablePointer<Frame>
    let seals: UnsafeMutablePointer<UInt64>
    let segments: UnsafeMutablePointer<SegmentTable.Entry>

    /// - Precondition: the mapping is as long as the layout.
    init(_ mapping: RingMapping, _ layout: RingLayout) {
        self.mapping = mapping
        self.layout = layout
        let base = mapping.base
        slab = ByteSlab(base + layout.slabPlace, capacity: layout.slab, owner: mapping)
        index = (base + layout.indexPlace).bindMemory(to: Frame.self, capacity: layout.frames)
        seals = (base + layout.sealsPlace).bindMemory(to: UInt64.self, capacity: layout.frames)
        segments = (base + layout.segmentsPlace).bindMemory(
            to: SegmentTable.Entry.self, capacity: layout.segments)
    }

    // MARK: Frames

    /// - Thread: stream.
    func seal(_ frame: Frame, at sequence: UInt64, _ bytes: RawSpan) {
        let digest = UInt32(truncatingIfNeeded: bytes.withUnsafeBytes { RingDigest.of($0) })
        let entry = RingDigest.of(frame, at: sequence, digest)
        seals[slot(sequence)] = UInt64(entry) | UInt64(digest) << 32
    }

    /// An index entry, where it is that of `sequence`.
    func frame(_ sequence: UInt64) -> Frame? {
        let frame = index[slot(sequence)]
        let seal = seals[slot(sequence)]
        guard RingDigest.of(frame, at: sequence, UInt32(seal >> 32)) == UInt32(truncatingIfNeeded: seal),
            Int(frame.size) <= layout.slab
        else { return nil }
        return frame
    }

    /// Whether the bytes of a frame are those that were written.
    func isWhole(_ frame: Frame, at sequence: UInt64, scratch: inout [UInt8]) -> Bool {
        let digest = slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch) { RingDigest.of($0) }
        return UInt32(truncatingIfNeeded: digest) == UInt32(seals[slot(sequence)] >> 32)
    }

    private func slot(_ sequence: UInt64) -> Int { Int(sequence % UInt64(layout.frames)) }

    // MARK: Commits

    /// All that was written so far counts from here on, as `commit` says. - Thread: stream.
    func write(_ commit: RingCommit) {
        let words = commitWords(commit.counter & 1)
        commit.withWords { (fresh: borrowing InlineArray<14, UInt64>) in
            for index in 0..<13 { words[index] = fresh[index] }
            Self.release(fresh[13], to: words + 13)
        }
        // What is written next may go where something was that counted until now.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
    }

    func readCommit() -> RingCommit? {
        let found = [RingCommit(commitWords(0)), RingCommit(commitWords(1))].compactMap { $0 }
        return found.max { $0.counter < $1.counter }
    }

    private func commitWords(_ number: UInt64) -> UnsafeMutablePointer<UInt64> {
        (mapping.base + RingLayout.commits + Int(number) * RingLayout.commitStride).assumingMemoryBound(to: UInt64.self)
    }

    static func release(_ word: UInt64, to place: UnsafeMutablePointer<UInt64>) {
        UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
            word, ordering: .releasing)
    }

    // MARK: Notes

    /// Three words before each: counter, length, checksum.
    func notes(_ number: UInt64) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: mapping.base + layout.notesPlace + Int(number) * RingLayout.notesBytes, count: RingLayout.notesBytes)
    }

    // MARK: The header

    /// The last step of making a file.
    func writeHeader() {
        let words = mapping.base.assumingMemoryBound(to: UInt64.self)
        for (index, word) in layout.header.enumerated().reversed() { Self.release(word, to: words + index) }
    }
}
