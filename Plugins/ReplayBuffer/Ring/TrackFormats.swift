/// The caps that frames in the ring, or the next ones, have. Numbers count up over all tracks and are never used twice
/// within a ring.
struct TrackFormats {
    struct Format {
        var number: UInt16
        var track: UInt8
        var caps: String
        /// The ring's head when another took its place.
        var end: UInt64?
    }

    private(set) var formats: [Format] = []
    private(set) var current: [UInt16]
    private(set) var last: UInt16 = 0

    init(tracks: Int) { current = Array(repeating: 0, count: tracks) }

    /// As they were noted.
    init(_ notes: RingNotes) {
        current = notes.current
        last = notes.lastFormat
        // They were written newest first.
        formats = notes.formats.reversed().map {
            Format(number: $0.number, track: $0.track, caps: $0.caps, end: $0.end)
        }
    }

    /// The number that the next frame of a track gets; 0 before its first caps.
    subscript(track: UInt8) -> UInt16 { current[Int(track)] }

    func caps(_ number: UInt16) -> String { formats.first { $0.number == number }?.caps ?? "" }

    /// The newest caps of a track.
    func caps(ofTrack track: UInt8) -> String { caps(self[track]) }

    /// The same caps as before keep their number: a restarted pipeline is no change of format.
    mutating func set(_ caps: String, of track: UInt8, oldest: UInt64, next: UInt64) {
        guard self.caps(ofTrack: track) != caps || self[track] == 0 else { return }
        formats.removeAll { $0.end.map { $0 <= oldest } ?? false }
        if let old = formats.firstIndex(where: { $0.number == self[track] }) { formats[old].end = next }
        last &+= 1
        if last == 0 { last = 1 }
        current[Int(track)] = last
        formats.append(Format(number: last, track: track, caps: caps, end: nil))
    }
}
