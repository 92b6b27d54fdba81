internal import CGStreamer

/// The end of a held stream: who has heard of it, and who is told.
extension HeldStreamState {
    /// The end of the stream is what comes last, whoever has heard of it: it waits to be given to what begins anew.
    /// - Returns: what is news where there is one. What has heard it takes it only when it has begun anew.
    mutating func takeBackEnd() -> [HeldStream.News] {
        let wasGiven = keepEnd()
        guard queue.last?.isEnd == true else { return [] }
        if wasGiven { becomeDue() }
        hasToldEnd = true
        return wasGiven ? [.due(round: round), .end] : [.end]
    }

    /// A pad remembers an end before anybody has a say in it: decodebin3 keeps that of each stream until all have ended, and then
    /// brings another. One that is under way since before anybody listened comes with `hearEnd`.
    mutating func forgetEndThatWasKeptBack() {
        if !hasPassedEnd, !known.contains(GST_EVENT_EOS) { before.take(GST_EVENT_EOS)?.release() }
    }

    /// What comes after is at rest, and knows this end: it was under way since before the `hold` of that number.
    /// - Parameter end: taken over.
    /// - Returns: what is news where there is one.
    mutating func hearEnd(_ end: HeldObject, round: Int) -> [HeldStream.News] {
        guard mode == .holding, round == self.round, queue.isEmpty else {
            end.release()
            return []
        }
        known.put(HeldObject(retaining: end.raw))
        before.put(end)
        return takeBackEnd()
    }

    /// Whether it was among what came before.
    @discardableResult
    mutating func keepEnd() -> Bool {
        guard let end = before.take(GST_EVENT_EOS) else { return false }
        queue.append(end, .event, bytes: 0)
        return true
    }

    /// Whether the end is still the one that was to be told.
    mutating func tellEnd(of generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        hasToldEnd = true
        return true
    }

    /// Whether it was told that the stream has ended, which is not so any more.
    mutating func takeBackNews() -> Bool {
        defer { hasToldEnd = false }
        return hasToldEnd
    }

    /// What comes after is given an event.
    mutating func noteEnd(_ event: HeldObject) {
        switch mh_gst_event_type(event.event) {
        case GST_EVENT_EOS: hasPassedEnd = true
        case GST_EVENT_STREAM_START: hasPassedEnd = false
        default: break
        }
    }
}
