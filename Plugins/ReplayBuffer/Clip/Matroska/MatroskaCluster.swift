/// Frames that follow each other in one cluster of a Matroska file (RFC 9559).
///
/// Pure.
struct MatroskaCluster {
    struct Frame {
        /// The number of its track in the file.
        var track: UInt64
        var isPicture: Bool
        /// Milliseconds, as all here.
        var time: Int64
        /// By which frames are put into their order; it never goes back within a track.
        var order: Int64
        var isKey: Bool
        /// Where it is another than the track's usual one.
        var duration: Int64?
        /// From the frame, where it is no key frame.
        var reference: Int64
        var bytes: [UInt8]
    }

    private(set) var frames: [Frame] = []
    /// Of the frames.
    private(set) var size = 0
    /// The first of all times.
    private(set) var time: Int64 = .max
    private var last: Int64 = .min

    /// A cluster that is longer gets no more; bytes, and milliseconds. Players buffer a whole one, and times in it are 16 bits.
    static let mostBytes = 4 << 20
    private static let mostTime: Int64 = 5000
    /// One that is shorter does not end at a key picture: where all are, each would be a cluster.
    private static let leastTime: Int64 = 500

    /// Whether a frame is to begin another one.
    func ends(before frame: Frame) -> Bool {
        guard !frames.isEmpty else { return false }
        let span = max(last, frame.time) - min(time, frame.time)
        return size >= Self.mostBytes || span > Self.mostTime
            || frame.isPicture && frame.isKey && frame.time - time >= Self.leastTime
    }

    mutating func add(_ frame: Frame) {
        frames.append(frame)
        size += frame.bytes.count
        time = min(time, frame.time)
        last = max(last, frame.time)
    }

    /// The element, behind what is in `file` already.
    func append(to file: inout [UInt8]) {
        let heads = frames.map(head)
        let timestamp = EBML.element(MatroskaID.timestamp, number: UInt64(max(0, time)))
        file.appendHead(MatroskaID.cluster, size: timestamp.count + heads.reduce(size) { $0 + $1.count })
        file += timestamp
        for (frame, head) in zip(frames, heads) {
            file += head
            file += frame.bytes
        }
    }

    /// What comes before the bytes of a frame.
    private func head(of frame: Frame) -> [UInt8] {
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
        head.append(UInt64(UInt16(bitPattern: Int16(clamping: frame.time - time))), bytes: 2)
        head.append(frame.isKey && frame.duration == nil ? 0x80 : 0, bytes: 1)
        return head
    }
}
