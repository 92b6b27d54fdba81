/// A Matroska file (RFC 9559) around its frames: what comes first, clusters of blocks, and the cues at the end. Times in it are
/// milliseconds.
///
/// Pure.
struct MatroskaLayout {
    /// What of the head is known at the end only is written there again: where things are, how long they and the film are.
    struct End {
        var cues: Int
        var size: Int
        /// Milliseconds.
        var duration: Double
    }

    /// Where a cluster begins, for whoever looks for a place.
    struct Cue {
        var time: Int64
        var track: UInt64
        /// From the beginning of the file.
        var cluster: Int
    }

    let tracks: MatroskaTracks

    private static let header = EBML.element(
        MatroskaID.header,
        EBML.element(MatroskaID.docType, text: "matroska") + EBML.element(MatroskaID.docTypeVersion, number: 4)
            + EBML.element(MatroskaID.docTypeReadVersion, number: 2))
    /// Where the content of the segment begins: behind its id and 8 bytes of length. Places in the file are counted from there.
    private static let body = header.count + 12

    /// The file up to the first cluster; of the same length with any end.
    func head(_ end: End?) -> [UInt8] {
        var bytes = Self.header
        bytes.append(UInt64(MatroskaID.segment), bytes: 4)
        // All bits set: unknown.
        bytes.append(end.map { 1 << 56 | UInt64($0.size - Self.body) } ?? 0x01FF_FFFF_FFFF_FFFF, bytes: 8)
        let info = EBML.element(
            MatroskaID.info,
            EBML.element(MatroskaID.timestampScale, number: 1_000_000)
                + EBML.element(MatroskaID.muxingApp, text: "mediahost")
                + EBML.element(MatroskaID.writingApp, text: "mediahost")
                + EBML.element(MatroskaID.duration, real: end?.duration ?? 0))
        // Twice: the places behind it depend on its length, which depends on no place.
        let length = seekHead(info: 0, tracks: 0, cues: 0).count
        bytes += seekHead(
            info: length, tracks: length + info.count, cues: end.map { $0.cues - Self.body } ?? length + info.count)
        return bytes + info + tracks.bytes
    }

    private func seekHead(info: Int, tracks: Int, cues: Int) -> [UInt8] {
        let places = [(MatroskaID.info, info), (MatroskaID.tracks, tracks), (MatroskaID.cues, cues)]
        return EBML.element(
            MatroskaID.seekHead,
            places.flatMap { id, place in
                var (name, position): ([UInt8], [UInt8]) = ([], [])
                name.append(UInt64(id), bytes: 4)
                position.append(UInt64(place), bytes: 8)
                return EBML.element(
                    MatroskaID.seek,
                    EBML.element(MatroskaID.seekID, name) + EBML.element(MatroskaID.seekPosition, position))
            })
    }

    /// What comes before the blocks of a cluster.
    func cluster(at time: Int64, blocks: Int) -> [UInt8] {
        let timestamp = EBML.element(MatroskaID.timestamp, number: UInt64(max(0, time)))
        var bytes: [UInt8] = []
        bytes.appendHead(MatroskaID.cluster, size: timestamp.count + blocks)
        return bytes + timestamp
    }

    /// What comes before the bytes of a frame, which follow it.
    /// - Parameters:
    ///   - time: from the cluster's.
    ///   - duration: where it is another than the track's usual one.
    ///   - reference: from the frame, where it is no key frame.
    func block(
        of track: UInt64, at time: Int16, size: Int, isKey: Bool, duration: Int64?, reference: Int64
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func appendBlock(_ id: UInt32, _ flags: UInt64) {
            bytes.appendHead(id, size: size + 4)
            bytes.appendLength(Int(track))
            bytes.append(UInt64(UInt16(bitPattern: time)), bytes: 2)
            bytes.append(flags, bytes: 1)
        }
        guard let duration else {
            appendBlock(MatroskaID.simpleBlock, isKey ? 0x80 : 0)
            return bytes
        }
        var more = EBML.element(MatroskaID.blockDuration, number: UInt64(max(0, duration)))
        if !isKey {
            var signed: [UInt8] = []
            signed.append(UInt64(bitPattern: reference), bytes: 8)
            more += EBML.element(MatroskaID.referenceBlock, signed)
        }
        var head: [UInt8] = []
        head.appendHead(MatroskaID.block, size: size + 4)
        bytes.appendHead(MatroskaID.blockGroup, size: more.count + head.count + size + 4)
        bytes += more
        appendBlock(MatroskaID.block, 0)
        return bytes
    }

    func cues(_ cues: [Cue]) -> [UInt8] {
        EBML.element(
            MatroskaID.cues,
            cues.flatMap { cue in
                EBML.element(
                    MatroskaID.cuePoint,
                    EBML.element(MatroskaID.cueTime, number: UInt64(max(0, cue.time)))
                        + EBML.element(
                            MatroskaID.cueTrackPositions,
                            EBML.element(MatroskaID.cueTrack, number: cue.track)
                                + EBML.element(MatroskaID.cueClusterPosition, number: UInt64(cue.cluster - Self.body))))
            })
    }
}
