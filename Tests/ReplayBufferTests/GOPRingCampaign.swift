import HostTestKit
import Testing

@testable import ReplayBuffer

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

    private typealias Reading = [Int: (clip: ClipRange, items: [RingModel.Item])]

    private func run(_ random: inout Campaign, _ seed: String, operations: Int) throws {
        let bytes = Int.random(in: 200...5000, using: &random)
        let frames = Int.random(in: 2...200, using: &random)
        let window = Int64.random(in: 1...60, using: &random) * second / 10
        let tracks = Int.random(in: 1...2, using: &random)
        var ring = try GOPRing.make(bytes: bytes, frames: frames, window: window, tracks: tracks)
        var model = RingModel(bytes: bytes, frames: frames, window: window)
        var reading: Reading = [:]
        var (time, sound, format) = (Int64(0), Int64(0), UInt16(1))
        let gop = Int.random(in: 1...30, using: &random)
        for number in 0..<operations {
            var item: RingModel.Item?
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                ring.interrupt()
                model.skip = .needsKey
            case 1: format &+= 1
            case 2: pin(&ring, &model, &reading, &random, seed)
            case 3..<8: advance(&ring, &model, &reading, &random, seed)
            case 8 where Int.random(in: 0..<20, using: &random) == 0:
                ring.reset()
                model.reset()
            case 9..<40 where tracks == 2:
                // Sound may be ahead of the pictures or behind them, in order by itself.
                sound = max(sound + second / 20, time + Int64.random(in: -10...10, using: &random) * second / 10)
                item = RingModel.Item(
                    number: number, pts: sound, duration: second / 20,
                    size: Int.random(in: 0...bytes / 20, using: &random), format: 1, track: 1)
            default:
                let isKey = Int.random(in: 0..<gop, using: &random) == 0
                let size = Int.random(in: 0...(isKey ? bytes / 3 : bytes / 12), using: &random)
                let isLarge = Int.random(in: 0..<500, using: &random) == 0
                item = RingModel.Item(
                    number: number, pts: time, duration: second / 10, size: isLarge ? bytes + 1 : size, format: format,
                    isKey: isKey)
                time += second / 10
            }
            if let item { append(item, &ring, &model, seed) }
            if number % 16 == 0 { compare(ring, model, seed, number) }
        }
    }

    private func append(
        _ item: RingModel.Item, _ ring: inout GOPRing, _ model: inout RingModel, _ seed: String
    ) {
        var frame = Frame()
        (frame.pts, frame.duration, frame.isKey, frame.format) = (item.pts, item.duration, item.isKey, item.format)
        frame.track = item.track
        let content = pattern(item.number, item.size)
        let expected = model.append(item)
        let outcome = ring.append(content.span.bytes, frame)
        #expect(outcome == expected, "\(seed), operation \(item.number)")
    }

    private func compare(_ ring: borrowing GOPRing, _ model: RingModel, _ seed: String, _ number: Int) {
        #expect(ring.count == model.items.count, "\(seed), operation \(number)")
        #expect(ring.gops == model.keys.count, "\(seed), operation \(number)")
        #expect(Int(ring.tail) == model.first, "\(seed), operation \(number)")
        #expect(Int(ring.firstKey) == model.keys.first ?? model.end, "\(seed), operation \(number)")
        guard ring.count == model.items.count else { return }
        if !model.keys.isEmpty { #expect(ring.newestEnd == model.newest, "\(seed), operation \(number)") }
        for (offset, item) in model.items.enumerated() {
            let frame = ring[ring.tail + UInt64(offset)]
            let same = matches(ring, frame, item)
            #expect(same, "\(seed), operation \(number) frame \(item.number)")
        }
    }

    private func matches(_ ring: borrowing GOPRing, _ frame: Frame, _ item: RingModel.Item) -> Bool {
        var scratch: [UInt8] = []
        let same = ring.slab.withBytes(at: frame.position, count: Int(frame.size), scratch: &scratch) {
            $0.elementsEqual(pattern(item.number, item.size))
        }
        return same && frame.pts == item.pts && frame.format == item.format && frame.track == item.track
    }

    private func pin(
        _ ring: inout GOPRing, _ model: inout RingModel, _ reading: inout Reading, _ random: inout Campaign,
        _ seed: String
    ) {
        // A quarter of what may run at a time: with more, everything is pinned always.
        guard reading.count < PinSet.limit / 4 else { return }
        let last = Int64.random(in: 0...70, using: &random) * second / 10
        guard case .clip(let clip) = ring.pin(last: last) else {
            #expect(model.keys.isEmpty, "\(seed)")
            return
        }
        // The key frame at or before, by looking at them all; and no older format.
        let target = model.newest - last
        let newestFormat = model.keys.last.map { model.item($0).format }
        let run = model.keys.reversed().prefix { model.item($0).format == newestFormat }
        let wanted = run.first { model.item($0).pts <= target } ?? run.last
        #expect(wanted.map { UInt64($0) } == clip.key, "\(seed)")
        #expect(clip.start == wanted.map { model.item($0).pts }, "\(seed)")
        #expect(wanted.map { UInt64(model.lead(of: $0)) } == clip.first, "\(seed)")
        guard clip.first >= model.first, clip.end <= model.end else { return }
        model.pins[clip.slot] = Int(clip.first)..<Int(clip.end)
        reading[clip.slot] = (clip, Array(model.items[(Int(clip.first) - model.first)...]))
    }

    private func advance(
        _ ring: inout GOPRing, _ model: inout RingModel, _ reading: inout Reading, _ random: inout Campaign,
        _ seed: String
    ) {
        guard let (slot, work) = reading.randomElement(using: &random) else { return }
        let start = UInt64(model.pins[slot]?.lowerBound ?? 0)
        var chunk: [Frame] = []
        ring.copyFrames(
            from: start, to: work.clip.end, into: &chunk, limit: Int.random(in: 1...20, using: &random))
        for (offset, frame) in chunk.enumerated() {
            let item = work.items[Int(start - work.clip.first) + offset]
            let same = matches(ring, frame, item)
            #expect(same, "\(seed): a pinned frame changed")
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
