/// What decoding the pictures of a clip takes from the key frame before them.
struct DecodeTimes {
    /// Milliseconds from when the key frame comes to a decoder that is open until the picture leaves it, as fast as it goes; by
    /// the number of the picture in the order of their showing. The best of three.
    let sinceKey: [Double]

    init(of path: String, _ pictures: ClipPictures, _ stage: Stage) throws {
        let rounds = try (0..<3).map { _ in try Self.round(path, pictures, stage) }
        sinceKey = pictures.times.indices.map { number in rounds.map { $0[number] }.min() ?? .infinity }
    }

    private static func round(_ path: String, _ pictures: ClipPictures, _ stage: Stage) throws -> [Double] {
        let (before, behind) = (stage.path(".before"), stage.path(".behind"))
        // A tee gives to its ways in their order: what comes to the first is about to come to the decoder.
        try stage.launch(
            "filesrc location=\(path) ! qtdemux ! h264parse ! tee name=t"
                + " t. ! benchview sync=false async=false each=true trace=\(before)"
                + " t. ! avdec_h264 ! benchview sync=false async=false each=true trace=\(behind)"
        ).waitForSuccess(within: 120)
        let (came, left) = (times(before), times(behind))
        return try pictures.times.enumerated().map { number, time in
            let key = pictures.times[pictures.keys.last { $0 <= number } ?? 0]
            guard let begin = came[key], let end = left[time] else {
                throw BenchError("picture \(number) of \(path) was not decoded")
            }
            return Double(end - begin) / 1e6
        }
    }

    /// When each buffer came, by its time stamp.
    private static func times(_ path: String) -> [Int64: Int64] {
        let prefix = "each:"
        return Trace(path).lines.reduce(into: [:]) { times, line in
            guard line.what.hasPrefix(prefix), let pts = Int64(line.what.dropFirst(prefix.count)) else { return }
            times[pts] = line.monotonic
        }
    }
}
