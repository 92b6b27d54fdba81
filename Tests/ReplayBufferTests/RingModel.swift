@testable import ReplayBuffer

/// The ring's rules once more, in arrays that allocate as they like.
struct RingModel {
    struct Item: Equatable {
        var number: Int
        var pts: Int64
        var duration: Int64
        var size: Int
        var format: UInt16
        var track: UInt8 = 0
        var isKey = false
    }

    var items: [Item] = []
    /// The sequence of `items[0]`, and those of the key frames.
    var first = 0
    var keys: [Int] = []
    var skip: GOPRing.Outcome? = .needsKey
    var pins: [Int: Range<Int>] = [:]
    /// Nothing before it belongs to a key frame.
    var leadFloor = 0
    let bytes: Int
    let frames: Int
    let window: Int64

    var end: Int { first + items.count }
    var newest: Int64 { keys.last.map { newest(from: $0) } ?? 0 }

    func item(_ sequence: Int) -> Item { items[sequence - first] }

    private func newest(from key: Int) -> Int64 {
        items[(key - first)...].filter { $0.track == 0 }.map { $0.pts + $0.duration }.max() ?? 0
    }

    private var floor: Int { pins.values.map(\.lowerBound).min() ?? .max }

    mutating func append(_ item: Item) -> GOPRing.Outcome {
        if item.track != 0 {
            if keys.isEmpty { return .needsKey }
            if let skip, skip != .needsKey { return skip }
        } else if item.isKey {
            skip = nil
        } else if let skip {
            return skip
        } else if let key = keys.last, self.item(key).format != item.format {
            skip = .needsKey
            return .needsKey
        }
        if item.size > bytes { return drop(.oversized(first: true), item.isKey) }
        if !item.isKey, keys.count == 1, item.pts + item.duration - self.item(keys[0]).pts > 2 * window {
            return drop(.oversized(first: true), item.isKey)
        }
        while items.reduce(item.size, { $0 + $1.size }) > bytes || items.count == frames {
            if keys.count > (item.isKey ? 0 : 1) {
                if evict() { continue }
                return drop(.held(first: true), item.isKey)
            }
            let start = keys.first ?? end
            guard first < min(start, floor) else {
                return drop(first < start ? .held(first: true) : .oversized(first: true), item.isKey)
            }
            trim(to: min(start, floor))
        }
        if item.isKey { keys.append(end) }
        items.append(item)
        while keys.count > 1, newest - self.item(keys[1]).pts >= window, evict() {}
        if item.track != 0 {
            while keys.count > 1, item.pts + item.duration - self.item(keys[0]).pts > 2 * window, evict() {}
        }
        return .stored
    }

    mutating func reset() {
        keys = []
        skip = .needsKey
        leadFloor = end
        trim(to: min(end, floor))
    }

    /// The first frame of another track that sounds with the key frame or after it.
    func lead(of key: Int) -> Int {
        guard key < end else { return key }
        let start = item(key).pts
        return (max(first, leadFloor)..<key).first { item($0).track != 0 && item($0).pts + item($0).duration > start }
            ?? key
    }

    private mutating func trim(to sequence: Int) {
        guard sequence > first else { return }
        items.removeFirst(sequence - first)
        first = sequence
    }

    private mutating func evict() -> Bool {
        let start = lead(of: keys.count > 1 ? keys[1] : end)
        guard start <= floor else { return false }
        trim(to: start)
        keys.removeFirst()
        return true
    }

    private mutating func drop(_ reason: GOPRing.Outcome, _ isKey: Bool) -> GOPRing.Outcome {
        let isOver = skip != nil && reason == .held(first: true)
        skip = if case .held = reason { .held(first: false) } else { .oversized(first: false) }
        guard !isKey, !isOver, let start = keys.last else { return reason }
        let keep = max(start, min(end, pins.values.map(\.upperBound).max() ?? 0))
        items.removeLast(end - keep)
        if keep == start { keys.removeLast() }
        if keys.isEmpty { trim(to: min(end, floor)) }
        return reason
    }
}
