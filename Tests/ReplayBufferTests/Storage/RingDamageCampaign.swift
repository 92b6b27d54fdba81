import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// Rings that somebody has written into: a reader keeps what is whole or says no, and never reads where nothing is.
@Suite struct RingDamageCampaign {
    @Test func aDamagedRingIsReadToFramesOrARefusal() throws {
        var campaign = Campaign(rounds: 20)
        let note = campaign.note
        var (kept, refused) = (0, 0)
        for round in 0..<campaign.rounds {
            let stored = try StoredRing(frames: Int.random(in: 50...600, using: &campaign))
            let tracks = Int.random(in: 1...2, using: &campaign)
            let store = ReplayStore(stored.begin(tracks: tracks))
            write(store, &campaign, tracks)
            try damage(stored, &campaign)
            let boot = Bool.random(using: &campaign) ? StoredRing.boot : "another boot"
            guard case .opened(let opened) = stored.look(tracks: tracks, boot: boot) else {
                refused += 1
                continue
            }
            kept += 1
            let next = ReplayStore(opened)
            let bad = read(next, isChecked: boot != StoredRing.boot)
            #expect(bad == 0, "\(note), round \(round): frames are not what was written")
            // It goes on as a ring does.
            write(next, &campaign, tracks)
            #expect(next.status.bytes <= next.capacity, "\(note), round \(round)")
            _ = next.timeline()
        }
        // A few rounds may all go one way.
        #expect(campaign.rounds < 1000 || (kept > 0 && refused > 0), "\(note): \(kept) kept, \(refused) refused")
    }

    private func write(_ store: ReplayStore, _ random: inout Campaign, _ tracks: Int) {
        store.format(Array("video/x-vp8".utf8).span, of: 0)
        let count = Int.random(in: 0...800, using: &random)
        let gop = Int.random(in: 1...30, using: &random)
        for number in 0..<count {
            var frame = Frame()
            let isSound = tracks == 2 && number % 3 == 1
            frame.track = isSound ? 1 : 0
            frame.isKey = !isSound && number % gop == 0
            let bytes = pattern(number, Int.random(in: 0...9000, using: &random))
            store.state.withLock { state in
                (frame.pts, frame.duration) = (state.ring.newestEnd, second / 30)
                frame.format = state.formats[frame.track]
                frame.epoch = UInt32(number)
                _ = state.ring.append(bytes.span.bytes, frame)
            }
        }
    }

    private func damage(_ stored: StoredRing, _ random: inout Campaign) throws {
        let base = stored.mapping.base
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            // Mostly where it counts: before the slab.
            let limit = Int.random(in: 0..<5, using: &random) == 0 ? stored.layout.total : stored.layout.slabPlace
            let place = Int.random(
                in: Int.random(in: 0..<3, using: &random) == 0 ? 0..<4096 : 4096..<limit, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: memset(base + place / 4096 * 4096, 0, 4096)
            case 1:
                base.storeBytes(
                    of: UInt64.random(in: .min ... .max, using: &random), toByteOffset: place / 8 * 8, as: UInt64.self)
            case 2:
                let from = Int.random(in: 0..<stored.layout.total / 4096, using: &random) * 4096
                memmove(base + place / 4096 * 4096, base + from, 4096)
            default:
                let byte = base.load(fromByteOffset: place, as: UInt8.self)
                base.storeBytes(
                    of: byte ^ (1 << UInt8.random(in: 0..<8, using: &random)), toByteOffset: place, as: UInt8.self)
            }
        }
    }

    /// Frames whose bytes are not those of a frame; all are read, whatever they say.
    private func read(_ store: ReplayStore, isChecked: Bool) -> Int {
        guard case .clip(let clip) = store.pin(last: nil) else { return 0 }
        defer { store.unpin(clip) }
        var (chunk, scratch, bad): ([Frame], [UInt8], Int) = ([], [], 0)
        var next = clip.first
        while next < clip.end {
            store.read(clip, from: next, into: &chunk)
            guard !chunk.isEmpty else { return bad + 1 }
            for frame in chunk {
                let isWhole = store.withBytes(of: frame, scratch: &scratch) { bytes in
                    guard isChecked, let start = bytes.baseAddress else { return true }
                    return memcmp(start, pattern(Int(frame.epoch), bytes.count), bytes.count) == 0
                }
                if !isWhole { bad += 1 }
            }
            next += UInt64(chunk.count)
        }
        return bad
    }

    /// A file on a disk, cut short and scribbled over: an instance starts or says why not.
    @Test func aDamagedFileIsSetAside() throws {
        var campaign = Campaign(rounds: 20)
        let directory = NSTemporaryDirectory() + "damage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = "\(directory)/ring"
        for round in 0..<min(campaign.rounds, 200) {
            switch Int.random(in: 0..<4, using: &campaign) {
            case 0: truncate(path, Int.random(in: 0..<4 << 20, using: &campaign))
            case 1: try Data("text".utf8).write(to: URL(fileURLWithPath: path))
            case 2:
                let file = open(path, O_RDWR)
                defer { close(file) }
                var bytes = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &campaign) }
                pwrite(file, &bytes, bytes.count, Int.random(in: 0..<400_000, using: &campaign))
            default: break
            }
            let fake = FakeHost()
            fake.setStateDirectory(directory)
            let instance = try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: ["video": "cam/v.src", "storage": "disk", "size": "4MiB"], in: fake)
            let tap = try instance.tap("cam/v.src")
            tap.startEpoch(1)
            tap.setFormat("video/x-vp8")
            tap.pushFrames(20, keyFrameEvery: 5, bytes: [1, 2, 3])
            #expect(try (instance.ask("status")["frames"]?.int ?? 0) >= 20, "\(campaign.note), round \(round)")
            instance.end()
        }
    }
}
