/// What a pipeline does for each reason that can hold of the host.
public struct BackgroundPolicy: Sendable, Equatable {
    public var paused = BackgroundMode.stop
    public var suspended = BackgroundMode.stop
    public var interrupted = BackgroundMode.pause
    public var locked = BackgroundMode.keep
    public var lowPower = BackgroundMode.keep
    public var outputLost = BackgroundMode.keep

    public init() {}

    /// One mode for all that makes the host quiet.
    public init(all mode: BackgroundMode) {
        paused = mode
        suspended = mode
        interrupted = mode
    }

    /// The strongest mode of all that holds; nothing goes on over the end of the host.
    public func mode(for state: DesiredState) -> BackgroundMode {
        state.contains(.shuttingDown) ? .stop : modes(for: state).max() ?? .keep
    }

    /// Whether something that holds asks for sound alone, also where something stronger holds beside it.
    func hidesPictures(in state: DesiredState) -> Bool { modes(for: state).contains(.audioOnly) }

    private func modes(for state: DesiredState) -> [BackgroundMode] {
        let reasons: [(DesiredState, BackgroundMode)] = [
            (.paused, paused), (.suspended, suspended), (.interrupted, interrupted), (.waiting, waiting),
            (.locked, locked), (.lowPower, lowPower), (.outputLost, outputLost),
        ]
        return reasons.filter { state.contains($0.0) }.map(\.1)
    }

    /// After an interruption the output is open again, so what it had stopped stands ready; what went on goes on.
    private var waiting: BackgroundMode { min(interrupted, .pause) }
}
