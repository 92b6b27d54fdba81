import Foundation

/// A minute of H.264, 4 Mbit/s and a key frame each second, whose pictures have their number in them: 16 large
/// squares, black or white, that survive any encoder.
struct NumberedFilm {
    static let rate = 30
    static let frames = 60 * rate
    static let width = 640
    static let height = 360

    /// The NAL units of each picture; the first ones are SPS and PPS.
    let pictures: [[[UInt8]]]

    init(on stage: Stage) throws {
        let numbers = stage.path(".gray")
        try Data((0..<Self.frames).flatMap(Self.squares)).write(to: URL(fileURLWithPath: numbers))
        let film = stage.path(".h264")
        try stage.launch(
            "compositor name=both sink_1::xpos=160 sink_1::ypos=60 ! video/x-raw,format=I420"
                + " ! x264enc bitrate=4000 speed-preset=ultrafast tune=zerolatency key-int-max=\(Self.rate)"
                + " option-string=scenecut=0 ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=au"
                + " ! filesink location=\(film)"
                + " videotestsrc pattern=snow num-buffers=\(Self.frames)"
                + " ! video/x-raw,width=\(Self.width),height=\(Self.height),framerate=\(Self.rate)/1 ! both.sink_0"
                + " filesrc location=\(numbers) ! rawvideoparse format=gray8 width=4 height=4 framerate=\(Self.rate)/1"
                + " ! \(Self.scale) ! video/x-raw,width=320,height=240,pixel-aspect-ratio=1/1 ! queue ! both.sink_1"
        ).waitForSuccess(within: 120)
        // What cannot be read back here says nothing about a clip.
        let read = try Self.numbers(film, on: stage)
        guard read == Array(0..<Self.frames) else {
            throw BenchError("of \(Self.frames) numbered pictures \(read.count) are read back, or others")
        }
        pictures = Self.pictures(Array(try Data(contentsOf: URL(fileURLWithPath: film))))
        guard pictures.count == Self.frames else {
            throw BenchError("\(Self.frames) pictures have \(pictures.count) access units")
        }
    }

    /// The numbers of a file's pictures in the order they are shown; -1 where there is none to be read.
    static func numbers(_ file: String, on stage: Stage) throws -> [Int] {
        let squares = stage.path(".gray")
        defer { try? FileManager.default.removeItem(atPath: squares) }
        try stage.launch(
            "filesrc location=\(file) ! decodebin ! videoconvert ! videocrop left=160 right=160 top=60 bottom=60"
                + " ! \(scale) ! video/x-raw,format=GRAY8,width=12,height=12 ! filesink location=\(squares)"
        ).waitForSuccess(within: 60)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: squares)))
        return stride(from: 0, to: bytes.count - 143, by: 144).map { picture in
            // Of the nine that each square has the one in its middle.
            let code = (0..<16).reduce(0) { code, bit in
                bytes[picture + (bit / 4 * 3 + 1) * 12 + bit % 4 * 3 + 1] > 125 ? code | 1 << bit : code
            }
            return Self.code(code & 0x7ff) == code ? code & 0x7ff : -1
        }
    }

    private static let scale = "videoscale method=nearest-neighbour add-borders=false"

    /// Eleven bits, and the last five of them turned around to check.
    private static func code(_ number: Int) -> Int { number | (~number & 0x1f) << 11 }

    private static func squares(_ number: Int) -> [UInt8] {
        (0..<16).map { code(number) >> $0 & 1 == 1 ? 235 : 16 }
    }

    /// Split at the access unit delimiters, which are left out.
    private static func pictures(_ stream: [UInt8]) -> [[[UInt8]]] {
        var starts: [Int] = []
        for index in 2..<stream.count where stream[index] == 1 && stream[index - 1] == 0 && stream[index - 2] == 0 {
            starts.append(index + 1)
        }
        var pictures: [[[UInt8]]] = []
        for (start, next) in zip(starts, starts.dropFirst() + [stream.count + 3]) {
            var unit = stream[start..<(next - 3)]
            while unit.last == 0 { unit.removeLast() }
            if unit.first.map({ $0 & 0x1f == 9 }) ?? true {
                pictures.append([])
            } else if !pictures.isEmpty {
                pictures[pictures.count - 1].append(Array(unit))
            }
        }
        return pictures
    }
}
