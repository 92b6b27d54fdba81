/// Which timer is due next, on each of two clocks: a heap per clock and the place of each timer in it.
///
/// A timer is the row number of its pet, so its place is found in an array: 16 bytes in a heap and 4 for the place, at most
/// twice that while the arrays grow. Both heaps have four children to a node, which is half the levels of a binary one.
struct DueQueue: Sendable {
    /// The clock a timer waits for.
    enum Line: UInt32, Sendable, CaseIterable {
        case boottime = 0
        case realtime = 1
    }

    struct Entry: Sendable, Equatable {
        /// Nanoseconds on the clock of its line.
        var due: Int64
        var timer: UInt32

        /// The order in which they are told: by time, then by pet.
        static func < (left: Entry, right: Entry) -> Bool {
            left.due != right.due ? left.due < right.due : left.timer < right.timer
        }
    }

    /// Row numbers are below this; a store that has others is damaged.
    static let limit: Int64 = 1 << 24

    private static let absent = UInt32.max
    private var boottime: [Entry] = []
    private var realtime: [Entry] = []
    /// By timer: the index in its heap times two, plus the line; `absent` where it has none.
    private var places: [UInt32] = []

    init() {}

    /// All at once, in linear time.
    init(_ entries: [(Line, Entry)]) {
        for (line, entry) in entries where accepts(entry.timer) {
            makeRoom(for: entry.timer)
            guard places[Int(entry.timer)] == Self.absent else { continue }
            places[Int(entry.timer)] = 0
            withHeap(line) { heap, _ in heap.append(entry) }
        }
        for line in Line.allCases {
            withHeap(line) { heap, places in
                for index in heap.indices { places[Int(heap[index].timer)] = Self.place(index, line) }
                guard heap.count > 1 else { return }
                for index in stride(from: (heap.count - 2) / 4, through: 0, by: -1) {
                    Self.sink(heap[index], from: index, &heap, &places, line)
                }
            }
        }
    }

    var count: Int { boottime.count + realtime.count }

    /// What one timer takes, by the arrays as they are.
    var bytes: Int {
        (boottime.capacity + realtime.capacity) * MemoryLayout<Entry>.stride
            + places.capacity * MemoryLayout<UInt32>.stride
    }

    func head(_ line: Line) -> Entry? { line == .boottime ? boottime.first : realtime.first }

    func contains(_ timer: UInt32) -> Bool { place(of: timer) != nil }

    /// Puts a timer in, or moves it.
    mutating func set(_ timer: UInt32, due: Int64, on line: Line) {
        guard accepts(timer) else { return }
        cancel(timer)
        makeRoom(for: timer)
        withHeap(line) { heap, places in
            let entry = Entry(due: due, timer: timer)
            heap.append(entry)
            Self.rise(entry, from: heap.count - 1, &heap, &places, line)
        }
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func cancel(_ timer: UInt32) -> Bool {
        guard let (line, index) = place(of: timer) else { return false }
        places[Int(timer)] = Self.absent
        withHeap(line) { heap, places in
            let last = heap.removeLast()
            guard index < heap.count else { return }
            if index > 0, last < heap[(index - 1) / 4] {
                Self.rise(last, from: index, &heap, &places, line)
            } else {
                Self.sink(last, from: index, &heap, &places, line)
            }
        }
        return true
    }

    /// The first `count` of a line, in their order. Costs as much as is taken, not as much as there is.
    func soonest(_ count: Int, on line: Line) -> [Entry] {
        first(count, on: line) { _ in true }
    }

    /// The first of what is due by a moment, in their order; the same, as long as nothing is cancelled.
    func due(by now: Int64, on line: Line, most: Int) -> [Entry] { first(most, on: line) { $0.due <= now } }

    /// From the top of the heap down: a child is no candidate before its parent was the first of all.
    private func first(_ count: Int, on line: Line, while isWanted: (Entry) -> Bool) -> [Entry] {
        let heap = line == .boottime ? boottime : realtime
        var found: [Entry] = []
        // Indices of `heap`, a binary heap of their own.
        var candidates: [Int] = heap.isEmpty ? [] : [0]
        while found.count < count, let index = candidates.first, isWanted(heap[index]) {
            found.append(heap[index])
            // Its place is for the last one.
            let last = candidates.removeLast()
            if !candidates.isEmpty { Self.sink(last, in: &candidates) { heap[$0] < heap[$1] } }
            for child in (4 * index + 1)..<max(4 * index + 1, min(4 * index + 5, heap.count)) {
                Self.rise(child, in: &candidates) { heap[$0] < heap[$1] }
            }
        }
        return found
    }

    private static func sink(_ candidate: Int, in heap: inout [Int], _ isLess: (Int, Int) -> Bool) {
        var place = 0
        while 2 * place + 1 < heap.count {
            var child = 2 * place + 1
            if child + 1 < heap.count, isLess(heap[child + 1], heap[child]) { child += 1 }
            guard isLess(heap[child], candidate) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = candidate
    }

    private static func rise(_ candidate: Int, in heap: inout [Int], _ isLess: (Int, Int) -> Bool) {
        var place = heap.count
        heap.append(candidate)
        while place > 0, isLess(candidate, heap[(place - 1) / 2]) {
            heap[place] = heap[(place - 1) / 2]
            place = (place - 1) / 2
        }
        heap[place] = candidate
    }

    private func accepts(_ timer: UInt32) -> Bool { Int64(timer) < Self.limit }

    private func place(of timer: UInt32) -> (Line, Int)? {
        guard Int(timer) < places.count, places[Int(timer)] != Self.absent else { return nil }
        let place = places[Int(timer)]
        return (place & 1 == 0 ? .boottime : .realtime, Int(place >> 1))
    }

    private mutating func makeRoom(for timer: UInt32) {
        guard Int(timer) >= places.count else { return }
        if Int(timer) >= places.capacity { places.reserveCapacity(max(64, 2 * places.count, Int(timer) + 1)) }
        places.append(contentsOf: repeatElement(Self.absent, count: Int(timer) + 1 - places.count))
    }

    private mutating func withHeap(_ line: Line, _ body: (inout [Entry], inout [UInt32]) -> Void) {
        switch line {
        case .boottime: body(&boottime, &places)
        case .realtime: body(&realtime, &places)
        }
    }

    private static func place(_ index: Int, _ line: Line) -> UInt32 {
        UInt32(truncatingIfNeeded: index) << 1 | line.rawValue
    }

    private static func rise(
        _ entry: Entry, from start: Int, _ heap: inout [Entry], _ places: inout [UInt32], _ line: Line
    ) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 4
            guard entry < heap[parent] else { break }
            heap[index] = heap[parent]
            places[Int(heap[index].timer)] = place(index, line)
            index = parent
        }
        heap[index] = entry
        places[Int(entry.timer)] = place(index, line)
    }

    private static func sink(
        _ entry: Entry, from start: Int, _ heap: inout [Entry], _ places: inout [UInt32], _ line: Line
    ) {
        var index = start
        while true {
            let first = 4 * index + 1
            guard first < heap.count else { break }
            var least = first
            for child in first + 1..<max(first + 1, min(first + 4, heap.count)) where heap[child] < heap[least] {
                least = child
            }
            guard heap[least] < entry else { break }
            heap[index] = heap[least]
            places[Int(heap[index].timer)] = place(index, line)
            index = least
        }
        heap[index] = entry
        places[Int(entry.timer)] = place(index, line)
    }
}
