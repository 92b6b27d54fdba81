/// Media time in which nothing came, in nanoseconds.
struct Gap: Equatable, Sendable {
    var from: Int64
    var to: Int64
}

/// The newest of them; memory of its own, made once.
struct GapList: ~Copyable {
    static let capacity = 256
    private let gaps: UnsafeMutablePointer<Gap>
    private var head = 0
    private(set) var count = 0

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

    /// Oldest first.
    subscript(number: Int) -> Gap { gaps[(head - count + number + Self.capacity) % Self.capacity] }

    /// Oldest first, without asking for memory where `copy` has room.
    borrowing func copy(to copy: inout [Gap]) {
        for number in 0..<count { copy.append(self[number]) }
    }

    mutating func reset() { count = 0 }
}
