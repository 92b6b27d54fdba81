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
