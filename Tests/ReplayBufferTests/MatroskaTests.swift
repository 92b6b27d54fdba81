import Foundation
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// Clips in Matroska that are written here, element by element and through its demuxer.
@Suite struct MatroskaTests {
    /// A file that is gone with the test.
    private final class File {
        let path = NSTemporaryDirectory() + "matroska-\(UUID().uuidString).mkv"
        let descriptor: Int32

        init() throws {
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        var bytes: [UInt8] { ((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()).map { $0 } }
    }

    private func write(_ streams: [EncodedStream], to file: File) throws {
        let tracks = streams.map {
            ClipTrack(caps: $0.caps, first: $0.units.first?.bytes ?? [], duration: $0.units.first?.duration)
        }
        let writer = try Container.matroska.writer(file.descriptor, tracks)
        defer { writer.stop() }
        var next = Array(repeating: 0, count: streams.count)
        func time(_ track: Int) -> Int64? {
            let units = streams[track].units
            return next[track] < units.count ? units[next[track]].dts ?? units[next[track]].pts : nil
        }
        while let track = streams.indices.filter({ time($0) != nil }).min(by: { time($0) ?? 0 < time($1) ?? 0 }) {
            let unit = streams[track].units[next[track]]
            next[track] += 1
            try unit.bytes.withUnsafeBytes { bytes in
                try writer.write(
                    bytes, ClipUnit(pts: unit.pts, dts: unit.dts, duration: unit.duration, isKey: !unit.isDelta),
                    track: track
                ) { false }
            }
            if next[track] == streams[track].units.count { writer.end(track: track) }
        }
        try writer.finish { false }
    }

    private func sound(_ frequency: Int) throws -> EncodedStream {
        try EncodedStream.record(
            """
            audiotestsrc num-buffers=300 samplesperbuffer=960 freq=\(frequency) ! audio/x-raw,rate=48000,channels=2
            ! avenc_aac ! aacparse name=probe ! audio/mpeg,stream-format=adts ! fakesink
            """)
    }

    /// Start codes, ADTS, pictures that are reordered, two tracks of sound: all of it comes back, and the file's own places are right.
    @Test func whatWasWrittenIsThere() throws {
        let video = try NumberedPictures.h264(150, gop: 25, bFrames: 2)
        let sounds = try [sound(440), sound(880)]
        let file = try File()
        try write([video] + sounds, to: file)
        #expect(try NumberedPictures.numbers(file.path) == Array(0..<150))
        let read = try EncodedStream.record(
            """
            filesrc location="\(file.path)" ! matroskademux name=d
            d.video_0 ! queue max-size-time=0 max-size-bytes=0 ! h264parse name=probe ! fakesink async=false
            d.audio_0 ! queue max-size-time=0 max-size-bytes=0 ! aacparse name=one ! fakesink async=false
            d.audio_1 ! queue max-size-time=0 max-size-bytes=0 ! aacparse name=two ! fakesink async=false
            """, probes: ["probe", "one", "two"])
        for (found, made) in zip(read.dropFirst(), sounds) {
            #expect(found.units.map(\.bytes) == made.units.map { Array($0.bytes.dropFirst(7)) })
            #expect(zip(found.units, made.units).allSatisfy { abs($0.pts - $1.pts) < 1_000_000 })
        }
        #expect(read[0].units.count == 150)

        let bytes = EBML(bytes: file.bytes)
        let top = try bytes.elements(in: 0..<bytes.bytes.count)
        #expect(top.map(\.id) == [MatroskaID.header, MatroskaID.segment] && top.last?.end == bytes.bytes.count)
        let segment = try #require(top.last)
        let elements = try bytes.children(of: segment)
        func all(_ id: UInt32, of element: EBML.Element) throws -> [EBML.Element] {
            try bytes.children(of: element).filter { $0.id == id }
        }
        func number(_ id: UInt32, of element: EBML.Element) throws -> Int {
            Int(try bytes.number(of: #require(try all(id, of: element).first)))
        }
        // The head knows where all is.
        let head = try #require(elements.first { $0.id == MatroskaID.seekHead })
        let seeks = try all(MatroskaID.seek, of: head)
        #expect(seeks.count == 3)
        for seek in seeks {
            let place = segment.body + (try number(MatroskaID.seekPosition, of: seek))
            #expect(elements.first { $0.start == place }?.id == UInt32(try number(MatroskaID.seekID, of: seek)))
        }
        let info = try #require(elements.first { $0.id == MatroskaID.info })
        let length = Double(bitPattern: UInt64(try number(MatroskaID.duration, of: info)))
        #expect(abs(length * 1_000_000 - Double(150 * NumberedPictures.step)) < 50_000_000, "\(length) ms")
        // A cue for each key frame, at a cluster that begins with it.
        let cues = try all(MatroskaID.cuePoint, of: #require(elements.first { $0.id == MatroskaID.cues }))
        #expect(cues.count == 6)
        for (index, cue) in cues.enumerated() {
            let time = try number(MatroskaID.cueTime, of: cue)
            #expect(abs(Int64(time) * 1_000_000 - Int64(index * 25) * NumberedPictures.step) < 1_000_000)
            let position = try #require(try all(MatroskaID.cueTrackPositions, of: cue).first)
            let place = segment.body + (try number(MatroskaID.cueClusterPosition, of: position))
            let cluster = try #require(elements.first { $0.start == place })
            #expect(cluster.id == MatroskaID.cluster)
            let start = try number(MatroskaID.timestamp, of: cluster)
            // Of its track, at that time, a key frame.
            let keys = try all(MatroskaID.simpleBlock, of: cluster).filter { block in
                let head = bytes.bytes[block.body..<block.body + 4].map { Int($0) }
                return head[0] == 0x81 && head[3] == 0x80 && start + (head[1] << 8 | head[2]) == time
            }
            #expect(keys.count == 1)
        }
    }

    /// Sound that comes seconds before its pictures, or behind them: the file begins with what is first, and whoever seeks to a key picture
    /// finds all sound from there on behind it.
    @Test(arguments: [-4, -1, 1, 3, 8])
    func soundIsWithItsPictures(_ lead: Int64) throws {
        let video = try NumberedPictures.h264(300, gop: 20, bFrames: 2)
        var tone = try sound(440)
        tone.units.append(
            contentsOf: tone.units.map { unit in
                var unit = unit
                unit.pts += 6400 * second / 1000
                unit.dts = unit.dts.map { $0 + 6400 * second / 1000 }
                return unit
            })
        let file = try File()
        let writer = try Container.matroska.writer(
            file.descriptor, [video, tone].map { ClipTrack(caps: $0.caps, first: $0.units[0].bytes) })
        var arrivals = video.units.map { (at: $0.dts ?? $0.pts, track: 0, unit: $0) }
        arrivals += tone.units.map { (at: $0.pts - lead * second, track: 1, unit: $0) }
        arrivals.sort { $0.at < $1.at }
        for (_, track, unit) in arrivals {
            try unit.bytes.withUnsafeBytes { bytes in
                try writer.write(
                    bytes, ClipUnit(pts: unit.pts, dts: unit.dts, duration: unit.duration, isKey: !unit.isDelta),
                    track: track
                ) { false }
            }
        }
        try writer.finish { false }
        #expect(try NumberedPictures.numbers(file.path) == Array(0..<300))
        let read = try EncodedStream.record(
            """
            filesrc location="\(file.path)" ! matroskademux name=d
            d.video_0 ! queue max-size-time=0 max-size-bytes=0 max-size-buffers=0 ! h264parse name=probe ! fakesink async=false
            d.audio_0 ! queue max-size-time=0 max-size-bytes=0 max-size-buffers=0 ! aacparse name=sound ! fakesink async=false
            """, probes: ["probe", "sound"])
        #expect(read[1].units.count == tone.units.count)
        #expect(zip(read[1].units, tone.units).allSatisfy { abs($0.pts - $1.pts) < 1_000_000 })
        let blocks = try blocks(of: file)
        // All by time: of each track, and of both.
        for place in blocks.indices.dropFirst() where blocks[place].track == 2 {
            let later = blocks[..<place].contains { $0.track == 1 && $0.isKey && $0.time > blocks[place].time + 150 }
            #expect(!later, "sound of \(blocks[place].time) ms")
        }
        #expect(blocks.count == video.units.count + tone.units.count)
    }

    private func blocks(of file: File) throws -> [(track: Int, time: Int, isKey: Bool)] {
        let bytes = EBML(bytes: file.bytes)
        let segment = try #require(try bytes.elements(in: 0..<bytes.bytes.count).last)
        var blocks: [(Int, Int, Bool)] = []
        for cluster in try bytes.children(of: segment) where cluster.id == MatroskaID.cluster {
            var start = 0
            for element in try bytes.children(of: cluster) {
                if element.id == MatroskaID.timestamp { start = Int(try bytes.number(of: element)) }
                let block =
                    element.id == MatroskaID.blockGroup
                    ? try bytes.children(of: element).first { $0.id == MatroskaID.block } : element
                guard let block, [MatroskaID.block, MatroskaID.simpleBlock].contains(block.id) else { continue }
                let head = bytes.bytes[block.body..<block.body + 4].map { Int($0) }
                let time = Int(Int16(truncatingIfNeeded: head[1] << 8 | head[2]))
                blocks.append((head[0] & 0x7F, start + time, head[3] & 0x80 != 0))
            }
        }
        return blocks
    }

    /// Where all are key pictures, not each is a cluster.
    @Test func keyPicturesShareAClusterWhereTheyAreMany() throws {
        let stream = try EncodedStream.record(
            "videotestsrc num-buffers=120 ! video/x-raw,width=64,height=48,framerate=60/1 ! jpegenc ! identity name=probe ! fakesink"
        )
        let file = try File()
        try write([stream], to: file)
        let bytes = EBML(bytes: file.bytes)
        let segment = try #require(try bytes.elements(in: 0..<bytes.bytes.count).last)
        let clusters = try bytes.children(of: segment).filter { $0.id == MatroskaID.cluster }
        #expect((3...5).contains(clusters.count), "\(clusters.count)")
        #expect(try blocks(of: file).count == 120)
    }

    /// No usual duration: each picture says its own.
    @Test func picturesOfAnyLengthSayIt() throws {
        var video = try NumberedPictures.h264(10, gop: 10, bFrames: 0)
        video.caps = video.caps.replacing(/framerate=\(fraction\)[0-9]+\/[0-9]+/, with: "framerate=(fraction)0/1")
        var time: Int64 = 0
        for place in video.units.indices {
            video.units[place].pts = time
            video.units[place].dts = nil
            video.units[place].duration = Int64(place + 1) * 100_000_000
            time += Int64(place + 1) * 100_000_000
        }
        let file = try File()
        try write([video], to: file)
        let read = try EncodedStream.record(
            "filesrc location=\"\(file.path)\" ! matroskademux ! identity name=probe ! fakesink")
        #expect(read.units.map(\.duration) == video.units.map(\.duration))
        #expect(read.units.map(\.pts) == video.units.map(\.pts))
    }

    /// A buffer with more than one frame of ADTS: the parser takes it apart.
    @Test func severalFramesInOneBufferAreTakenApart() throws {
        var tone = try sound(440)
        let frames = Array(tone.units.prefix(270))
        tone.units = stride(from: 0, to: frames.count, by: 3).map { place in
            var unit = frames[place]
            unit.bytes = frames[place..<place + 3].flatMap(\.bytes)
            unit.duration = frames[place].duration.map { 3 * $0 }
            return unit
        }
        let file = try File()
        try write([tone], to: file)
        #expect(contains(file, "GStreamer"))
        let read = try EncodedStream.record(
            "filesrc location=\"\(file.path)\" ! matroskademux ! aacparse name=probe ! fakesink")
        #expect(read.units.map(\.bytes) == frames.map { Array($0.bytes.dropFirst(7)) })
    }

    /// As they come, without a parser.
    @Test(arguments: [
        "videotestsrc num-buffers=30 ! video/x-raw,width=64,height=48,framerate=30/1 ! vp8enc deadline=1 ! ",
        "videotestsrc num-buffers=30 ! video/x-raw,width=64,height=48,framerate=30/1 ! jpegenc ! ",
        "audiotestsrc num-buffers=30 ! audioconvert ! audio/x-raw,format=S16LE,channels=2 ! ",
        "audiotestsrc num-buffers=30 ! audioconvert ! opusenc ! ",
    ])
    func otherFormatsAreThereToo(_ source: String) throws {
        let stream = try EncodedStream.record(source + "identity name=probe ! fakesink")
        let file = try File()
        try write([stream], to: file)
        #expect(contains(file, "mediahost"))
        let read = try EncodedStream.record(
            "filesrc location=\"\(file.path)\" ! matroskademux ! identity name=probe ! fakesink")
        #expect(read.units.map(\.bytes) == stream.units.map(\.bytes))
        // The demuxer counts from the first time in the file, and that is later by what Opus' decoder leaves out.
        let first = (read.units.first?.pts ?? 0) - (stream.units.first?.pts ?? 0)
        #expect(first == (stream.caps.hasPrefix("audio/x-opus") ? -6_500_000 : 0))
        #expect(
            zip(read.units, stream.units).allSatisfy { abs($0.pts - first - $1.pts) < 1_000_000 },
            "\(read.units.map(\.pts)) \(stream.units.map(\.pts))")
        #expect(
            zip(read.units, stream.units).allSatisfy { abs(($0.duration ?? 0) - ($1.duration ?? 0)) < 1_000_001 },
            "\(read.units.map(\.duration)) \(stream.units.map(\.duration))")
    }

    /// A picture that stays for as long as a gap says so in its own block, a key frame or not.
    @Test(arguments: [0, 10, 12])
    func aFrameThatLastsLongerSaysSo(_ place: Int) throws {
        var video = try NumberedPictures.h264(30, gop: 10, bFrames: 0)
        video.units[place].duration = 3 * second
        for later in place + 1..<30 {
            video.units[later].pts += 3 * second - NumberedPictures.step
            video.units[later].dts = video.units[later].dts.map { $0 + 3 * second - NumberedPictures.step }
        }
        let file = try File()
        try write([video], to: file)
        #expect(try NumberedPictures.numbers(file.path) == Array(0..<30))
        let read = try EncodedStream.record(
            "filesrc location=\"\(file.path)\" ! matroskademux ! identity name=probe ! fakesink")
        #expect(read.units.map(\.isDelta) == video.units.map(\.isDelta))
        for (found, made) in zip(read.units, video.units) {
            #expect(abs(found.pts - made.pts) < 1_000_000)
            #expect(abs((found.duration ?? 0) - (made.duration ?? 0)) < 1_500_000)
        }
    }

    /// What only a parser can put together goes through GStreamer.
    @Test func partsOfPicturesArePutTogetherByAParser() throws {
        let stream = try EncodedStream.record(
            """
            videotestsrc num-buffers=20 ! video/x-raw,width=64,height=48,framerate=25/1 ! x264enc tune=zerolatency
            ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=nal ! identity name=probe ! fakesink
            """)
        let file = try File()
        try write([stream], to: file)
        #expect(!contains(file, "mediahost") && contains(file, "GStreamer"))
        #expect(try EncodedStream.pictures(file.path).units.count == 20)
    }

    private func contains(_ file: File, _ word: String) -> Bool {
        Data(file.bytes).range(of: Data(word.utf8)) != nil
    }

    // MARK: EBML

    @Test func lengthsTakeAsFewBytesAsTheyNeed() throws {
        for (size, count) in [(0, 1), (126, 1), (127, 2), (16382, 2), (16383, 3), (2_097_150, 3), (2_097_151, 4)] {
            var bytes: [UInt8] = []
            bytes.appendLength(size)
            #expect(bytes.count == count, "\(size)")
            let element = try EBML(bytes: EBML.element(0xEC, [UInt8](repeating: 7, count: size))).elements(
                in: 0..<size + 1 + count)
            #expect(element == [EBML.Element(id: 0xEC, start: 0, body: 1 + count, end: size + 1 + count)])
        }
        for number: UInt64 in [0, 1, 255, 256, 0xFFFF_FFFF, .max] {
            let bytes = EBML(bytes: EBML.element(0x4489, number: number))
            #expect(try bytes.number(of: bytes.elements(in: 0..<bytes.bytes.count)[0]) == number)
        }
    }

    /// Whatever a file holds: whole elements, or a refusal. Each byte is tried with each value, and each length.
    @Test func damageIsRefused() throws {
        let track = EBML.element(
            MatroskaID.trackEntry,
            EBML.element(MatroskaID.trackNumber, number: 1) + EBML.element(MatroskaID.codecDelay, number: 6_500_000))
        let whole = EBML.element(MatroskaID.segment, EBML.element(MatroskaID.tracks, track))
        #expect(try MatroskaTracks(file: whole, durations: [nil]).tracks == [.init(number: 1, delay: 6_500_000)])
        #expect(throws: EBML.Damaged.self) { try MatroskaTracks(file: whole, durations: [nil, nil]) }
        for length in 0..<whole.count {
            #expect(throws: EBML.Damaged.self, "\(length) bytes") {
                try MatroskaTracks(file: Array(whole.prefix(length)), durations: [nil])
            }
        }
        var refused = 0
        for place in whole.indices {
            for value in UInt8.min ... .max {
                var bytes = whole
                bytes[place] = value
                do throws(EBML.Damaged) {
                    let tracks = try MatroskaTracks(file: bytes, durations: [nil])
                    #expect(tracks.bytes.count <= bytes.count, "byte \(place) is \(value)")
                } catch {
                    refused += 1
                }
            }
        }
        // Among them the file as it was, once for each byte.
        #expect(refused > 0 && refused <= whole.count * 255)
    }
}
