/// Which of several streams that are mixed goes on by a buffer, and when, until all of them rest: whoever is ahead waits in the mixer for
/// one that rests. A decision, without a stream.
///
/// Nobody outside of the mixer knows which one that is, nor whether one that was given a buffer waits, too, or is only slow. So one at a
/// time has the turn. Whoever has it keeps it for as long as he comes to rest again: he is the one that was waited for. Where he
/// does not, the turn passes to who had it last of those that rest: each of the others, once given one, may have to wait until
/// that is over, and with several rates of pictures they would never all rest. Each has twice as long as his last picture took, and
/// twice as long as that where he was too slow: else slow decoders would pass the turn on for ever.
public struct MixingTurns: Sendable {
    /// What is left to whoever may come to rest by himself before a buffer more is given; and the shortest turn. More than most decoders
    /// need for a picture, and short of what is heard.
    static let shortest = ClockTime.milliseconds(10)

    /// No decoder that is of use needs half of that for a picture.
    static let longest = ClockTime.milliseconds(320)

    private struct Stream {
        /// The last turn that it had.
        var turn = 0
        var patience = MixingTurns.shortest
    }

    /// When somebody is to go on, on the clock of who asks.
    public private(set) var due: ClockTime
    /// Who was given the last buffer, and when; and whether he has not come to rest since.
    private var holder: (number: Int, begin: ClockTime, isUnderWay: Bool)?
    private var turn = 0
    private var streams: [Int: Stream] = [:]

    /// - Parameter now: when they began to come to rest.
    public init(at now: ClockTime) { due = now + Self.shortest }

    /// A stream has come to rest.
    public mutating func rest(_ number: Int, at now: ClockTime) {
        guard let holder, holder.number == number, holder.isUnderWay else { return }
        self.holder?.isUnderWay = false
        setPatience(of: number, to: now - holder.begin)
        due = now + Self.shortest
    }

    /// Who goes on by a buffer now, if that is due.
    /// - Parameter resting: those that rest, while others do not.
    public mutating func next(of resting: Set<Int>, at now: ClockTime) -> Int? {
        guard now >= due else { return nil }
        // The lower one where none had it.
        let last = resting.max { (stream($0).turn, -$0) < (stream($1).turn, -$1) }
        guard let last else {
            due = now + Self.shortest
            return nil
        }
        if let holder, holder.isUnderWay { setPatience(of: holder.number, to: stream(holder.number).patience) }
        turn += 1
        streams[last] = Stream(turn: turn, patience: stream(last).patience)
        holder = (last, now, true)
        due = now + stream(last).patience
        return last
    }

    private func stream(_ number: Int) -> Stream { streams[number, default: Stream()] }

    /// Twice as long.
    private mutating func setPatience(of number: Int, to time: ClockTime) {
        streams[number, default: Stream()].patience = min(max(time + time, Self.shortest), Self.longest)
    }
}
