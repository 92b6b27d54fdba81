/// From media time to the time of a clip: one line with steps.
struct ClipTimeMap: Equatable, Sendable {
    private struct Step: Equatable, Sendable {
        /// From this media time on ...
        var from: Int64
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

    /// Nanoseconds from the start of the clip.
    func time(_ media: Int64) -> Int64 { media &- start &+ (steps.last { $0.from <= media }?.shift ?? 0) }

    /// Whether this media time was cut out.
    func isInside(_ media: Int64) -> Bool { steps.contains { media >= $0.from - $0.hole && media < $0.from } }

    /// What follows `to` is shown right after `from`.
    mutating func close(from: Int64, to: Int64) {
        steps.append(Step(from: to, shift: (steps.last?.shift ?? 0) - (to - from), hole: to - from))
    }

    /// What begins at `media` is shown later by `length`.
    mutating func open(at media: Int64, _ length: Int64) {
        steps.append(Step(from: media, shift: (steps.last?.shift ?? 0) + length))
    }
}
