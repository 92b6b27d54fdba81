import Foundation
import Locking
import Testing

@testable import GStreamerKit

/// Pictures out of a stream, looked at as files: size and colour of what a viewer would decode.
@Suite struct PictureTests {
    init() throws { try GStreamer.start() }

    private struct Pixels {
        var width: Int
        var height: Int
        /// Of the pixel in the middle.
        var colour: [Int]
    }

    private struct Missing: Error, CustomStringConvertible { var description: String }

    /// The first picture that `Pad.takePicture` gives at `pad` of an element.
    private func picture(_ launch: String, at element: String, _ pad: String) throws -> Picture {
        let pipeline = try Pipeline(launch: launch, name: "source")
        defer { pipeline.setState(.null) }
        let found = Locked<Picture?>(nil)
        let probe = try #require(pipeline.element(named: element)?.pad(named: pad)).takePicture { picture in
            found.withLock { $0 = picture }
        }
        try play(pipeline)
        probe?.cancel()
        return try #require(found.withLock { $0 })
    }

    private func play(_ pipeline: Pipeline) throws {
        pipeline.setState(.playing)
        while let message = pipeline.bus.next(timeout: .seconds(20)) {
            switch message {
            case .endOfStream: return
            case .error(let report): throw Missing(description: report.explanation)
            default: continue
            }
        }
        throw Missing(description: "no end within 20 s")
    }

    private func decode(_ file: [UInt8], _ decoder: String) throws -> Pixels {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString)").path
        try Data(file).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let pipeline = try Pipeline(
            launch: "filesrc location=\(path) ! \(decoder) ! videoconvert ! video/x-raw,format=RGB ! fakesink name=out",
            name: "reader")
        defer { pipeline.setState(.null) }
        let pad = try #require(pipeline.element(named: "out")?.pad(named: "sink"))
        let found = Locked<[UInt8]>([])
        _ = pad.addProbe { data in
            if case .buffer(let buffer) = data { buffer.withBytes { bytes in found.withLock { $0 = Array(bytes) } } }
            return .pass
        }
        try play(pipeline)
        let caps = try #require(pad.currentCaps).description
        func side(_ name: String) throws -> Int {
            try #require(
                caps.firstMatch(of: try Regex("\(name)=\\(int\\)([0-9]+)")).flatMap { Int($0[1].substring ?? "") })
        }
        let (width, height) = (try side("width"), try side("height"))
        let bytes = found.withLock { $0 }
        let start = height / 2 * (bytes.count / height) + width / 2 * 3
        return Pixels(width: width, height: height, colour: bytes[start..<start + 3].map(Int.init))
    }

    private static let orange = "videotestsrc num-buffers=3 pattern=solid-color foreground-color=0xffff8000"

    /// As a viewer takes them: black is black in a JPEG, too, whose range is not that of video.
    @Test(
        arguments: ["0xff000000", "0xffffffff", "0xffff8000", "0xff2060c0"],
        [("bt709", PictureFormat.jpeg), ("bt601", .jpeg), ("bt709", .png)])
    func coloursStay(_ colour: String, _ to: (colorimetry: String, format: PictureFormat)) throws {
        let (colorimetry, format) = to
        let number = try #require(Int(colour.dropFirst(2), radix: 16))
        let wanted = [number >> 16 & 255, number >> 8 & 255, number & 255]
        let picture = try picture(
            "videotestsrc num-buffers=3 pattern=solid-color foreground-color=\(number)"
                + " ! video/x-raw,format=I420,width=320,height=240,colorimetry=\(colorimetry) ! fakesink name=eyes",
            at: "eyes", "sink")
        let file = try picture.encoded(as: format, size: PictureSize(), within: .seconds(10))
        let seen = try decode(file, "\(format.rawValue)dec")
        #expect((seen.width, seen.height) == (320, 240))
        for (value, goal) in zip(seen.colour, wanted) { #expect(abs(value - goal) <= 8, "\(seen.colour), \(wanted)") }
    }

    /// However many threads there are for it: to the byte what one makes.
    @Test(arguments: [
        ("I420", PictureFormat.jpeg, PictureSize()), ("NV12", .jpeg, PictureSize()), ("NV12", .png, PictureSize()),
        ("YUY2", .jpeg, PictureSize()), ("I420", .jpeg, PictureSize(width: 640)),
        ("NV12", .jpeg, PictureSize(width: 720)),
        ("I420,pixel-aspect-ratio=2/1", .jpeg, PictureSize()),
    ])
    func coloursStayFromTopToBottom(_ caps: String, _ format: PictureFormat, _ size: PictureSize) throws {
        let source =
            "videotestsrc num-buffers=1 pattern=chroma-zone-plate kx2=20 ky2=20 kt=1"
            + " ! video/x-raw,format=\(caps),width=1280,height=720,colorimetry=bt709"
        let picture = try picture(source + " ! fakesink name=eyes", at: "eyes", "sink")
        let pipeline = try Pipeline(
            launch: source + " ! videoconvertscale add-borders=false n-threads=1 ! capsfilter caps=\""
                + "video/x-raw,pixel-aspect-ratio=1/1\(format.caps(from: picture.caps))\(size.caps)\" ! \(format.encoder)"
                + " ! fakesink name=out", name: "reference")
        defer { pipeline.setState(.null) }
        let found = Locked<[UInt8]>([])
        let probe = try #require(pipeline.element(named: "out")?.pad(named: "sink")).addProbe { data in
            if case .buffer(let buffer) = data { buffer.withBytes { bytes in found.withLock { $0 = Array(bytes) } } }
            return .pass
        }
        defer { probe?.cancel() }
        try play(pipeline)
        let file = try picture.encoded(as: format, size: size, within: .seconds(10))
        #expect(file.count > 1000 && file == found.withLock { $0 })
    }

    /// Also where the next one is of an earlier time, as after a seek.
    @Test(arguments: PictureFormat.allCases) func oneEncoderMakesManyFiles(_ format: PictureFormat) throws {
        func picture(_ colour: Int, at offset: Int) throws -> Picture {
            try self.picture(
                "videotestsrc num-buffers=3 pattern=solid-color foreground-color=\(colour) timestamp-offset=\(offset)"
                    + " ! video/x-raw,format=I420,width=320,height=240 ! fakesink name=eyes", at: "eyes", "sink")
        }
        let (orange, blue) = (try picture(0xffff_8000, at: 60_000_000_000), try picture(0xff20_60c0, at: 0))
        let encoder = try PictureEncoder(of: orange.caps, as: format, size: PictureSize())
        for (picture, goal) in [(orange, [255, 128, 0]), (blue, [0x20, 0x60, 0xc0]), (orange, [255, 128, 0])] {
            #expect(encoder.makes(format, size: PictureSize(), of: picture))
            let seen = try decode(encoder.encode(picture, within: .seconds(10)), "\(format.rawValue)dec")
            for (value, goal) in zip(seen.colour, goal) { #expect(abs(value - goal) <= 8, "\(seen.colour), \(goal)") }
        }
        let other = try self.picture(
            "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=640,height=240 ! fakesink name=eyes",
            at: "eyes", "sink")
        #expect(!encoder.makes(format, size: PictureSize(), of: other))
        #expect(!encoder.makes(format, size: PictureSize(width: 160), of: blue))
        #expect(!encoder.makes(format == .jpeg ? .png : .jpeg, size: PictureSize(), of: blue))
        encoder.close()
        let failure = #expect(throws: Picture.Failure.self) { try encoder.encode(blue, within: .seconds(10)) }
        #expect(failure?.isLate == false)
    }

    /// What is too short for its caps is nobody's picture, least of all the one before.
    @Test(arguments: PictureFormat.allCases) func whatCannotBeReadIsNotThePictureBefore(_ format: PictureFormat) throws
    {
        let whole = try picture(
            Self.orange + " ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! fakesink name=eyes",
            at: "eyes", "sink")
        let short = try picture(
            "fakesrc num-buffers=3 sizetype=fixed sizemax=400 format=time ! capsfilter caps=\"\(whole.caps)\""
                + " ! fakesink name=eyes", at: "eyes", "sink")
        let encoder = try PictureEncoder(of: whole.caps, as: format, size: PictureSize())
        #expect(try !encoder.encode(whole, within: .seconds(10)).isEmpty)
        #expect(encoder.makes(format, size: PictureSize(), of: short))
        let failure = #expect(throws: Picture.Failure.self) { try encoder.encode(short, within: .seconds(10)) }
        #expect(failure?.isLate == false)
    }

    /// One side follows from the other by what is seen, not by the number of pixels: these are wider than high.
    @Test(arguments: [
        (PictureSize(width: 512), 512, 288), (PictureSize(height: 144), 256, 144), (PictureSize(), 1024, 576),
        (PictureSize(width: 100, height: 90), 100, 90),
    ])
    func proportionsStay(_ size: PictureSize, _ width: Int, _ height: Int) throws {
        let picture = try picture(
            Self.orange
                + " ! video/x-raw,format=I420,width=720,height=576,pixel-aspect-ratio=64/45 ! fakesink name=eyes",
            at: "eyes", "sink")
        let seen = try decode(picture.encoded(as: .png, size: size, within: .seconds(10)), "pngdec")
        #expect((seen.width, seen.height) == (width, height))
    }

    /// Out of the middle of an encoded stream comes its next key frame, the only one that can be shown by itself.
    @Test func anEncodedStreamGivesItsNextKeyFrame() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc num-buffers=40 pattern=solid-color foreground-color=0xffff8000"
                + " ! video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! x264enc key-int-max=10 bframes=2"
                + " option-string=scenecut=0 ! h264parse ! fakesink name=net", name: "source")
        defer { pipeline.setState(.null) }
        let pad = try #require(pipeline.element(named: "net")?.pad(named: "sink"))
        let found = Locked<Picture?>(nil)
        let times = Locked<[(ClockTime, Bool)]>([])
        let probe = pad.addProbe { data in
            guard case .buffer(let buffer) = data, let pts = buffer.pts else { return .pass }
            let isDelta = buffer.flags.contains(.delta)
            let number = times.withLock { times in
                times.append((pts, isDelta))
                return times.count
            }
            // Asked for behind a key frame that has passed.
            if number == 3 { _ = pad.takePicture { picture in found.withLock { $0 = picture } } }
            return .pass
        }
        // It holds the pad, and the pad holds it.
        defer { probe?.cancel() }
        try play(pipeline)
        #expect(times.withLock { $0.filter { !$0.1 }.count } == 4)
        let picture = try #require(found.withLock { $0 })
        #expect(picture.caps.mediaType == "video/x-h264")
        let file = try picture.encoded(as: .jpeg, size: PictureSize(), within: .seconds(10))
        let seen = try decode(file, "jpegdec")
        #expect((seen.width, seen.height) == (320, 240))
        for (value, goal) in zip(seen.colour, [255, 128, 0]) { #expect(abs(value - goal) <= 8, "\(seen.colour)") }
    }

    @Test func aPausedSinkStillHasItsPicture() throws {
        let pipeline = try Pipeline(
            launch: Self.orange + " ! video/x-raw,width=64,height=48 ! fakesink name=eyes", name: "still")
        defer { pipeline.setState(.null) }
        let sink = try #require(pipeline.element(named: "eyes"))
        #expect(sink.shownPicture == nil)
        pipeline.setState(.paused)
        #expect(pipeline.state(timeout: .seconds(10)).current == .paused)
        let seen = try decode(
            #require(sink.shownPicture).encoded(as: .png, size: PictureSize(), within: .seconds(10)), "pngdec")
        #expect((seen.width, seen.height) == (64, 48))
        #expect(try #require(pipeline.sources.first).shownPicture == nil)
    }

    /// Behind what changes no picture; what is converted on its way is not what passed.
    @Test func aPadBeforeASinkHasWhatThatShows() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc name=v ! video/x-raw,format=I420,width=64,height=48 ! identity ! tee name=t"
                + " t. ! queue ! videoconvert name=c ! fakesink name=other enable-last-sample=false"
                + " t. ! queue ! fakesink name=eyes",
            name: "still")
        defer { pipeline.setState(.null) }
        pipeline.setState(.paused)
        #expect(pipeline.state(timeout: .seconds(10)).current == .paused)
        let shown = try #require(pipeline.element(named: "eyes")?.shownPicture)
        let source = try #require(pipeline.element(named: "v")?.pad(named: "src")?.pictureShownBehind)
        #expect(source.buffer == shown.buffer)
        #expect(pipeline.element(named: "c")?.pads.first { $0.isSink }?.peer?.pictureShownBehind == nil)
        #expect(pipeline.element(named: "other")?.pads.first?.peer?.pictureShownBehind == nil)
    }

    @Test func whatIsNoPictureSaysWhy() throws {
        let picture = try picture(
            "fakesrc num-buffers=3 sizetype=fixed sizemax=400 filltype=random"
                + " ! capsfilter caps=video/x-h264,stream-format=byte-stream,alignment=au ! fakesink name=net",
            at: "net", "sink")
        let failure = #expect(throws: Picture.Failure.self) {
            try picture.encoded(as: .jpeg, size: PictureSize(), within: .seconds(10))
        }
        #expect(failure?.description.isEmpty == false)
    }
}
