import Foundation
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// A window that slides over pauses, gaps, other formats, resets and other processes, read by a player that looks at random
/// moments: at every moment every name in the playlist answers, and what it answers is exactly what came.
@Suite struct WindowCampaign {
    private struct Source {
        var video: EncodedStream
        var audio: EncodedStream?
    }

    /// What was fed, in media time.
    private struct Fed {
        var pictures: [EncodedStream.Unit] = []
        var sounds: [EncodedStream.Unit] = []
        /// What was fed before that is not kept for certain.
        var floor: Int64 = 0
        /// What lies between the host's media time and the ring's, which goes on in the next process.
        var shift: Int64 = 0

        var end: Int64 {
            max(
                pictures.map { $0.pts + NumberedPictures.step }.max() ?? 0,
                sounds.map { $0.pts + ($0.duration ?? 0) }.max() ?? 0)
        }
    }

    /// What a player knows.
    private struct Player {
        var inits: [String: [UInt8]] = [:]
        var segments: [String: [UInt8]] = [:]
        var last: PlaylistReader?
        /// Of the newest segment it has read.
        var decoded:
            (number: UInt64, discontinuity: UInt64, picture: FragmentReader.Sample, sound: FragmentReader.Sample?)?
        /// Whether another process has taken the place of the one that was read.
        var isSomewhereElse = false

