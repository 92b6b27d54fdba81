import Foundation
import GStreamerKit
import PluginKit
import Testing

@testable import ReplayBuffer

/// Fragments, samples and init files.
@Suite struct WindowFragmentTests {
    private func frame(_ pts: Int64, dts: Int64? = nil, duration: Int64 = Frame.none, key: Bool = false) -> Frame {
        var frame = Frame()
        (frame.pts, frame.dts, frame.duration, frame.isKey) = (pts, dts ?? Frame.none, duration, key)
        return frame
    }

    @Test func aFragmentIsReadBack() throws {
        var pictures = SampleTimes.pictures(
            [frame(second, key: true), frame(second + second / 2)], before: nil, next: frame(2 * second, key: true))
        var sound = SampleTimes.sound(
            [frame(second, duration: second / 50), frame(second + second / 50, duration: second / 50)], scale: 48_000,
            next: nil)
        for place in 0..<2 { (pictures[place].size, sound[place].size) = (3 + place, 1 + place) }
        let fragment = try FragmentReader(
            Fragment.bytes(number: 41, pictures: pictures, sound: sound, media: [1, 1, 1, 2, 2, 2, 2, 8, 9, 9]))
        typealias Sample = FragmentReader.Sample
        #expect(fragment.number == 42)
        #expect(
            fragment.tracks[1] == [
                Sample(decode: 90_000, shown: 90_000, duration: 45_000, isKey: true, bytes: [1, 1, 1]),
                Sample(decode: 135_000, shown: 135_000, duration: 45_000, isKey: false, bytes: [2, 2, 2, 2]),
            ])
        #expect(
            fragment.tracks[2] == [
                Sample(decode: 48_000, shown: 48_000, duration: 960, isKey: true, bytes: [8]),
                Sample(decode: 48_960, shown: 48_960, duration: 960, isKey: true, bytes: [9, 9]),
            ])
    }

    /// Reordered, with and without times of decoding; what would be before 0, or before what was, is moved.
    @Test func timesOfDecodingAlwaysGoOn() {
        let step = second / 25
        let shown: [Int64] = [2, 5, 3, 4].map { $0 * step }
        let given = zip(shown, 0...).map { frame($0, dts: Int64($1) * step, duration: step, key: $1 == 0) }
        let samples = SampleTimes.pictures(given, before: nil, next: frame(6 * step, dts: 4 * step, key: true))
        #expect(
            samples.map(\.decode) == [0, 3600, 7200, 10800] && samples.map(\.duration) == [3600, 3600, 3600, 3600])
        #expect(samples.map { $0.decode + $0.offset } == shown.map { Fragment.units($0, 90_000) })
        #expect(samples.map(\.isKey) == [true, false, false, false])
        // Without: what is shown earliest is decoded first, early enough.
        let guessed = SampleTimes.pictures(shown.map { frame($0, duration: step) }, before: nil, next: nil)
        #expect(guessed.map(\.decode) == [3600, 7200, 10800, 14400])
        #expect(guessed.allSatisfy { $0.offset >= 0 } && guessed.last?.duration == 3600)
        // An encoder that begins anew reorders more.
        let early = SampleTimes.pictures(
            [frame(0, dts: -2 * step, key: true), frame(step, dts: -step)], before: 100, next: nil)
        #expect(early.map(\.decode) == [101, 102] && early[1].decode + early[1].offset == 3600)
        // A gap behind it is none of its own length.
        let last = SampleTimes.pictures([frame(0, duration: step, key: true)], before: nil, next: frame(9 * second))
        #expect(last.map(\.duration) == [3600])
        #expect(
            SampleTimes.extent(of: [frame(0), frame(step), frame(second), frame(second + step)]) == (
                second + 2 * step, second - 2 * step
            ))
    }

    @Test func samplesAreMadeOfFramesAsTheyCame() throws {
        func sample(_ form: SampleForm, _ bytes: [UInt8]) -> [UInt8] {
            var media: [UInt8] = [7]
            #expect(bytes.withUnsafeBytes { form.append($0, to: &media) } == media.count - 1)
            return Array(media.dropFirst())
        }
        #expect(sample(.asItIs, [1, 2]) == [1, 2])
        #expect(sample(.adts, [0xFF, 0xF1, 0, 0, 0, 0, 0, 5, 6]) == [5, 6])
        #expect(sample(.adts, [0xFF, 0xF0, 0, 0, 0, 0, 0, 1, 2, 5, 6]) == [5, 6])
        #expect(sample(.openBitstreamUnits, [0x12, 0, 0x0A, 1, 9]) == [0x0A, 1, 9])
        #expect(sample(.openBitstreamUnits, [0x0A, 1, 9]) == [0x0A, 1, 9])
        #expect(
            sample(.startCodes, [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 1, 0, 0, 3, 1, 0, 0, 0, 1, 8, 0])
                == [0, 0, 0, 2, 9, 0xF0, 0, 0, 0, 6, 0x65, 1, 0, 0, 3, 1, 0, 0, 0, 1, 8])
        #expect(sample(.startCodes, []) == [] && sample(.startCodes, [0, 0, 1]) == [])
    }

    @Test func whatHLSCannotCarryIsToldWithItsCodec() throws {
        try GStreamer.start()
        let pad = PadName(text: "cam/v.src")
        for (caps, words) in [
            ("video/x-vp8", ["cam/v.src is video/x-vp8", "H.264, H.265, AV1 or VP9"]),
            ("image/jpeg", ["image/jpeg"]), ("audio/x-raw,format=S16LE", ["audio/x-raw", "AAC or Opus"]),
            ("audio/mpeg,mpegversion=1,layer=3", ["audio/mpeg"]),
            ("video/x-h264,stream-format=byte-stream,alignment=nal", ["alignment=nal", "h264parse"]),
            ("video/x-av1,stream-format=annexb", ["av1parse"]),
            ("audio/mpeg,mpegversion=4,stream-format=loas", ["loas", "aacparse"]), ("", ["no caps"]),
        ] {
            do throws(PluginError) {
                _ = try SampleForm(caps: caps, pad: pad)
                Issue.record("\(caps) was taken")
            } catch {
                #expect(words.allSatisfy(error.message.contains), "\(error.message)")
            }
        }
        #expect(
            try SampleForm(caps: "video/x-h265,stream-format=byte-stream,alignment=au", pad: pad) == .startCodes
                && SampleForm(caps: "video/x-h264,stream-format=avc,alignment=au", pad: pad) == .asItIs
                && SampleForm(caps: "audio/mpeg,mpegversion=4,stream-format=adts", pad: pad) == .adts)
    }
}
