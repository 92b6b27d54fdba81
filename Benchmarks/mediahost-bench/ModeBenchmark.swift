import Foundation

/// Pictures taken out of a player and put back, while somebody listens.
enum ModeBenchmark: Benchmark {
    static let name = "mode"
    static let summary =
        "Mode: a player switched to audio and back; 640x360 H.264 + AAC, a key frame each 1 s and each 10 s; CLIP=FILE: that one instead;"
        + " KIND=branch: a launch text instead of playbin3, KIND=decoded: uridecodebin3"
    static let defaultRuns = 40

    private struct Clip {
        var name: String
        var path: String
        var pictures: ClipPictures
        var decodeTimes: DecodeTimes
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let rounds = runs ?? defaultRuns
        let environment = ProcessInfo.processInfo.environment
        let word = environment["KIND"] ?? ModePlayer.playbin.rawValue
        guard let kind = ModePlayer(rawValue: word) else {
            let kinds = ModePlayer.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchError("there is no KIND=\(word); there are \(kinds)")
        }
        let files =
            if let path = environment["CLIP"] {
                [("clip", path)]
            } else {
                try [1, 10].map { distance in ("gop\(distance)", try clip(distance, stage)) }
            }
        let clips = try files.map { name, path in
            let pictures = try ClipPictures(of: path, stage)
            return Clip(
                name: name, path: path, pictures: pictures, decodeTimes: try DecodeTimes(of: path, pictures, stage))
        }
        return try clips.flatMap { try rows(for: $0, kind, rounds, stage) }
    }

    /// Seconds.
    private static let longestStill = 300.0

    private static func rows(for clip: Clip, _ kind: ModePlayer, _ rounds: Int, _ stage: Stage) throws -> [Row] {
        let switched = try play(clip, kind, rounds: rounds, seconds: 1, stage)
        sayWhatIsBeyond(switched, of: clip)
        // As long, within bounds: what the machine does to a sound that nobody touches.
        let still = try play(clip, kind, rounds: 0, seconds: min(switched.seconds, longestStill), stage)
        var rows = [
            Row(
                name: "mode.\(clip.name).jump", what: "\(clip.name): largest step in the sound (goal: 0 samples)",
                unit: "ns",
                mediahost: Series([switched.jump]), peerName: "not switched", peer: Series([still.jump])),
            Row(
                name: "mode.\(clip.name).wait",
                what: "\(clip.name): longest wait for a buffer, beyond its length (goal: 2)",
                unit: "ms", mediahost: Series([switched.wait / 1e6]), peerName: "not switched",
                peer: Series([still.wait / 1e6])),
            Row(
                name: "mode.\(clip.name).late",
                what: "\(clip.name): buffers that were waited for more than 2 ms, of \(Int(switched.buffers))",
                unit: "",
                mediahost: Series([Double(switched.late.count)]), peerName: "not switched, of \(Int(still.buffers))",
                peer: Series([Double(still.late.count)])),
            Row(
                name: "mode.\(clip.name).late.back",
                what: "\(clip.name): of them, within 300 ms of a request for pictures", unit: "",
                mediahost: Series([Double(switched.lateBack)])),
            Row(
                name: "mode.\(clip.name).late.away",
                what: "\(clip.name): of them, within 300 ms of a request for sound alone", unit: "",
                mediahost: Series([Double(switched.lateAway)])),
        ]
        for (label, times) in [("first", switched.first), ("right", switched.right)] {
            for (share, word) in [(0.5, "median"), (0.99, "p99"), (1, "most")] {
                rows.append(
                    Row(
                        name: "mode.\(clip.name).\(label).\(word)",
                        what: "\(clip.name): video back to the \(label) picture, \(word) of \(times.count)", unit: "ms",
                        mediahost: Series([Series(times).quantile(share)])))
            }
        }
        rows.append(
            Row(
                name: "mode.\(clip.name).hole",
                what: "\(clip.name): largest hole in the pictures after the right one, most of \(switched.holes.count)",
                unit: "ms", mediahost: Series([Series(switched.holes).maximum / 1e6])))
        // Who asked in one round of the loop and got it in the next is not judged: the key frame is another one by then.
        let judged = zip(switched.right, switched.asked).filter { $1 >= 0 }
        let beyond = judged.map { time, asked in time - limit(asked: asked, clip) }
        for (share, word) in [(0.5, "median"), (0.99, "p99"), (1, "most")] {
            rows.append(
                Row(
                    name: "mode.\(clip.name).goal.\(word)",
                    what:
                        "\(clip.name): the same beyond 20 ms + 1.15 x decoding since the key frame, and its time, \(word) of \(judged.count) (goal: 0)",
                    unit: "ms", mediahost: Series([Series(beyond).quantile(share)])))
        }
        if let worst = zip(beyond, judged).max(by: { $0.0 < $1.0 }) {
            rows.append(
                Row(
                    name: "mode.\(clip.name).goal.place",
                    what: "\(clip.name): where in the clip the worst of them was asked for",
                    unit: "s", mediahost: Series([worst.1.1])))
        }
        for kind in kind == .playbin ? [ModePlayer.playbin, .branch] : [kind] {
            // In turns: neighbours on the same processor change its speed by a third from one half minute to the next.
            let times = try (0..<pairs).map { _ in
                try [true, false].map { try processorTime(of: kind, clip, hides: $0, stage) }
            }
            rows.append(
                Row(
                    name: "mode.\(clip.name).cpu.\(kind)",
                    what: "\(clip.name): processor time of \(Int(slot)) s without pictures, \(kind) (goal: 1.1)",
                    unit: "ms",
                    mediahost: Series(times.map { $0[0] }), peerName: "the same of sound alone",
                    peer: Series(times.map { $0[1] })))
        }
        return rows
    }