        mutating func reopen() {
            inits = [:]
            isSomewhereElse = true
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func everyNameAnswersAndSaysWhatCame() throws {
        var campaign = Campaign(rounds: 8)
        var segments = 0
        for _ in 0..<campaign.rounds { segments += try round(&campaign) }
        // A short one, with long GOPs and an empty buffer in between, may have one or none.
        #expect(segments > 2 * campaign.rounds, "\(campaign.note)")
    }

    /// - Returns: how many segments were read.
    private func round(_ random: inout Campaign) throws -> Int {
        let kind: AudioStream? = [AudioStream.aac, .opus, nil].randomElement(using: &random) ?? nil
        let audio = try kind.map { try $0.record(seconds: 11) }
        let gop = Int.random(in: 4...50, using: &random)
        let sources = try [0, 2].map { reordered in
            Source(video: try NumberedPictures.h264(200, gop: gop, bFrames: reordered), audio: audio)
        }
        let window = Int.random(in: 4...20, using: &random)
        let sound: [Value] = audio == nil ? [] : ["cam/a.src"]
        let storage = try #require(["memory", "memfd", "disk"].randomElement(using: &random))
        let house = try StorageHouse()
        func open() throws -> FakeInstance {
            try house.instance(storage, ["window": .string("\(window)s"), "audio": .list(sound)], at: 1000 * second)
        }
        var instance = try open()
        defer { instance.end() }
        let note = "\(random.note), \(storage), window \(window) s, gop \(gop), \(kind.map { "\($0)" } ?? "no sound")"
        var (fed, player) = (Fed(), Player())
        var source = sources[0]
        var (offset, epoch) = (Int64.random(in: 0...3, using: &random) * second, UInt32(1))
        for _ in 0..<Int.random(in: 3...6, using: &random) {
            try start(instance, source, epoch, offset - fed.shift)
            let count = Int.random(in: 40...200, using: &random)
            try feed(instance, source, offset, count, &fed, &player, &random, note)
            offset += Int64(count) * NumberedPictures.step
            switch Int.random(in: 0..<6, using: &random) {
            case 0: offset += Int64.random(in: 1...9, using: &random) * second / 2
            case 1: source = sources.randomElement(using: &random) ?? source
            case 2:
                _ = try instance.ask("reset")
                fed.floor = offset + 2 * second
            case 3 where storage != "memory":
                instance.end()
                instance = try open()
                player.reopen()
                fed.shift = fed.end
                offset = fed.shift + Int64.random(in: 0...1, using: &random) * second / 2
                epoch = 0
            default: break
            }
            epoch += 1
        }
        return player.segments.count
    }

    private func start(_ instance: FakeInstance, _ source: Source, _ epoch: UInt32, _ offset: Int64) throws {
        for (pad, stream) in [("cam/v.src", source.video as EncodedStream?), ("cam/a.src", source.audio)] {
            guard let stream else { continue }
            let tap = try instance.tap(pad)
            tap.startEpoch(epoch, offset: offset)
            tap.setFormat(stream.caps)
        }
    }

    private func feed(
        _ instance: FakeInstance, _ source: Source, _ offset: Int64, _ count: Int, _ fed: inout Fed,
        _ player: inout Player, _ random: inout Campaign, _ note: String
    ) throws {
        let (video, audio) = (
            try instance.tap("cam/v.src"), try source.audio.map { _ in try instance.tap("cam/a.src") }
        )
        let end = Int64(count) * NumberedPictures.step
        // Sound is behind the pictures, or ahead.
        let lead = Int64.random(in: -300...300, using: &random) * second / 1000
        var sounds = (source.audio?.units ?? []).filter { $0.pts < end }[...]
        let pictures = source.video.units.filter { $0.pts < end }
        for (place, picture) in pictures.enumerated() {
            push(picture, video, offset - fed.shift)
            fed.pictures.append(moved(picture, offset))
            while let sound = sounds.first, let audio, sound.pts - lead <= picture.dts ?? picture.pts {
                push(sound, audio, offset - fed.shift)
                fed.sounds.append(moved(sound, offset))
                sounds.removeFirst()
            }
            try instance.advance(by: .nanoseconds(NumberedPictures.step))
            if place % 10 == 9, Int.random(in: 0..<3, using: &random) == 0 {
                try read(instance, fed, &player, note)
            }
        }
        for sound in sounds {
            guard let audio else { break }
            push(sound, audio, offset - fed.shift)
            fed.sounds.append(moved(sound, offset))
        }
        try read(instance, fed, &player, note)
    }

    private func moved(_ unit: EncodedStream.Unit, _ offset: Int64) -> EncodedStream.Unit {
        var unit = unit
        unit.pts += offset
        return unit
    }

    private func push(_ unit: EncodedStream.Unit, _ tap: FakeTap, _ offset: Int64) {
        tap.push(
            unit.bytes, pts: unit.pts + offset, dts: unit.dts.map { $0 + offset } ?? .min,
            duration: unit.duration ?? .min, isDelta: unit.isDelta)
    }

    // MARK: The player

    private func get(_ instance: FakeInstance, _ name: String) throws -> FakeResponse {
        try instance.ask(route: "GET /window/{file}", ["file": name])
    }

    private func read(_ instance: FakeInstance, _ fed: Fed, _ player: inout Player, _ note: String) throws {
        let answer: FakeResponse
        do {
            answer = try get(instance, "index.m3u8")
        } catch let error as FakeInstance.Broken {
            #expect(error.description.contains("the window is empty"), "\(note)")
            return
        }
        #expect(answer.contentType == "application/vnd.apple.mpegurl")
        let playlist = try PlaylistReader(answer.text)
        if let last = player.last {
            #expect(playlist.target >= last.target, "\(note)")
            // What both name is the same in both, and nothing comes back.
            let known = Dictionary(uniqueKeysWithValues: last.segments.map { ($0.number, $0) })
            for segment in playlist.segments {
                if let before = known[segment.number] {
                    #expect(before == segment, "\(note)")
                } else {
                    #expect(segment.number > last.segments.last?.number ?? 0, "\(note)")
                }
            }
        }
        defer { player.isSomewhereElse = false }
        player.last = playlist
        for segment in playlist.segments {
            #expect(segment.duration <= Double(playlist.target), "\(note)")
            let head = try get(instance, segment.map)
            #expect(player.inits[segment.map] == nil || player.inits[segment.map] == head.body, "\(note)")
            player.inits[segment.map] = head.body
            let body = try get(instance, segment.name).body
            if let known = player.segments[segment.name] {
                let isSame =
                    player.isSomewhereElse
                    ? try isTheSame(known, body, isFirst: segment == playlist.segments.first) : known == body
                #expect(isSame, "\(note): \(segment.name) has changed")
                player.segments[segment.name] = body
            } else {
                player.segments[segment.name] = body
                try check(segment, body, head.body, fed, &player, note)
            }
        }
    }

    /// In another process an init file may be made of another frame, and nothing is known of what came before the first.
    private func isTheSame(_ known: [UInt8], _ body: [UInt8], isFirst: Bool) throws -> Bool {
        let (known, new) = (try FragmentReader(known), try FragmentReader(body))
        return isFirst ? known.contents == new.contents : known.tracks == new.tracks
    }

    private func check(
        _ segment: PlaylistReader.Segment, _ bytes: [UInt8], _ head: [UInt8], _ fed: Fed, _ player: inout Player,
        _ note: String
    ) throws {
        let note = "\(note), \(segment.name)"
        let fragment = try FragmentReader(bytes)
        #expect(fragment.number == segment.number + 1, "\(note)")
        // Behind a discontinuity it brings its init file along; others do not.
        let isAnew = player.last?.segments.last { $0.number < segment.number }.map {
            $0.discontinuity != segment.discontinuity
        }
        if let isAnew { #expect(fragment.head == (isAnew ? head : []), "\(note)") }
        let pictures = try #require(fragment.tracks[1], "\(note)")
        let first = try #require(pictures.first, "\(note)")
        #expect(first.isKey && first.shown == pictures.map(\.shown).min(), "\(note)")
        // Each is found where it was fed, to half a unit.
        let begin = try #require(
            fed.pictures.firstIndex { Fragment.units($0.pts, 90_000) == first.shown && !$0.isDelta }, "\(note)")
        let expected = fed.pictures[begin...].prefix(pictures.count)
        #expect(pictures.map(\.shown) == expected.map { Fragment.units($0.pts, 90_000) }, "\(note)")
        for (sample, unit) in zip(pictures, expected) {
            let units = FragmentReader.units(lengths: sample.bytes)
            #expect(!units.isEmpty && units == FragmentReader.units(startCodes: unit.bytes), "\(note)")
            #expect(sample.isKey != unit.isDelta, "\(note)")
        }
        // All up to the next key frame.
        let next = fed.pictures.dropFirst(begin + pictures.count).first
        #expect(next?.isDelta == false, "\(note)")
        #expect(pictures.allSatisfy { $0.duration > 0 }, "\(note)")
        var end = (expected.map(\.pts).max() ?? 0) + NumberedPictures.step
        // In the next process pictures go on where the last sound ends.
        if let next, next.pts > end, next.pts - end < WindowList.leastGap { end = next.pts }
        #expect(abs(segment.duration - Double(end - fed.pictures[begin].pts) / 1e9) < 1e-6, "\(note)")
        let sound = fragment.tracks[2] ?? []
        if fed.pictures[begin].pts >= fed.floor {
            let range = fed.pictures[begin].pts..<(next?.pts ?? .max)
            let heard = fed.sounds.filter { range.contains($0.pts) }
            #expect(sound.map(\.bytes) == heard.map(\.bytes), "\(note)")
            // The difference to the pictures is what it was, to a unit of both.
            for (sample, unit) in zip(sound, heard) {
                #expect(abs(Double(sample.decode) / 48_000 - Double(unit.pts) / 1e9) < 2.1e-5, "\(note)")
            }
        }
        try continuity(segment, pictures, sound, &player, note)
    }

    /// One goes on where the other ends.
    private func continuity(
        _ segment: PlaylistReader.Segment, _ pictures: [FragmentReader.Sample], _ sound: [FragmentReader.Sample],
        _ player: inout Player, _ note: String
    ) throws {
        if let before = player.decoded, before.number + 1 == segment.number,
            before.discontinuity == segment.discontinuity
        {
            #expect(pictures[0].decode == before.picture.decode + before.picture.duration, "\(note)")
            if let last = before.sound, let first = sound.first {
                // Where the source began anew its last frame may reach into the next one's.
                #expect(first.decode > last.decode, "\(note)")
                #expect(abs(first.decode - last.decode - last.duration) <= 1024, "\(note)")
            }
        }
        for samples in [pictures, sound] {
            for (one, next) in zip(samples, samples.dropFirst()) { #expect(one.decode < next.decode, "\(note)") }
        }
        guard let last = pictures.last else { return }
        player.decoded = (segment.number, segment.discontinuity, last, sound.last ?? player.decoded?.sound)
    }
}
