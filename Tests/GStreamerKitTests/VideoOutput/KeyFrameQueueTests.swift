import HostTestKit
import Testing

@testable import GStreamerKit

@Suite struct KeyFrameQueueTests {
    private typealias Queue = KeyFrameQueue<Int>

    @Test func beginsWithTheNewestKeyFrameThatIsDue() {
        var queue = Queue()
        var dropped: [Int] = []
        for (item, kind) in [
            (0, Queue.Kind.event), (1, .key(.seconds(0))), (2, .delta), (3, .key(.seconds(1))), (4, .delta),
            (5, .key(.seconds(2))),
        ] { queue.append(item, kind, bytes: 10) }
        #expect(queue.advance(to: .seconds(1)) { item, _ in dropped.append(item) })
        #expect(dropped == [0, 1, 2] && queue.beginsWithKey && queue.count == 3 && queue.bytes == 30)
        // The next is still ahead of its time.
        #expect(queue.advance(to: .milliseconds(1999)) { item, _ in dropped.append(item) } && dropped.count == 3)
        #expect(queue.popFirst() == 3 && !queue.beginsWithKey && queue.popFirst() == 4 && queue.beginsWithKey)
    }

    @Test func keepsAllWhereNoKeyFrameIsDue() {
        var queue = Queue()
        queue.append(1, .delta, bytes: 1)
        queue.append(2, .key(.seconds(5)), bytes: 1)
        let isDue = queue.advance(to: .seconds(4)) { _, _ in Issue.record("nothing is to go") }
        #expect(!isDue && queue.count == 2)
    }

    @Test func whoHasNothingElseBeginsWithTheFirstKeyFrame() {
        var queue = Queue()
        for (item, kind) in [(1, Queue.Kind.delta), (2, .event), (3, .key(.seconds(9))), (4, .delta)] {
            queue.append(item, kind, bytes: 1)
        }
        var dropped: [Int] = []
        queue.dropToKey { item, _ in dropped.append(item) }
        #expect(dropped == [1, 2] && queue.beginsWithKey && queue.count == 2)
    }

    @Test func aKeyFrameWithoutATimeIsDueAtOnce() {
        var queue = Queue()
        queue.append(1, .delta, bytes: 1)
        queue.append(2, .key(nil), bytes: 1)
        var dropped: [Int] = []
        let isDue = queue.advance(to: .zero) { item, _ in dropped.append(item) }
        #expect(isDue && dropped == [1])
    }

    /// Beside a plain array.
    @Test func doesWhatAPlainArrayDoes() {
        var campaign = Campaign(rounds: 200)
        for _ in 0..<campaign.rounds {
            var queue = Queue()
            var model: [(item: Int, kind: Queue.Kind)] = []
            for item in 0..<Int.random(in: 1...900, using: &campaign) {
                switch Int.random(in: 0..<11, using: &campaign) {
                case 0..<6:
                    let kinds: [Queue.Kind] = [.delta, .delta, .delta, .event, .key(.seconds(Int64(item))), .key(nil)]
                    let kind = kinds.randomElement(using: &campaign) ?? .delta
                    queue.append(item, kind, bytes: 3)
                    model.append((item, kind))
                case 6, 7:
                    let expected = model.isEmpty ? nil : model.removeFirst().item
                    let found = queue.popFirst()
                    #expect(found == expected, "\(campaign.note)")
                case 8:
                    let now = ClockTime.seconds(Int64(Int.random(in: 0...item, using: &campaign)))
                    let place = model.lastIndex {
                        guard case .key(let time) = $0.kind else { return false }
                        return (time ?? .zero) <= now
                    }
                    let expected = place.map { model[..<$0].map(\.item) } ?? []
                    var dropped: [Int] = []
                    let isDue = queue.advance(to: now) { item, _ in dropped.append(item) }
                    #expect(dropped == expected && isDue == (place != nil), "\(campaign.note)")
                    model.removeFirst(expected.count)
                case 9:
                    queue.prepend(item, .key(.seconds(Int64(item))), bytes: 3)
                    model.insert((item, .key(.seconds(Int64(item)))), at: 0)
                default:
                    guard Int.random(in: 0..<20, using: &campaign) == 0 else { break }
                    if Bool.random(using: &campaign) {
                        queue.removeAll { _, _ in }
                        model = []
                    } else {
                        queue.dropBuffers { _ in }
                        model.removeAll { $0.kind != .event }
                    }
                }
                var beginsWithKey = false
                if case .key = model.first?.kind { beginsWithKey = true }
                #expect(
                    queue.count == model.count && queue.bytes == model.count * 3 && queue.isEmpty == model.isEmpty
                        && queue.beginsWithKey == beginsWithKey, "\(campaign.note)")
            }
        }
    }
}