    /// Each single one: an outlier of a thousand is to be found again.
    private static func sayWhatIsBeyond(_ seen: Watched, of clip: Clip) {
        for (number, asked) in seen.asked.enumerated() where asked >= 0 {
            let beyond = seen.right[number] - limit(asked: asked, clip)
            guard beyond > 0 else { continue }
            let hidden = Double(seen.back[number] - seen.away[number]) / 1e6
            let text = String(
                format:
                    "%@: return %d, hidden for %.1f ms, asked for at %.3f s: first picture after %.1f ms, right one after %.1f,"
                    + " %.1f beyond the goal\n", clip.name, number, hidden, asked, seen.first[number],
                seen.right[number], beyond)
            FileHandle.standardError.write(Data(text.utf8))
        }
        for (time, wait) in zip(seen.late, seen.lateBy) {
            func sinceLast(_ requests: [Int64]) -> Double {
                requests.last { $0 <= time }.map { Double(time - $0) / 1e6 } ?? .infinity
            }
            let place: Double =
                seen.back.lastIndex { $0 <= time }.map { seen.asked[$0] + Double(time - seen.back[$0]) / 1e9 } ?? 0
            let text = String(
                format:
                    "%@: a buffer was waited for for %.1f ms, %.1f ms after a request for sound alone,"
                    + " %.1f after one for pictures, at %.3f s of the clip\n",
                clip.name, wait / 1e6, sinceLast(seen.away), sinceLast(seen.back), place)
            FileHandle.standardError.write(Data(text.utf8))
        }
    }

    /// What was seen and heard; milliseconds from the request.
    private struct Watched {
        var jump = 0.0
        var wait = 0.0
        var buffers = 0.0
        /// When a buffer was waited for for more than 2 ms, and when modes were asked for; monotonic nanoseconds.
        var late: [Int64] = []
        /// For how long; nanoseconds.
        var lateBy: [Double] = []
        var away: [Int64] = []
        var back: [Int64] = []
        /// How long it played.
        var seconds = 0.0
        var first: [Double] = []
        var right: [Double] = []
        /// Where the sound was when pictures were asked for, in seconds of the clip.
        var asked: [Double] = []
        /// After each return, up to the next switch.
        var holes: [Double] = []

        var lateBack: Int { late.count { Watched.isNear($0, back) } }
        var lateAway: Int { late.count { Watched.isNear($0, away) } }

        private static func isNear(_ time: Int64, _ requests: [Int64]) -> Bool {
            requests.contains { (0..<300_000_000).contains(time - $0) }
        }
    }

