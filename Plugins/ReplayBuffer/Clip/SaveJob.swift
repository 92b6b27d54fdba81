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
    let caps: String
    let path: String
    let container: Container
    let overwrite: Bool
    let makeWriter: ClipWriterFactory

    struct Totals: Sendable {
        var frames = 0
        var keyFrames = 0
        /// End of the newest frame written, from the clip's start.
        var end: Int64 = 0
    }

    /// Gives the pin back in every case.
    func run(_ reply: CommandReply<SavedClip>) {
        defer { store.unpin(clip) }
        do throws(PluginError) {
            let file = try ClipFile(path: path, overwrite: overwrite)
            let totals = try write(to: file.descriptor, reply)
            let size = file.size
            try file.commit()
            reply.succeed(result(totals, size))
        } catch {
            reply.reject(error)
        }
    }

    private func write(to descriptor: Int32, _ reply: CommandReply<SavedClip>) throws(PluginError) -> Totals {
        let writer = try makeWriter(descriptor, container, caps)
        defer { writer.stop() }
        var totals = Totals()
        var chunk: [Frame] = []
        chunk.reserveCapacity(ReplayStore.chunkFrames)
        var scratch: [UInt8] = []
        var next = clip.first
        while next < clip.end {
            guard !reply.isCancelled else { throw PluginError("saving \(path) was cancelled", code: .cancelled) }
            store.read(clip, from: next, into: &chunk)
            guard !chunk.isEmpty else { break }
            for frame in chunk { try write(frame, to: writer, &totals, &scratch) }
            next += UInt64(chunk.count)
            reply.progress(Double(next - clip.first) / Double(clip.end - clip.first))
        }
        try writer.finish()
        return totals
    }

    private func write(
        _ frame: Frame, to writer: any ClipWriter, _ totals: inout Totals, _ scratch: inout [UInt8]
    ) throws(PluginError) {
        // Pictures shown before the first key frame need the GOP before it, which is not in the clip.
        if !frame.isKey, totals.keyFrames == 1, frame.pts < clip.start { return }
        let unit = ClipUnit(
            pts: max(0, frame.pts &- clip.start), dts: frame.dts == Frame.none ? nil : frame.dts &- clip.start,
            duration: frame.duration == Frame.none ? nil : frame.duration, isKey: frame.isKey)
        try store.withBytes(of: frame, scratch: &scratch) { (bytes) throws(PluginError) in
            try writer.write(bytes, unit)
        }
        totals.frames += 1
        totals.keyFrames += frame.isKey ? 1 : 0
        totals.end = max(totals.end, unit.pts &+ max(0, unit.duration ?? 0))
    }

    private func result(_ totals: Totals, _ size: Int) -> SavedClip {
        SavedClip(
            path: path, firstPTS: clip.start, duration: .nanoseconds(max(totals.end, clip.finish &- clip.start)),
            frames: totals.frames, bytes: .bytes(size), keyFrames: totals.keyFrames, complete: clip.cut == nil,
            startsAt: clip.cut)
    }
}
