/// Which of several streams that are mixed go on by a buffer, and when, until all of them rest: whoever is ahead waits in the mixer for
/// those that rest. A decision, without a stream.
///
/// Who was given a buffer and is still at it may wait, too, or may only be slow. From outside both look alike: whoever rests
/// then is given the next one, the slow one rests meanwhile, and on a slow machine the two would take turns for ever. So where the
/// roles change each turn is twice as long as the one before, until nobody needs that long for a picture.
public struct MixingTurns: Sendable {
    /// Of the first turns: more than most decoders need for a picture, and short of what is heard.
    static let shortest = ClockTime.milliseconds(10)

    /// How long after one turn the next one is due.
    public private(set) var patience = shortest
    /// Who was given one in the last turn.
    private var given: Set<Int> = []

    public init() {}

    /// A turn is due.
    /// - Parameter resting: those that rest, while others do not.
    /// - Returns: who goes on by a buffer, in their order.
    public mutating func next(resting: Set<Int>) -> [Int] {
        guard !resting.isEmpty else { return [] }
        if !given.isEmpty, resting != given { patience = patience + patience }
        given = resting
        return resting.sorted()
    }
}
