/// Finds media time in which no picture begins or lasts, from pictures in the order of decoding.
///
/// A picture that others are made from comes before those that are shown before it, so what follows whom is known only when
/// nothing can come between them any more.
struct GapFinder: Sendable {
    private struct Picture: Sendable {
        var start: Int64
        /// Not positive where the stream does not say.
        var duration: Int64
    }

    /// A picture is decoded before at most so many that are shown before it: what H.264 and H.265 can hold back.
    private static let reordering = 16

    /// In the order of presentation.
    private var waiting: [Picture] = []
    /// Of what was shown before those.
    private var end: Int64?
    /// Distance of the last two; stands in for a duration.
    private var step: Int64 = 0

    /// - Returns: a gap longer than `ClipTimeMap.leastGap`, all before which is known.
    mutating func add(start: Int64, duration: Int64) -> Gap? {
        var place = waiting.count
        while place > 0, waiting[place - 1].start > start { place -= 1 }
        waiting.insert(Picture(start: start, duration: duration), at: place)
        return waiting.count > Self.reordering ? next() : nil
    }

    /// The gaps between those that are left: no more come.
    mutating func finish() -> [Gap] {
        var gaps: [Gap] = []
        while !waiting.isEmpty { if let gap = next() { gaps.append(gap) } }
        return gaps
    }

    private mutating func next() -> Gap? {
        let picture = waiting.removeFirst()
        let before = end
        if picture.duration <= 0, let follower = waiting.first {
            let distance = follower.start &- picture.start
            if step == 0 || distance < step + ClipTimeMap.leastGap { step = distance }
        }
        end = max(before ?? .min, picture.start &+ (picture.duration > 0 ? picture.duration : step))
        guard let before, picture.start &- before > ClipTimeMap.leastGap else { return nil }
        return Gap(from: before, to: picture.start)
    }
}
