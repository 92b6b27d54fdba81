/// A while in which a pipeline was paused and not stopped: media time and the epoch go on where they stood.
struct Pause: Equatable, Sendable {
    /// Media time; what is shown from there on came after it.
    var at: Int64
    /// When the first of that is decoded.
    var decoding: Int64
    /// In nanoseconds, by a clock that goes on in suspend.
    var length: Int64
}

/// The newest of them; memory of its own, made once.
struct PauseList: ~Copyable {
    private static let capacity = 256
    private let pauses: UnsafeMutablePointer<Pause>
    private var head = 0
    private(set) var count = 0

    init() {
        pauses = .allocate(capacity: Self.capacity)
        pauses.initialize(repeating: Pause(at: 0, decoding: 0, length: 0), count: Self.capacity)
    }

    deinit { pauses.deallocate() }

    /// - Thread: stream.
    mutating func add(_ pause: Pause) {
        pauses[head] = pause
        head = (head + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// Oldest first.
    subscript(number: Int) -> Pause { pauses[(head - count + number + Self.capacity) % Self.capacity] }

    /// Oldest first.
    var all: [Pause] { (0..<count).map { self[$0] } }
}
