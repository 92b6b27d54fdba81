/// A ring that outlives its process: telling what counts, and taking on what a former process left.
extension GOPRing {
    /// All that was written so far counts from here on. - Thread: stream; allocates nothing.
    mutating func publish() {
        guard let place else { return }
        commits &+= 1
        var commit = RingCommit()
        commit.counter = commits
        (commit.tail, commit.firstKey, commit.head) = (tail, firstKey, head)
        (commit.leadFloor, commit.lastStep) = (leadFloor, lastStep)
        (commit.segmentTail, commit.segmentHead) = (segments.tail, segments.head)
        commit.nextIndex = segments.nextIndex
        commit.wall = lastWall
        place.write(commit)
    }

    /// Goes on where another ring in the same place ended; what comes next must start with a key frame.
    /// - Precondition: nothing was appended.
    mutating func restore(_ found: RingRecovery) {
        (tail, firstKey, head) = (found.tail, found.firstKey, found.head)
        // Segments lean on key frames that were there before.
        leadFloor = max(found.tail, min(found.commit.leadFloor, found.head))
        writePosition = found.writePosition
        commits = found.commit.counter
        lastStep = found.commit.lastStep
        lastWall = found.commit.wall
        link()
        newestEnd = gops > 0 ? endOfNewestGOP : 0
        restoreSegments(found.commit)
        interrupt()
        evictByAge()
        publish()
    }

    /// How far back its key frame is, of each frame, and how many each has.
    private mutating func link() {
        for sequence in firstKey..<head {
            if self[sequence].isKey {
                currentKey = sequence
                gops += 1
                index[slot(sequence)].link = 1
            } else {
                index[slot(sequence)].link = UInt32(truncatingIfNeeded: sequence - currentKey)
                index[slot(currentKey)].link += 1
            }
        }
    }

    private mutating func restoreSegments(_ commit: RingCommit) {
        let (first, end) = (firstKey, head)
        let (index, capacity) = (self.index, UInt64(frameCapacity))
        segments.restore(tail: commit.segmentTail, head: commit.segmentHead, nextIndex: commit.nextIndex) {
            entry, newer in
            guard entry.first >= first, entry.first < end, newer.map({ $0.first > entry.first }) ?? true else {
                return false
            }
            let key = index[Int(entry.first % capacity)]
            return key.isKey && key.pts == entry.segment.start && key.epoch == entry.segment.epoch
                && key.format == entry.format
        }
    }
}
