import HostTestKit
import Testing

@testable import ReplayBuffer

/// The ring's rules once more, in arrays that allocate as they like.
private struct Model {
    struct Item: Equatable {
        var number: Int
        var pts: Int64
        var duration: Int64
        var size: Int
        var format: UInt16
    }

    var gops: [[Item]] = []
    var skip: GOPRing.Outcome?
    var first = 0
    /// Sequence ranges.
    var pins: [Int: Range<Int>] = [:]
    let bytes: Int
    let frames: Int
    let window: Int64

    var items: [Item] { gops.flatMap { $0 } }
    var end: Int { first + items.count }

    /// End of what the newest GOP shows; GOPs follow each other in time.
    var newest: Int64 { gops.last?.map { $0.pts + $0.duration }.max() ?? 0 }

    mutating func append(_ item: Item, isKey: Bool) -> GOPRing.Outcome {
        if isKey {
            skip = nil
        } else if let skip {
            return skip
        } else if gops.last?.first?.format != item.format {
            skip = .needsKey
            return .needsKey
        }
        if item.size > bytes { return drop(.oversized(first: true), isKey) }
        while items.reduce(item.size, { $0 + $1.size }) > bytes || items.count == frames {
            if !isKey, gops.count == 1 { return drop(.oversized(first: true), isKey) }
            if !evict() { return drop(.held(first: true), isKey) }
        }
        if isKey { gops.append([item]) } else { gops[gops.count - 1].append(item) }
        while gops.count > 1, newest - gops[1][0].pts >= window, evict() {}
        return .stored
    }

    private mutating func evict() -> Bool {
        let next = first + gops[0].count
        guard pins.values.allSatisfy({ $0.lowerBound >= next }) else { return false }
        gops.removeFirst()
        first = next
        return true
    }

    private mutating func drop(_ reason: GOPRing.Outcome, _ isKey: Bool) -> GOPRing.Outcome {
        skip = if case .held = reason { .held(first: false) } else { .oversized(first: false) }
        guard !isKey, let current = gops.last else { return reason }
        let start = end - current.count
        let keep = max(0, min(end, pins.values.map(\.upperBound).max() ?? 0) - start)
        gops[gops.count - 1] = Array(current.prefix(keep))
        if keep == 0 { gops.removeLast() }
        return reason
    }
}

@Suite struct GOPRingCampaign {
    @Test func ringAndModelAgree() throws {
        var campaign = Campaign(rounds: 80_000)
        var left = campaign.rounds
        while left > 0 {
            let operations = min(left, 4000)
            left -= operations
            try run(&campaign, campaign.note, operations: operations)
        }
    }

    private func run(_ random: inout Campaign, _ seed: String, operations: Int) throws {
        let bytes = Int.random(in: 200...5000, using: &random)
        let frames = Int.random(in: 2...200, using: &random)
        let window = Int64.random(in: 1...60, using: &random) * second / 10
        var ring = try GOPRing.make(bytes: bytes, frames: frames, window: window)
        var model = Model(bytes: bytes, frames: frames, window: window)
        var reading: [Int: (clip: ClipRange, items: [Model.Item])] = [:]
        var (time, format) = (Int64(0), UInt16(1))
        let gop = Int.random(in: 1...30, using: &random)
        for number in 0..<operations {
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                ring.interrupt()
                model.skip = .needsKey
            case 1: format &+= 1
            case 2: pin(&ring, &model, &reading, &random)
            case 3..<8: advance(&ring, &model, &reading, &random, seed)
            default:
                let isKey = Int.random(in: 0..<gop, using: &random) == 0
                let size = Int.random(in: 0...(isKey ? bytes / 3 : bytes / 12), using: &random)
                let item = Model.Item(
                    number: number, pts: time, duration: second / 10,
                    size: Int.random(in: 0..<500, using: &random) == 0
                        ? bytes + 1 : size, format: format)
                var frame = Frame()
                (frame.pts, frame.duration, frame.isKey, frame.format) = (time, item.duration, isKey, format)
                time += second / 10
                let content = pattern(number, item.size)
                let expected = model.append(item, isKey: isKey)
                let outcome = ring.append(content.span.bytes, frame)
                #expect(outcome == expected, "\(seed), operation \(number)")
            }
            if number % 16 == 0 { compare(ring, model, seed, number) }
        }
    }

    private func compare(_ ring: borrowing GOPRing, _ model: Model, _ seed: String, _ number: Int) {
        let items = model.items
        #expect(ring.count == items.count, "\(seed), operation \(number)")
        #expect(ring.gops == model.gops.count)
        #expect(Int(ring.tail) == model.first)
        guard ring.count == items.count else { return }
        if !items.isEmpty { #expect(ring.newestEnd == model.newest) }
        for (offset, item) in items.enumerated() {
            let frame = ring[ring.tail + UInt64(offset)]
            let same = matches(ring, frame, item)
            #expect(same, "\(seed), operation \(number) frame \(item.number)")
        }
    }

    private func matches(_ ring: borrowing GOPRing, _ frame: Frame, _ item: Model.Item) -> Bool {
        var scratch: [UInt8] = []
        let same = ring.slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch) {
            $0.elementsEqual(pattern(item.number, item.size))
        }
        return same && frame.pts == item.pts && frame.format == item.format
    }

    private func pin(
        _ ring: inout GOPRing, _ model: inout Model, _ reading: inout [Int: (clip: ClipRange, items: [Model.Item])],
        _ random: inout Campaign
    ) {
        let last = Int64.random(in: 0...70, using: &random) * second / 10
        guard case .clip(let clip) = ring.pin(last: last) else { return }
        let items = model.items
        // The key frame at or before, by looking at them all; and no older format.
        let target = model.newest - last
        let keys = model.gops.map { $0[0] }
        let newestFormat = items.last?.format
        let run = keys.reversed().prefix { $0.format == newestFormat }
        let wanted = run.first { $0.pts <= target } ?? run.last
        #expect(clip.start == wanted?.pts)
        model.pins[clip.slot] = Int(clip.first)..<Int(clip.end)
        reading[clip.slot] = (clip, Array(items[(Int(clip.first) - model.first)...]))
    }

    private func advance(
        _ ring: inout GOPRing, _ model: inout Model, _ reading: inout [Int: (clip: ClipRange, items: [Model.Item])],
        _ random: inout Campaign, _ seed: String
    ) {
        guard let (slot, work) = reading.randomElement(using: &random) else { return }
        let start = UInt64(model.pins[slot]?.lowerBound ?? 0)
        var chunk: [Frame] = []
        ring.copyFrames(
            from: start, to: work.clip.end, into: &chunk, limit: Int.random(in: 1...20, using: &random))
        for (offset, frame) in chunk.enumerated() {
            let item = work.items[Int(start - work.clip.first) + offset]
            let same = matches(ring, frame, item)
            #expect(same, "\(seed),: a pinned frame changed")
        }
        let next = start + UInt64(chunk.count)
        if next == work.clip.end {
            ring.pins.remove(slot)
            model.pins[slot] = nil
            reading[slot] = nil
        } else {
            ring.pins.advance(slot, to: next)
            model.pins[slot] = Int(next)..<Int(work.clip.end)
        }
    }
}
