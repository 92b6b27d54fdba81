/// From media time to the time of a clip: one line with steps.
struct ClipTimeMap: Equatable, Sendable {
    private struct Step: Equatable, Sendable {
        /// From this media time on, and for times of decoding from that ...
        var from: Int64
        var decoding: Int64
        /// ... this is added.
        var shift: Int64
        /// Media time that has no place in the clip, up to `from`.
        var hole: Int64 = 0
    }

    /// A shorter one is the unsteadiness of a camera.
    static let leastGap: Int64 = 100_000_000

    /// Media time of the clip's beginning.
    let start: Int64
    private var steps: [Step] = []

    init(start: Int64) { self.start = start }

    /// Nanoseconds from the start of the clip. What was cut out is where it was cut.
    func time(_ media: Int64) -> Int64 { map(media, from: \.from) }

    /// The same for a time of decoding; it never goes back where times of decoding do not.
    func decodeTime(_ media: Int64) -> Int64 { map(media, from: \.decoding) }

    private func map(_ media: Int64, from place: KeyPath<Step, Int64>) -> Int64 {
        var media = media
        for step in steps.reversed() {
            let from = step[keyPath: place]
            if media >= from { return media &- start &+ step.shift }
            if media >= from - step.hole { media = from - step.hole }
        }
        return media &- start
    }

    /// Whether this media time was cut out.
    func isInside(_ media: Int64) -> Bool { steps.contains { media >= $0.from - $0.hole && media < $0.from } }

    /// What follows `to` is shown right after `from`.
    mutating func close(from: Int64, to: Int64) {
        steps.append(Step(from: to, decoding: to, shift: shift - (to - from), hole: to - from))
    }

    /// What begins at `media` is shown later by `length`.
    /// - Parameter decoding: when the first of it is decoded.
    mutating func open(at media: Int64, decoding: Int64, _ length: Int64) {
        steps.append(Step(from: media, decoding: min(media, decoding), shift: shift &+ length))
    }

    private var shift: Int64 { steps.last?.shift ?? 0 }
}
