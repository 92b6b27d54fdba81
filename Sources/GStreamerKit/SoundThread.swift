internal import CGStreamer

/// Threads that carry sound to a sink, or from a device: where all processors are busy they run before those that compute for
/// long, as decoders do. What comes too late is heard as a gap; each time takes so little that nobody else is late by it.
///
/// Linux 6.12 and later lets the thread run first that asks for the shorter slice when it wakes (EEVDF; sched(7)); no right is
/// needed for that. Earlier kernels take no notice of it. Threads of another policy are left to who chose it.
public enum SoundThread {
    /// The shortest that the kernel gives; its own is 0.7 ms with one processor, 1.4 with two. What brings sound to a sink takes
    /// less, and who has used it up goes on behind the others (0.2 and 0.5 ms were measured: docs/benchmarks.md).
    static let slice = ClockTime(nanoseconds: 100_000)

    /// Makes whatever thread brings raw sound into this input one, from the next caps on: a change of state brings other threads.
    /// - Returns: the token that takes the probe off, or nil where the pad takes none.
    /// - Thread: any.
    public static func follow(_ pad: Pad) -> PadProbe? {
        pad.addEventProbe { event in
            if case .caps(let caps) = event, caps.mediaType == "audio/x-raw" { begin() }
        }
    }

    /// Whether an element's own thread is one: that of a source of sound, or of a sink that writes to a device by itself.
    static func serves(_ element: Element) -> Bool {
        let words = element.kind.split(separator: "/")
        return words.contains("Audio") && (words.contains("Sink") || words.contains("Source"))
    }

    /// - Thread: the one that is to be one.
    static func begin() { mh_thread_set_slice(UInt64(slice.nanoseconds)) }

    /// Gives it back as it was: the pool has other work for it.
    /// - Thread: the one that was one.
    static func end() { if mh_thread_slice() == UInt64(slice.nanoseconds) { mh_thread_set_slice(0) } }
}
