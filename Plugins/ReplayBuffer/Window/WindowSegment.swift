/// The caps that a segment of the window has, by the ring's own numbers. One init file each.
struct WindowFormat: Hashable, Sendable {
    var picture: UInt16
    /// Nil where no sound has come yet, or none is kept.
    var sound: UInt16?

    var fileName: String { "init-\(picture)\(sound.map { "-\($0)" } ?? "").mp4" }
}

/// A segment as the playlist names it. Once it is named nothing of it changes.
struct WindowSegment: Equatable, Sendable {
    /// Its media sequence number, which is also in its name. None is used twice, not after a reset either; but after a power cut
    /// those of the newest, if they were lost.
    var number: UInt64
    /// Media time in nanoseconds: of its key frame, and of that of the next segment.
    var start: Int64
    var end: Int64
    /// Within these, how long nothing came.
    var missing: Int64
    /// Nanoseconds since 1970 when its first frame came.
    var realtime: Int64
    /// Of its key frame: the number in the ring's index, and the place in the slab.
    var sequence: UInt64
    var position: UInt64
    var format: WindowFormat
    /// Counts how often timestamps or format did not go on from one segment to the next.
    var discontinuity: UInt64
    /// The picture before it is decoded then, in units of `Fragment.pictureScale`; none after a discontinuity.
    var before: Int64?

    /// Whether it is behind a discontinuity.
    var isAnew: Bool { before == nil && discontinuity > 0 }

    /// How long it plays.
    var duration: Int64 { max(0, end &- start &- missing) }
    var fileName: String { "segment-\(number).m4s" }
}

/// What is asked for by name.
enum WindowFile: Equatable {
    case playlist
    case timeline
    case initialisation(WindowFormat)
    case segment(UInt64)

    init?(name: String) {
        switch name {
        case "index.m3u8": self = .playlist
        case "timeline.json": self = .timeline
        default:
            if name.hasPrefix("segment-"), name.hasSuffix(".m4s") {
                guard let number = UInt64(name.dropFirst(8).dropLast(4)) else { return nil }
                self = .segment(number)
            } else if name.hasPrefix("init-"), name.hasSuffix(".mp4") {
                let words = name.dropFirst(5).dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
                let numbers = words.compactMap { UInt16($0) }
                guard numbers.count == words.count, (1...2).contains(numbers.count) else { return nil }
                self = .initialisation(
                    WindowFormat(picture: numbers[0], sound: numbers.count == 2 ? numbers[1] : nil))
            } else {
                return nil
            }
        }
    }
}
