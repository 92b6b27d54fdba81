import PluginKit

/// The tracks of a Matroska file (RFC 9559), as matroskamux describes them: it gets one frame of each, and its element `Tracks` is
/// taken over.
///
/// Pure.
struct MatroskaTracks: Equatable, Sendable {
    struct Track: Equatable, Sendable {
        var number: UInt64
        var isVideo = false
        /// How long a frame is where its block does not say so; nanoseconds.
        var usualDuration: UInt64?
        /// What every time of the track is later by in the file; nanoseconds.
        var delay: UInt64 = 0
    }

    /// Of all tracks, in the order of the clip's.
    let tracks: [Track]
    /// The element, all of it.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - file: what matroskamux wrote.
    ///   - durations: of the frames that it was given, one of each track; nanoseconds.
    init(file: [UInt8], durations: [Int64?]) throws(EBML.Damaged) {
        let file = EBML(bytes: file)
        guard
            let segment = try file.elements(in: 0..<file.bytes.count).first(where: { $0.id == MatroskaID.segment }),
            let all = try file.children(of: segment).first(where: { $0.id == MatroskaID.tracks })
        else { throw EBML.Damaged() }
        var tracks: [Track] = []
        var bytes = file.bytes
        for entry in try file.children(of: all) where entry.id == MatroskaID.trackEntry {
            var track = Track(number: 0)
            var usual: EBML.Element?
            for element in try file.children(of: entry) {
                switch element.id {
                case MatroskaID.trackType: track.isVideo = try file.number(of: element) == 1
                case MatroskaID.trackNumber: track.number = try file.number(of: element)
                case MatroskaID.defaultDuration:
                    track.usualDuration = try file.number(of: element)
                    usual = element
                case MatroskaID.codecDelay: track.delay = try file.number(of: element)
                default: break
                }
            }
            // A block says it in one byte.
            guard (1..<127).contains(track.number) else { throw EBML.Damaged() }
            guard tracks.count < durations.count else { throw EBML.Damaged() }
            // matroskamux (1.22) takes the delay for a part of the first frame.
            if let usual, let its = track.usualDuration, let duration = durations[tracks.count], track.delay > 0,
                its > track.delay, (Int64(clamping: its - track.delay) &- duration).magnitude < 1000
            {
                track.usualDuration = its - track.delay
                bytes.put(its - track.delay, at: usual.body, bytes: usual.end - usual.body)
            }
            tracks.append(track)
        }
        guard tracks.count == durations.count else { throw EBML.Damaged() }
        self.tracks = tracks
        self.bytes = Array(bytes[all.start..<all.end])
    }
}

enum MatroskaID {
    static let header: UInt32 = 0x1A45_DFA3
    static let docType: UInt32 = 0x4282
    static let docTypeVersion: UInt32 = 0x4287
    static let docTypeReadVersion: UInt32 = 0x4285
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let seek: UInt32 = 0x4DBB
    static let seekID: UInt32 = 0x53AB
    static let seekPosition: UInt32 = 0x53AC
    static let info: UInt32 = 0x1549_A966
    static let timestampScale: UInt32 = 0x2AD7B1
    static let duration: UInt32 = 0x4489
    static let muxingApp: UInt32 = 0x4D80
    static let writingApp: UInt32 = 0x5741
    static let tracks: UInt32 = 0x1654_AE6B
    static let trackEntry: UInt32 = 0xAE
    static let trackNumber: UInt32 = 0xD7
    static let trackType: UInt32 = 0x83
    static let defaultDuration: UInt32 = 0x23E383
    static let codecDelay: UInt32 = 0x56AA
    static let cluster: UInt32 = 0x1F43_B675
    static let timestamp: UInt32 = 0xE7
    static let simpleBlock: UInt32 = 0xA3
    static let blockGroup: UInt32 = 0xA0
    static let block: UInt32 = 0xA1
    static let blockDuration: UInt32 = 0x9B
    static let referenceBlock: UInt32 = 0xFB
    static let cues: UInt32 = 0x1C53_BB6B
    static let cuePoint: UInt32 = 0xBB
    static let cueTime: UInt32 = 0xB3
    static let cueTrackPositions: UInt32 = 0xB7
    static let cueTrack: UInt32 = 0xF7
    static let cueClusterPosition: UInt32 = 0xF1
}
