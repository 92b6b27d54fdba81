import PluginKit

/// One save, from a pinned range of the ring to a complete file.
///
/// The range was pinned on main when the command came, so the clip ends where the user asked, whatever waits in the pool.
/// Frames go one by one from the slab into the muxer: a second copy of the clip in memory would double what the user
/// configured. The pin follows chunk by chunk; a slow disk therefore holds the ring's oldest bytes for as long as it
/// takes, and only a ring that is full to its last byte then loses new frames (`held` in `status`).
///
/// Thread: worker.
struct SaveJob: Sendable {
    let store: ReplayStore
    let clip: ClipRange
    let request: SaveTask
    let makeWriter: ClipWriterFactory

    struct Totals: Sendable {
        var frames = 0
        var keyFrames = 0
        var audioFrames = 0
        /// Media time where the newest frame of the reference ends.
        var newest: Int64 = 0
    }

    /// Gives the pin back in every case. The answer is given by whoever gets the result.
    func run(_ watch: some SaveWatch) throws(PluginError) -> SavedClip {
        defer { store.unpin(clip) }
        let file = try ClipFile(path: request.path, overwrite: request.overwrite)
        let plan = look()
        let totals: Totals
        do throws(PluginError) {
            totals = try write(to: file.descriptor, plan, watch)
        } catch {
            // Whatever it was that broke off then, the user wanted it so.
            throw watch.isCancelled ? cancelled : error
        }
        if hides {
            guard let start = plan.shownStart else {
                throw PluginError("cannot save \(request.path): no picture begins in that range", code: .notFound)
            }
            let edits = EditList(start: plan.map.time(start), end: plan.map.time(plan.shownEnd - 1) + 1)
            try MovieFile.trim(file.descriptor, to: edits, request.path)
        }
        guard !watch.isCancelled else { throw cancelled }
        let size = file.size
        try file.commit()
        return result(totals, size, plan)
    }

    /// One pass over the index; nothing is let go of.
    private func look() -> ClipPlan {
        var plan = ClipPlan(
            clip, tracks: store.tracks, gaps: request.gaps, exact: request.exact,
            pauses: request.gaps == .restore ? store.pauses : [])
        let epochs = request.gaps == .restore ? store.epochs : EpochList()
        var chunk: [Frame] = []
        chunk.reserveCapacity(ReplayStore.chunkFrames)
        var next = clip.first
        while next < clip.end {
            store.read(clip, from: next, into: &chunk, releasing: false)
            guard !chunk.isEmpty else { break }
            for frame in chunk { plan.look(at: frame) { epochs.pause(before: $0) } }
            next += UInt64(chunk.count)
        }
        plan.finish()
        return plan
    }

    private func write(
        to descriptor: Int32, _ plan: ClipPlan, _ watch: some SaveWatch
    ) throws(PluginError) -> Totals {
        // Tracks that have nothing in the clip are not in the file.
        var places: [Int?] = []
        var tracks: [ClipTrack] = []
        var chunk: [Frame] = []
        chunk.reserveCapacity(ReplayStore.chunkFrames)
        var scratch: [UInt8] = []
        for track in plan.tracks {
            places.append(track == nil ? nil : tracks.count)
            guard let track else { continue }
            tracks.append(ClipTrack(caps: store.caps(track.format), first: []))
            guard request.container == .matroska else { continue }
            store.read(clip, from: track.first, into: &chunk, releasing: false)
            guard let first = chunk.first else { continue }
            tracks[tracks.count - 1].first = store.withBytes(of: first, scratch: &scratch) { Array($0) }
            tracks[tracks.count - 1].duration = first.duration == Frame.none ? nil : first.duration
        }
        let writer = try makeWriter(descriptor, request.container, tracks)
        defer { writer.stop() }
        var totals = Totals()
        var next = clip.first
        while next < clip.end {
            guard !watch.isCancelled else { throw cancelled }
            store.read(clip, from: next, into: &chunk)
            guard !chunk.isEmpty else { break }
            for frame in chunk {
                if plan.includes(frame, next), let place = places[Int(frame.track)] {
                    try write(frame, plan.map, to: writer, place, &totals, &scratch, watch)
                }
                // The muxer would wait for this track, and all of the others that comes wait in memory.
                if plan.isLast(next, of: frame.track), let place = places[Int(frame.track)] { writer.end(track: place) }
                next += 1
            }
            watch.progress(Double(next - clip.first) / Double(clip.end - clip.first))
        }
        try writer.finish { watch.isCancelled }
        return totals
    }

    private var cancelled: PluginError { PluginError("saving \(request.path) was cancelled", code: .cancelled) }

    private func write(
        _ frame: Frame, _ map: ClipTimeMap, to writer: any ClipWriter, _ place: Int, _ totals: inout Totals,
        _ scratch: inout [UInt8], _ watch: some SaveWatch
    ) throws(PluginError) {
        let pts = map.time(frame.pts)
        let unit = ClipUnit(
            pts: pts, dts: frame.dts == Frame.none ? nil : min(pts, map.decodeTime(frame.dts)),
            duration: frame.duration == Frame.none ? nil : frame.duration, isKey: frame.isKey || frame.track != 0)
        try store.withBytes(of: frame, scratch: &scratch) { (bytes) throws(PluginError) in
            try writer.write(bytes, unit, track: place) { watch.isCancelled }
        }
        guard frame.track == 0 else {
            totals.audioFrames += 1
            return
        }
        totals.frames += 1
        totals.keyFrames += frame.isKey ? 1 : 0
        totals.newest = max(totals.newest, frame.pts &+ max(0, frame.duration))
    }

    /// Whether the file can hide what is in it for the sake of other pictures only.
    private var hides: Bool { request.container == .mp4 }

    private func result(_ totals: Totals, _ size: Int, _ plan: ClipPlan) -> SavedClip {
        let start = hides ? plan.shownStart ?? clip.start : clip.start
        let end = hides ? plan.shownEnd : max(totals.newest, clip.start)
        let frames = hides ? plan.shownFrames : totals.frames
        return SavedClip(
            path: request.path, firstPTS: start, end: end,
            duration: .nanoseconds(end > start ? plan.map.time(end - 1) + 1 - plan.map.time(start) : 0),
            frames: frames, hiddenFrames: totals.frames - frames, bytes: .bytes(size), keyFrames: totals.keyFrames,
            audioFrames: totals.audioFrames, audioLeftOut: plan.leftOut,
            complete: clip.cut == nil && request.isAllThere, startsAt: clip.cut)
    }
}
