internal import CGStreamer

/// The last buffers that have passed, which may still be to come for whoever begins anew after them: subtitles pass ahead of their time.
struct RecentBuffers {
    /// What is behind may have so many that nobody has seen yet: playbin's queue before its overlay takes three.
    private static let most = 8
    private var buffers: [HeldObject] = []

    /// It passes. One that comes to a second probe, too, is the same one.
    mutating func add(_ buffer: HeldObject) {
        guard buffers.last?.pointer != buffer.pointer else { return }
        buffers.append(HeldObject(retaining: buffer.raw))
        if buffers.count > Self.most { buffers.removeFirst().release() }
    }

    /// It was about to pass, and does not.
    mutating func takeBack(_ buffer: HeldObject) {
        if buffers.last?.pointer == buffer.pointer { buffers.removeLast().release() }
    }

    /// Gives all of them away, oldest first.
    mutating func takeAll() -> [HeldObject] {
        defer { buffers = [] }
        return buffers
    }

    mutating func removeAll() { for buffer in takeAll() { buffer.release() } }
}
