import Testing

@testable import ReplayBuffer

@Suite struct RingLayoutTests {
    /// The layout of version 1: files of it are on disks.
    @Test func versionOneNeverChanges() {
        #expect(MemoryLayout<Frame>.size == 48 && MemoryLayout<Frame>.stride == 48)
        #expect(MemoryLayout<Frame>.offset(of: \.position) == 0)
        #expect(MemoryLayout<Frame>.offset(of: \.pts) == 8)
        #expect(MemoryLayout<Frame>.offset(of: \.dts) == 16)
        #expect(MemoryLayout<Frame>.offset(of: \.duration) == 24)
        #expect(MemoryLayout<Frame>.offset(of: \.size) == 32)
        #expect(MemoryLayout<Frame>.offset(of: \.link) == 36)
        #expect(MemoryLayout<Frame>.offset(of: \.epoch) == 40)
        #expect(MemoryLayout<Frame>.offset(of: \.format) == 44)
        #expect(MemoryLayout<Frame>.offset(of: \.track) == 46)
        #expect(SegmentTable.stride == 72)
        #expect(MemoryLayout<SegmentTable.Entry>.offset(of: \.first) == 56)
        #expect(MemoryLayout<SegmentTable.Entry>.offset(of: \.format) == 64)
        #expect(MemoryLayout<Segment>.offset(of: \.wall) == 32)
        let layout = RingLayout(total: 64 << 20, wanted: 14_664, window: 60 * second)
        #expect(layout?.frames == 14_664 && layout?.segments == 184)
        #expect(layout?.indexPlace == 4096 + 2 * 131_072)
        #expect(layout?.total == 64 << 20)
        #expect(layout?.header[0] == 0x5941_4c50_4552_484d && layout?.header[1] == 1)
    }

    @Test func aHeaderIsReadOrSaysWhyNot() throws {
        let layout = try #require(RingLayout(total: 8 << 20, wanted: 1000, window: 60 * second))
        let good = layout.header
        #expect(RingLayout.read(good, size: layout.total) == .layout(layout))
        #expect(RingLayout.read([0, 0, 0, 0, 0, 0, 0, 0], size: 4096) == .blank)
        #expect(RingLayout.read([1, 2], size: 16) == .unusable("it is too short"))
        #expect(RingLayout.read([1] + good.dropFirst(), size: layout.total) == .unusable("it is no replay buffer"))
        #expect(
            RingLayout.read(good, size: 4096)
                == .unusable("it has 4096 bytes and not the 8388608 that its header says"))
        var newer = Array(good.dropLast())
        newer[1] = 2
        newer.append(RingDigest.of(newer))
        #expect(
            RingLayout.read(newer, size: layout.total)
                == .unusable("its layout has version 2; this is made for version 1"))
        for word in 1..<good.count {
            for bit in 0..<64 {
                var damaged = good
                damaged[word] ^= 1 << UInt64(bit)
                #expect(RingLayout.read(damaged, size: layout.total) == .unusable("its header is damaged"))
            }
        }
        // Whole, but of nothing that could be.
        var absurd = Array(good.dropLast())
        absurd[2] = .max
        absurd.append(RingDigest.of(absurd))
        #expect(RingLayout.read(absurd, size: layout.total) == .unusable("its header makes no sense"))
    }

    @Test func whatIsTooSmallIsNoLayout() {
        #expect(RingLayout(total: (4 << 20) - 1, wanted: 1000, window: second) == nil)
        #expect(RingLayout(total: 4 << 20, wanted: .max, window: .max) != nil)
        #expect(RingLayout(frames: -1, segments: 2, slab: 10) == nil)
        #expect(RingLayout(frames: 2, segments: 2, slab: .max) == nil)
    }
}
