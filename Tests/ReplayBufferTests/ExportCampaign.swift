import Foundation
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// Clips of random ranges, of pictures with numbers and of sound: exactly what belongs in each, read back from the file.
@Suite struct ExportCampaign {
    private struct Source {
        var video: EncodedStream
        var audio: EncodedStream
        var kind: AudioStream
    }

    @Test(.timeLimit(.minutes(20)))
    func everyClipHasExactlyItsFrames() throws {
        var campaign = Campaign(rounds: 12)
        let directory = NSTemporaryDirectory() + "export-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { if getenv("EXPORT_KEEP") == nil { try? FileManager.default.removeItem(atPath: directory) } }
        var round = 0
        while round < campaign.rounds {
            let kind = AudioStream.allCases.randomElement(using: &campaign) ?? .aac
            let gop = Int.random(in: 5...60, using: &campaign)
            let source = Source(
                video: try NumberedPictures.h264(300, gop: gop, bFrames: Int.random(in: 0...3, using: &campaign)),
                audio: try kind.record(seconds: 15), kind: kind)
            let instance = try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: ["video": "cam/v.src", "audio": ["cam/a.src"], "memory": "64MiB"])
            // The one or the other comes earlier.
            let lead = Int64.random(in: -700...700, using: &campaign) * second / 1000
            let start = Int64.random(in: 0...1000, using: &campaign) * second / 7
            try feed(instance, source, lead, start)
            for _ in 0..<min(6, campaign.rounds - round) {
                try export(instance, source, start, round, directory, &campaign)
                round += 1
            }
            instance.end()
        }
    }

    /// All frames in the order in which they come: sound is earlier by `lead`.
    private func feed(_ instance: FakeInstance, _ source: Source, _ lead: Int64, _ start: Int64) throws {
        let (video, audio) = (try instance.tap("cam/v.src"), try instance.tap("cam/a.src"))
        for (tap, stream) in [(video, source.video), (audio, source.audio)] {
            tap.startEpoch(1, offset: start)
            tap.setFormat(stream.caps)
        }
        var (pictures, sounds) = (source.video.units[...], source.audio.units[...])
        // The first key frame is there before any sound; see GOPRing.
        push(pictures.removeFirst(), video, start)
        while let picture = pictures.first {
            if let sound = sounds.first, sound.pts - lead <= picture.dts ?? picture.pts {
                push(sounds.removeFirst(), audio, start)
            } else {
                push(pictures.removeFirst(), video, start)
            }
        }
        for sound in sounds { push(sound, audio, start) }
    }

    private func push(_ unit: EncodedStream.Unit, _ tap: FakeTap, _ start: Int64) {
        tap.push(
            unit.bytes, pts: unit.pts + start, dts: unit.dts.map { $0 + start } ?? .min,
            duration: unit.duration ?? .min,
            isDelta: unit.isDelta)
    }

    private func export(
        _ instance: FakeInstance, _ source: Source, _ start: Int64, _ round: Int, _ directory: String,
        _ random: inout Campaign
    ) throws {
        let from = Int64.random(in: 0..<14900, using: &random) * 1_000_000
        let until = from + Int64.random(in: 20...15_000, using: &random) * 1_000_000
        let suffix = source.kind == .pcm || Bool.random(using: &random) ? ".mkv" : ".mp4"
        let exact = suffix == ".mp4" && Bool.random(using: &random)
        let path = "\(directory)/\(round)\(suffix)"
        let note = "\(random.note), \(path), \(source.kind), \(from)..<\(until)\(exact ? ", exact" : "")"
        let token = UInt64(1000 + round)
        try instance.call(
            "save", token: token,
            ["from": .int(from + start), "until": .int(until + start), "to": .string(path), "exact": .bool(exact)])
        instance.fake.runWork()
        let seen = instance.fake.seen
        if exact, !source.video.units.contains(where: { $0.pts >= from && $0.pts < until }) {
            #expect(seen.rejections[token]?.first?.contains("no picture begins") == true, "\(note)")
            return
        }
        let result = try #require(seen.results[token]?.first, "\(note): \(seen.rejections[token] ?? [])")

        // What belongs in it, by the list of what was made.
        let units = source.video.units
        let key = try #require(units.lastIndex { !$0.isDelta && $0.pts <= from }, "\(note)")
        let last = try #require(units.lastIndex { $0.pts < until }, "\(note)")
        let begin = units[key].pts
        let shown =
            exact
            ? units.filter { $0.pts >= from && $0.pts < until }
            : units[key...last].filter { $0.pts >= begin && ($0.pts < until || suffix == ".mkv") }
        let numbers = shown.map { Int($0.pts / NumberedPictures.step) }
        let read = try NumberedPictures.numbers(path)
        #expect(read == numbers.sorted(), "\(note): \(read.first ?? -1)...\(read.last ?? -1) of \(read.count)")
        #expect(result["frames"]?.int == Int64(numbers.count), "\(note)")
        #expect(result["first_pts"]?.int == (exact ? shown.map(\.pts).min() : begin).map { $0 + start }, "\(note)")
        #expect(result["complete"]?.bool == (until <= 15 * second + 1_000_000), "\(note)")
        // An exact clip has its own beginning, which is where its time begins, too.
        let first = exact ? try #require(shown.map(\.pts).min()) : begin
        let sounds = source.audio.units.filter { $0.pts >= begin && $0.pts < min(until, 15 * second) }
        #expect(result["audio_frames"]?.int == Int64(sounds.count), "\(note)")

        // Without sound there is no track of it: a reader would wait for one.
        guard !sounds.isEmpty else { return }
        let demuxer = suffix == ".mkv" ? "matroskademux" : "qtdemux"
        let streams = try EncodedStream.record(
            "filesrc location=\"\(path)\" ! \(demuxer) name=d d. ! queue ! h264parse name=probe ! fakesink async=false"
                + " d. ! queue ! \(source.kind.reader) ! fakesink async=false", probes: ["probe", "sound"])
        // What is over before the first picture that is shown is hidden, to the unit of the track's time.
        let heard = sounds.suffix(streams[1].units.count)
        #expect(streams[1].units.map(\.bytes) == heard.map(\.bytes), "\(note)")
        func end(_ unit: EncodedStream.Unit) -> Int64 { unit.pts + (unit.duration ?? 0) }
        #expect(heard.first.map { end($0) >= first - 1_000_000 } != false, "\(note)")
        #expect(sounds.dropLast(heard.count).last.map { end($0) <= first + 1_000_000 } != false, "\(note)")
        // Sound stands to the pictures as it did: to the millisecond that Matroska has.
        let zero = exact ? 0 : streams[0].units.map(\.pts).min() ?? 0
        for (index, (found, sound)) in zip(streams[1].units, heard).enumerated() where sound.pts >= first {
            // Matroska's demuxer takes Opus' delay off the first packet, as far as it can.
            let most: Int64 = source.kind == .opus && index == 0 ? 6_500_000 : 1_500_000
            let skew = (found.pts - zero) - (sound.pts - first)
            #expect(abs(skew) < most, "\(note): \(skew) ns at packet \(index)")
        }
    }
}
