/// When the frames of a segment are decoded and shown, in units of a track.
///
/// Pure.
enum SampleTimes {
    /// - Parameters:
    ///   - frames: pictures, in the order of decoding.
    ///   - before: the picture before them is decoded then.
    ///   - next: the first one of the next segment, where it goes on.
    static func pictures(_ frames: [Frame], before: Int64?, next: Frame?) -> [Fragment.Sample] {
        let scale = Fragment.pictureScale
        let decode = decodeTimes(frames)
        var samples: [Fragment.Sample] = []
        samples.reserveCapacity(frames.count)
        var least = before.map { $0 + 1 } ?? 0
        for (frame, time) in zip(frames, decode) {
            let unit = max(least, Fragment.units(time, scale))
            samples.append(
                Fragment.Sample(
                    decode: unit, offset: Fragment.units(frame.pts, scale) - unit, size: Int(frame.size),
                    isKey: frame.isKey))
            least = unit + 1
        }
        let step = Fragment.units(length(of: frames), scale)
        let after = next.map { max(least, Fragment.units($0.dts == Frame.none ? $0.pts : $0.dts, scale)) }
        setDurations(&samples, last: step, next: after, most: step + Fragment.units(WindowList.leastGap, scale))
        return samples
    }

    /// - Parameter next: the first one of the next segment.
    static func sound(_ frames: [Frame], scale: Int64, next: Frame?) -> [Fragment.Sample] {
        var samples: [Fragment.Sample] = []
        samples.reserveCapacity(frames.count)
        var least: Int64 = 0
        for frame in frames {
            let unit = max(least, Fragment.units(frame.pts, scale))
            samples.append(Fragment.Sample(decode: unit, size: Int(frame.size)))
            least = unit + 1
        }
        let step = Fragment.units(length(of: frames), scale)
        setDurations(&samples, last: step, next: next.map { Fragment.units($0.pts, scale) }, most: 2 * step)
        return samples
    }

    /// A sample lasts until the next one; the last one as long as it says, where nothing goes on from it.
    private static func setDurations(_ samples: inout [Fragment.Sample], last: Int64, next: Int64?, most: Int64) {
        for place in samples.indices.dropLast() {
            samples[place].duration = samples[place + 1].decode - samples[place].decode
        }
        guard let end = samples.indices.last else { return }
        let until = next.map { $0 - samples[end].decode } ?? 0
        samples[end].duration = until > 0 && until <= most ? until : max(1, last)
    }

    /// As they came; without, what is shown earliest is decoded first, early enough for all.
    private static func decodeTimes(_ frames: [Frame]) -> [Int64] {
        if frames.allSatisfy({ $0.dts != Frame.none }) { return frames.map(\.dts) }
        let sorted = frames.map(\.pts).sorted()
        let late = zip(frames, sorted).map { $1 &- $0.pts }.max() ?? 0
        return sorted.map { $0 &- max(0, late) }
    }

    /// How long the last of them lasts, as far as it can be told.
    static func length(of frames: [Frame]) -> Int64 {
        if let last = frames.last, last.duration > 0 { return last.duration }
        let sorted = frames.suffix(32).map(\.pts).sorted()
        let steps = zip(sorted, sorted.dropFirst()).map { $1 &- $0 }.filter { $0 > 0 }.sorted()
        return steps.isEmpty ? 40_000_000 : steps[steps.count / 2]
    }

    /// Where the last picture ends, and how long nothing came before that.
    static func extent(of frames: [Frame]) -> (end: Int64, missing: Int64) {
        let length = length(of: frames)
        let sorted = frames.map(\.pts).sorted()
        let missing = zip(sorted, sorted.dropFirst()).reduce(Int64(0)) { sum, pair in
            let gap = pair.1 &- pair.0 &- length
            return gap >= WindowList.leastGap ? sum &+ gap : sum
        }
        return ((sorted.last ?? 0) &+ length, missing)
    }
}