    private static func play(
        _ clip: Clip, _ kind: ModePlayer, rounds: Int, seconds: Double, _ stage: Stage
    ) throws -> Watched {
        let (ears, eyes, socket) = (stage.path(".ears"), stage.path(".eyes"), stage.path(".socket"))
        let host = try stage.host([kind.launch(clip.path, ears, eyes)], more: "on-eos: loop", socket: socket)
        defer { host.kill() }
        let sight = Trace(eyes)
        try sight.wait(for: 1, prefix: "right:", from: host)
        var watched = Watched()
        let start = monotonic()
        try host.run(for: seconds)
        for round in 0..<rounds {
            watched.away.append(Int64(monotonic()))
            try ControlCall.post("/v1/pipelines/p0/mode", "{\"mode\":\"audio\"}", socket)
            // Anywhere between two key frames.
            try host.run(for: 0.3 + 0.5 * Double(round % 17) / 17)
            sight.update()
            let before = sight.lines.count
            let begin = monotonic()
            watched.back.append(Int64(begin))
            try ControlCall.post("/v1/pipelines/p0/mode", "{\"mode\":\"video\"}", socket)
            try sight.wait(for: 1, prefix: "behind:", from: host, every: 0.02, after: before)
            let lines = sight.lines
            guard let first = lines.last(where: { $0.what.hasPrefix("first:") }),
                let right = lines.last(where: { $0.what.hasPrefix("right:") }),
                let place = Double(right.what.dropFirst("right:".count)),
                let behind = lines.last(where: { $0.what.hasPrefix("behind:") })
                    .flatMap({ Double($0.what.dropFirst("behind:".count)) })
            else { throw BenchError("the eyes saw nothing\(host.said)") }
            watched.first.append(Double(first.monotonic - Int64(begin)) / 1e6)
            watched.right.append(Double(right.monotonic - Int64(begin)) / 1e6)
            watched.asked.append((place + behind) / 1e9 - Double(right.monotonic - Int64(begin)) / 1e9)
            try host.run(for: 0.2)
        }
        watched.seconds = Double(monotonic() - start) / 1e9
        try ControlCall.post("/v1/pipelines/p0/stop", "", socket)
        let heard = Trace(ears).lines
        func number(_ prefix: String) -> Double? {
            heard.last { $0.what.hasPrefix(prefix) }.flatMap { Double($0.what.dropFirst(prefix.count)) }
        }
        guard let jump = number("jump:"), let wait = number("wait:"), let count = number("buffers:"), count > 100 else {
            throw BenchError("the ears heard nothing\(host.said)")
        }
        (watched.jump, watched.wait, watched.buffers) = (jump, wait, count)
        let late = heard.filter { $0.what.hasPrefix("late:") }
        watched.late = late.map(\.monotonic)
        watched.lateBy = late.map { Double($0.what.dropFirst("late:".count)) ?? 0 }
        sight.update()
        watched.holes = sight.lines.filter { $0.what.hasPrefix("hole:") }
            .compactMap { Double($0.what.dropFirst("hole:".count)) }
        return watched
    }

    /// When the right picture is to be there, milliseconds from the request: 20 ms and 1.15 times what decoding takes from the
    /// last key frame before the request on. A picture is not shown before its time, and not by a sink that is more than 20 ms
    /// late with it: then it is the next one.
    private static func limit(asked: Double, _ clip: Clip) -> Double {
        let (rate, keys) = (clip.pictures.rate, clip.pictures.keys)
        var number = Int((asked * rate).rounded(.down))
        let key = keys.lastIndex { $0 <= number } ?? 0
        while true {
            let due = (Double(number) / rate - asked) * 1e3
            guard let time = clip.decodeTimes.time(since: key, distance: number - keys[key]) else { return due }
            let ready = 20 + 1.15 * time
            if ready <= due + 20 { return max(ready, due) }
            number += 1
        }
    }

    private static let pairs = 7
    /// Seconds.
    private static let slot = 10.0

    /// Of `slot` seconds of playing, in milliseconds: without the pictures it has, or as a pipeline that never had any.
    private static func processorTime(of kind: ModePlayer, _ clip: Clip, hides: Bool, _ stage: Stage) throws -> Double {
        let (ears, eyes, socket) = (stage.path(".ears"), stage.path(".eyes"), stage.path(".socket"))
        let launch =
            switch (kind, hides) {
            case (_, true): kind.launch(clip.path, ears, eyes)
            case (.branch, false): ModePlayer.sound(clip.path, ears)
            case (_, false): kind.launch(try soundAlone(of: clip, stage), ears, nil)
            }
        let host = try stage.host([launch], more: "on-eos: loop", socket: socket)
        defer { host.kill() }
        try Trace.wait(for: 1, prefix: "right:", in: hides ? eyes : ears, from: host)
        if hides { try ControlCall.post("/v1/pipelines/p0/mode", "{\"mode\":\"audio\"}", socket) }
        try host.run(for: 1.5)
        let before = try host.processorSeconds()
        try host.run(for: slot)
        return try (host.processorSeconds() - before) * 1000
    }

    private static func soundAlone(of clip: Clip, _ stage: Stage) throws -> String {
        let file = clip.path + ".m4a"
        try stage.launch(
            "filesrc location=\(clip.path) ! qtdemux name=d d.audio_0 ! queue ! aacparse ! mp4mux ! filesink location=\(file)"
        ).waitForSuccess(within: 60)
        return file
    }

    private static let seconds = 60

    private static func clip(_ distance: Int, _ stage: Stage) throws -> String {
        let file = stage.folder + "/gop\(distance).mp4"
        try stage.launch(
            "videotestsrc num-buffers=\(seconds * 25) ! video/x-raw,width=640,height=360,framerate=25/1"
                + " ! x264enc speed-preset=veryfast bframes=2 key-int-max=\(25 * distance) option-string=scenecut=0"
                + " ! h264parse ! mp4mux name=m ! filesink location=\(file)"
                + " audiotestsrc num-buffers=\(seconds * 44100 / 1024) samplesperbuffer=1024"
                + " ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! aacparse ! m."
        ).waitForSuccess(within: 300)
        return file
    }
}
