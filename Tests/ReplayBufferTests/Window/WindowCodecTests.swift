import Foundation
import HostCore
import HostTestKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// Real streams of each codec, through the window and back through a demuxer that knows nothing of it.
@Suite struct WindowCodecTests {
    private func running(_ video: EncodedStream, _ audio: EncodedStream? = nil) throws -> FakeInstance {
        let sound: [Value] = audio == nil ? [] : ["cam/a.src"]
        let instance = try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: ["video": "cam/v.src", "memory": "64MiB", "audio": .list(sound)])
        let pads = try [("cam/v.src", video as EncodedStream?), ("cam/a.src", audio)].compactMap { pad, stream in
            try stream.map { (try instance.tap(pad), $0) }
        }
        for (tap, stream) in pads {
            tap.startEpoch(1)
            tap.setFormat(stream.caps)
        }
        // As they come.
        let units = pads.flatMap { tap, stream in stream.units.map { (tap, $0) } }
        let ordered = units.enumerated().sorted { one, two in
            let times = [one, two].map { $0.element.1.dts ?? $0.element.1.pts }
            return times[0] == times[1] ? one.offset < two.offset : times[0] < times[1]
        }
        for (_, (tap, unit)) in ordered {
            tap.push(
                unit.bytes, pts: unit.pts, dts: unit.dts ?? .min, duration: unit.duration ?? .min, isDelta: unit.isDelta
            )
        }
        return instance
    }

    private func get(_ instance: FakeInstance, _ name: String) throws -> FakeResponse {
        try instance.ask(route: "GET /window/{file}", ["file": name])
    }

    /// All that the playlist names, as one file.
    private func film(_ instance: FakeInstance) throws -> String {
        let playlist = try PlaylistReader(try get(instance, "index.m3u8").text)
        let path = NSTemporaryDirectory() + "window-\(UUID().uuidString).mp4"
        var bytes: [UInt8] = []
        for (place, segment) in playlist.segments.enumerated() {
            if place == 0 { bytes += try get(instance, segment.map).body }
            bytes += try get(instance, segment.name).body
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: [0, 2]) func theNumbersAreReadBackFromTheSegments(reordered: Int) throws {
        let instance = try running(
            try NumberedPictures.h264(105, gop: 10, bFrames: reordered), try AudioStream.aac.record(seconds: 6))
        let path = try film(instance)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Of the last second and a quarter the next key frame has not come.
        #expect(try NumberedPictures.numbers(path) == Array(0..<100))
        let report = try #require(try get(instance, "timeline.json").value)
        #expect(report["segments"]?.list?.count == 5 && report["first"]?.int == 0 && report["next"]?.int == 5)
        #expect(report["oldest"]?.int == 0 && report["newest"]?.int == 5 * second)
        let type = report["formats"]?.list?.first?["type"]?.string
        #expect(
            type?.hasPrefix("video/mp4; codecs=\"avc1.") == true && type?.hasSuffix(",mp4a.40.2\"") == true,
            "\(type ?? "")")
        let rest = try instance.ask(route: "GET /window/{file}", ["file": "timeline.json"], query: ["after": "3"])
        #expect(rest.value?["segments"]?.list?.map { $0["number"]?.int } == [4])
        instance.end()
    }

    @Test(arguments: [
        ("x264enc key-int-max=30 ! h264parse name=probe ! video/x-h264,stream-format=avc,alignment=au", "avc1."),
        (
            "x265enc key-int-max=30 log-level=none ! h265parse name=probe ! video/x-h265,stream-format=byte-stream,alignment=au",
            "hvc1.1.6.L"
        ),
        ("vp9enc keyframe-max-dist=30 deadline=1 cpu-used=8 ! vp9parse name=probe", "vp09.00."),
        (
            "av1enc keyframe-max-dist=30 cpu-used=8 usage-profile=realtime ! av1parse name=probe ! video/x-av1,stream-format=obu-stream,alignment=tu",
            "av01.0."
        ),
    ]) func everyCodecIsDescribedAndDecoded(encoder: String, codec: String) throws {
        let video = try EncodedStream.record(
            "videotestsrc num-buffers=75 ! video/x-raw,width=160,height=120,framerate=30/1 ! videoconvert "
                + "! video/x-raw,format=I420 ! \(encoder) ! fakesink")
        let audio = try AudioStream.opus.record(seconds: 3)
        let instance = try running(video, audio)
        let path = try film(instance)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let head = try get(instance, "init-1-2.mp4").body
        // Big-endian, as of "Encapsulation of Opus in ISO Base Media File Format", 4.3.2: 2 channels, pre-skip, 48000.
        let place = try #require(head.indices.first { head[$0...].starts(with: Array("dOps".utf8)) })
        #expect(head[place + 4..<place + 12].elementsEqual([0, 2, 1, 56, 0, 0, 0xBB, 0x80]))
        let type = try get(instance, "timeline.json").value?["formats"]?.list?.first?["type"]?.string ?? ""
        #expect(type.hasPrefix("video/mp4; codecs=\"\(codec)") && type.hasSuffix(",opus\""), "\(type)")
        // Of an open GOP some are shown before the key frame of the segment that they are in.
        let keys = video.units.indices.filter { !video.units[$0].isDelta }
        #expect(try EncodedStream.pictures(path).units.count == keys[2])
        let segments = try PlaylistReader(try get(instance, "index.m3u8").text).segments
        #expect(segments.map(\.duration) == [1, 1] && segments.map(\.discontinuity) == [0, 0])
        let sound = try EncodedStream.record(
            "filesrc location=\"\(path)\" ! qtdemux name=d d.audio_0 ! audio/x-opus ! opusparse name=probe ! fakesink")
        #expect(sound.units.map(\.bytes) == audio.units.filter { $0.pts < 2 * second }.map(\.bytes))
        instance.end()
    }

    @Test func whatCannotBeShownOrIsNotThereSaysWhy() throws {
        let empty = try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: ["video": "cam/v.src"])
        for (name, words) in [
            ("index.m3u8", "the window is empty: cam/v.src has not shown a complete segment yet"),
            ("segment-0.m4s", "segment 0 is not there yet"),
            ("init-1.mp4", "nothing of init-1.mp4 is kept"), ("clip.mp4", "there is no clip.mp4 in the window"),
        ] {
            do {
                _ = try get(empty, name)
                Issue.record("\(name) was answered")
            } catch let error as FakeInstance.Broken {
                #expect(error.description.contains(words), "\(error)")
            }
        }
        #expect(throws: FakeInstance.Broken.self) {
            try empty.ask(route: "GET /window/{file}", ["file": "index.m3u8"], query: ["after": "1"])
        }
        // A page that is opened early goes on asking: for it that is no error.
        let report = try #require(try get(empty, "timeline.json").value)
        #expect(report["segments"]?.list?.isEmpty == true)
        #expect(report["awaited"]?.string?.hasPrefix("the window is empty: cam/v.src has") == true, "\(report)")
        empty.end()
        let jpeg = try EncodedStream.record(
            "videotestsrc num-buffers=75 ! video/x-raw,width=160,height=120,framerate=30/1 ! jpegenc name=probe ! fakesink"
        )
        let instance = try running(jpeg)
        do {
            _ = try get(instance, "index.m3u8")
            Issue.record("JPEG was taken")
        } catch let error as FakeInstance.Broken {
            #expect(error.description.contains("cam/v.src is image/jpeg, and HLS cannot show it"), "\(error)")
        }
        instance.end()
    }
}
