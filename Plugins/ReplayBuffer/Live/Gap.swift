/// Media time in which nothing came, in nanoseconds.
struct Gap: Equatable, Sendable {
    var from: Int64
    var to: Int64
}

/// The newest of them; memory of its own, made once.
struct GapList: ~Copyable {
    private static let capacity = 256
    private let gaps: UnsafeMutablePointer<Gap>
    private var head = 0
    private var count = 0

    init() {
        gaps = .allocate(capacity: Self.capacity)
        gaps.initialize(repeating: Gap(from: 0, to: 0), count: Self.capacity)
    }

    deinit { gaps.deallocate() }

    /// - Thread: stream.
    mutating func add(from: Int64, to: Int64) {
        gaps[head] = Gap(from: from, to: to)
        head = (head + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    /// Those that do not end before `oldest`, oldest first.
    borrowing func all(since oldest: Int64) -> [Gap] {
        (0..<count).map { gaps[(head - count + $0 + Self.capacity) % Self.capacity] }.filter { $0.to > oldest }
    }

    mutating func reset() { count = 0 }
}
