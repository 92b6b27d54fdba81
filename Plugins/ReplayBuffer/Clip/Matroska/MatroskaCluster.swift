/// The frames of one cluster, until it is written. Tracks come as they arrived, of which one may be far ahead of another; readers want them
/// by time, and take the time of a file's first cluster for that of its beginning.
///
/// Pure.
struct MatroskaCluster {
    struct Frame {
        /// The number of its track in the file.
        var track: UInt64
        /// Milliseconds, as all here.
        var time: Int64
        /// By which frames are put into their order; it never goes back within a track.
        var order: Int64
        var isKey: Bool
        /// Where it is another than the track's usual one.
        var duration: Int64?
        /// From the frame, where it is no key frame.
        var reference: Int64
        fileprivate var bytes = 0..<0

        init(track: UInt64, time: Int64, order: Int64, isKey: Bool, duration: Int64? = nil, reference: Int64 = -1) {
            self.track = track
            self.time = time
            self.order = order
            self.isKey = isKey
            self.duration = duration
            self.reference = reference
        }
    }

    private(set) var frames: [Frame] = []
    private(set) var bytes: [UInt8] = []

    /// The first of all times.
    var time: Int64 { frames.map(\.time).min() ?? 0 }

    mutating func add(_ frame: Frame, _ append: (inout [UInt8]) -> Void) {
        var frame = frame
        let start = bytes.count
        append(&bytes)
        frame.bytes = start..<bytes.count
        frames.append(frame)
    }

    mutating func removeAll() {
        frames.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The element, behind what is in `file` already.
    func append(to file: inout [UInt8]) {
        let time = time
        let sorted = frames.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        let heads = sorted.map { head(of: $0.element, from: time) }
        let timestamp = EBML.element(MatroskaID.timestamp, number: UInt64(max(0, time)))
        file.appendHead(
            MatroskaID.cluster, size: timestamp.count + heads.reduce(0) { $0 + $1.count } + bytes.count)
        file += timestamp
        for (frame, head) in zip(sorted, heads) {
            file += head
            file += bytes[frame.element.bytes]
        }
    }

    /// What comes before the bytes of a frame.
    private func head(of frame: Frame, from start: Int64) -> [UInt8] {
        var head: [UInt8] = []
        let size = frame.bytes.count + 4
        if let duration = frame.duration {
            var more = EBML.element(MatroskaID.blockDuration, number: UInt64(max(0, duration)))
            if !frame.isKey {
                var signed: [UInt8] = []
                signed.append(UInt64(bitPattern: frame.reference), bytes: 8)
                more += EBML.element(MatroskaID.referenceBlock, signed)
            }
            var block: [UInt8] = []
            block.appendHead(MatroskaID.block, size: size)
            head.appendHead(MatroskaID.blockGroup, size: more.count + block.count + size)
            head += more + block
        } else {
            head.appendHead(MatroskaID.simpleBlock, size: size)
        }
        head.appendLength(Int(frame.track))
        head.append(UInt64(UInt16(bitPattern: Int16(clamping: frame.time - start))), bytes: 2)
        head.append(frame.isKey && frame.duration == nil ? 0x80 : 0, bytes: 1)
        return head
    }
}
