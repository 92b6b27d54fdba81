/// What of the store outlives the process, where the ring does.
extension ReplayStore.State {
    /// - Parameter now: the clocks.
    init(_ opened: OpenedRing, window: Int64, now: WallTimes) {
        let tracks = opened.pads.count
        ring = GOPRing(opened.place, window: window, tracks: tracks)
        formats = TrackFormats(tracks: tracks)
        notes = NotesLog(
            opened.place, boot: opened.boot, pads: opened.pads, counter: opened.recovery?.notesCounter ?? 1)
        if let found = opened.recovery { restore(found, opened, now) } else { ring.commits = 1 }
        note()
        ring.publish()
    }

    private mutating func restore(_ found: RingRecovery, _ opened: OpenedRing, _ now: WallTimes) {
        ring.restore(found)
        formats = TrackFormats(found.notes)
        epochs = EpochList(found.notes.runs.map { EpochList.Entry(number: $0.number, pause: $0.pause) })
        formerEpochs = max(found.notes.epoch, found.epoch)
        epoch = formerEpochs
        lastEpoch = formerEpochs
        for gap in found.notes.gaps { gaps.add(from: gap.from, to: gap.to) }
        for pause in found.notes.pauses { pauses.add(pause) }
        notes.markers = found.notes.markers
        notes.lastMarker = found.notes.lastMarker
        notes.window = found.notes.window
        // What a power cut made one segment was several.
        if found.notes.boot != opened.boot { notes.window.targetSeconds = WindowMark().targetSeconds }
        guard !ring.isEmpty else { return }
        shift = TimelineShift(after: found.end)
        var last = ring.head - 1
        while last > ring.firstKey, ring[last].track != 0 { last -= 1 }
        let frame = ring[last]
        let length = ring.length(of: frame)
        position.restore(end: (frame.dts == Frame.none ? frame.pts : frame.dts) &+ length, length: length)
        // The clock that goes on in suspend begins anew with each boot.
        let wall = found.commit.wall
        let came = found.notes.boot == opened.boot ? wall.boottime : now.boottime &- (now.realtime &- wall.realtime)
        lastFrame = came &+ length
    }

    /// Writes down what seldom changes. - Thread: stream, main; under the lock.
    mutating func note() { notes.write(epoch: epoch, formats, epochs, gaps, pauses) }
}

extension ReplayStore {
    /// What a former process left. - Thread: main.
    var markers: Markers { state.withLock { Markers($0.notes.markers, last: $0.notes.lastMarker) } }

    /// - Thread: main.
    func keep(_ markers: Markers) {
        state.withLock { state in
            state.notes.markers = markers.all
            state.notes.lastMarker = markers.last
            state.note()
        }
    }
}
