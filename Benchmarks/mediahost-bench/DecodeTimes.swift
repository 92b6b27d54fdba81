import Foundation

/// What decoding a clip takes from each of its key frames on, for a decoder that begins there.
struct DecodeTimes {
    /// By key frame, then by picture from it on, up to the end of the group behind its own: milliseconds from when the key frame
    /// comes to a decoder that is open until the picture leaves it, as fast as it goes. The best of three.
    private let sinceKey: [[Double]]

    init(of path: String, _ pictures: ClipPictures, _ stage: Stage) throws {
        let groups = try Self.groups(of: path, stage)
        guard groups.count == pictures.keys.count else {
            throw BenchError("\(path) has \(pictures.keys.count) key frames and \(groups.count) groups of pictures")
        }
        sinceKey = try groups.indices.map { number in
            let two = stage.path(".h264")
            try (groups[number] + groups[(number + 1) % groups.count]).write(to: URL(fileURLWithPath: two))
            let rounds = try (0..<3).map { _ in try Self.round(two, stage) }
            return (0..<(rounds.map(\.count).min() ?? 0)).map { picture in
                rounds.map { $0[picture] }.min() ?? .infinity
            }
        }
    }

    /// - Parameters:
    ///   - key: the number of the key frame among its likes.
    ///   - distance: how many pictures behind it.
    /// - Returns: nil for what is too far behind it.
    func time(since key: Int, distance: Int) -> Double? {
        sinceKey[key].indices.contains(distance) ? sinceKey[key][distance] : nil
    }

    private static func groups(of path: String, _ stage: Stage) throws -> [Data] {
        let folder = stage.path(".groups")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try stage.launch(
            "filesrc location=\(path) ! qtdemux ! h264parse config-interval=-1 ! video/x-h264,stream-format=byte-stream,alignment=au"
                + " ! multifilesink next-file=key-frame min-keyframe-distance=1 location=\(folder)/%06d"
        ).waitForSuccess(within: 120)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
    }

    /// By picture, in the order of their showing.
    private static func round(_ path: String, _ stage: Stage) throws -> [Double] {
        let (before, behind) = (stage.path(".before"), stage.path(".behind"))
        // A tee gives to its ways in their order: what comes to the first is about to come to the decoder.
        try stage.launch(
            "filesrc location=\(path) ! h264parse ! video/x-h264,stream-format=avc,alignment=au ! tee name=t"
                + " t. ! benchview sync=false async=false each=true trace=\(before)"
                + " t. ! avdec_h264 ! benchview sync=false async=false each=true trace=\(behind)"
        ).waitForSuccess(within: 120)
        guard let begin = times(before).first else { throw BenchError("nothing of \(path) was decoded") }
        return times(behind).map { Double($0 - begin) / 1e6 }
    }

    private static func times(_ path: String) -> [Int64] {
        Trace(path).lines.filter { $0.what.hasPrefix("each:") }.map(\.monotonic)
    }
}
