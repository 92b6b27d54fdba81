import GStreamerKit
import Testing

/// Pictures with a number in them that survives any encoder: 16 large squares, black or white.
enum NumberedPictures {
    static let width = 160
    static let height = 120
    static let step = second / 20

    static func picture(_ number: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            for column in 0..<width {
                let bit = (row / 30) * 4 + column / 40
                bytes[row * width + column] = number >> bit & 1 == 1 ? 235 : 16
            }
        }
        return bytes
    }

    static func number(_ picture: [UInt8]) -> Int {
        guard picture.count >= width * height else { return -1 }
        var number = 0
        for bit in 0..<16 where picture[((bit / 4) * 30 + 15) * width + (bit % 4) * 40 + 20] > 125 {
            number |= 1 << bit
        }
        return number
    }

    /// H.264 at 20 frames a second, from 0 on.
    static func h264(_ frames: Int, gop: Int, bFrames: Int) throws -> EncodedStream {
        var stream = try EncodedStream.record(
            """
            appsrc name=in ! video/x-raw,format=GRAY8,width=160,height=120,framerate=20/1 ! videoconvert
            ! video/x-raw,format=I420
            ! x264enc speed-preset=ultrafast key-int-max=\(gop) bframes=\(bFrames) b-adapt=false
              option-string=scenecut=0:open-gop=0
            ! h264parse name=probe ! video/x-h264,stream-format=byte-stream,alignment=au ! fakesink
            """
        ) { pipeline in
            let source = try #require(pipeline.element(named: "in").flatMap { AppSource($0) })
            let caps = try #require(
                Caps("video/x-raw,format=GRAY8,width=160,height=120,framerate=20/1,interlace-mode=progressive"))
            source.configure(caps: caps, maxBytes: 1 << 30)
            for number in 0..<frames {
                let pts = ClockTime(nanoseconds: Int64(number) * step)
                let unit = AppSource.Unit(
                    pts: pts, dts: nil, duration: ClockTime(nanoseconds: step), isDelta: false)
                let taken = picture(number).withUnsafeBytes { source.push($0, unit) }
                try #require(taken)
            }
            source.endOfStream()
        }
        // x264enc counts from 1000 h on.
        let zero = stream.units.map(\.pts).min() ?? 0
        for index in stream.units.indices {
            stream.units[index].pts -= zero
            stream.units[index].dts? -= zero
        }
        return stream
    }

    /// The numbers of a clip's pictures, decoded, in the order they are shown.
    static func numbers(_ path: String) throws -> [Int] {
        try EncodedStream.record(
            "filesrc location=\"\(path)\" ! decodebin name=d ! video/x-raw ! videoconvert ! "
                + "video/x-raw,format=GRAY8 ! identity name=probe ! fakesink"
        ).units.map { number($0.bytes) }
    }
}
