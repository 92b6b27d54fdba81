import Foundation

/// From the order to a picture on an output that keeps time: a viewer who stands is moved to any place.
extension ReplayBenchmark {
    private static let frames = 300
    private static let pictureBytes = 64 * 36 * 3 / 2

    static func scrub(on stage: Stage, runs: Int) throws -> [Row] {
        let socket = stage.path(".socket")
        let fifo = try Fifo(on: stage)
        let recorded =
            "videotestsrc is-live=true num-buffers=\(frames) pattern=ball ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1"
            + " ! x264enc speed-preset=veryfast key-int-max=30 ! h264parse name=encoded ! fakesink"
        let view =
            "appsrc name=replay ! h264parse ! avdec_h264 ! videoscale ! video/x-raw,width=64,height=36"
            + " ! filesink location=\(fifo.path) buffer-mode=unbuffered sync=true"
        let host = try stage.host(
            [recorded, view],
            plugins:
                "  replay: { module: ReplayBuffer, video: p0/encoded.src, window: 20s, memory: 64MiB, output: p1/replay }\n",
            socket: socket)
        defer { host.kill() }
        try TimersBenchmark.waitForSocket(socket, host)
        let control = try KeptConnection(socket)
        try until("the recording", host) {
            Fifo.drain([fifo], for: 0.01)
            return try status(control, "replay").newest >= Int64(frames - 1) * 1_000_000_000 / 30
        }
        try control.send(KeptConnection.post("/v1/plugins/replay/commands/pause", "{}"))
        Fifo.drain([fifo], for: 2)
        let times = try (0..<runs).map { _ -> Double in
            let place = Int.random(in: 0..<(frames * 33))
            let begin = monotonic()
            try control.send(KeptConnection.post("/v1/plugins/replay/commands/seek", #"{"at":"\#(place)ms"}"#))
            let end = try fifo.waitForBytes(pictureBytes, from: host)
            // Whoever drags looks at each.
            Fifo.drain([fifo], for: 0.1)
            return Double(end - begin) / 1e6
        }
        try control.send(KeptConnection.post("/v1/plugins/replay/commands/play", #"{"at":"9s","rate":-1}"#))
        let backwards = Double(Fifo.drain([fifo], for: 8) / pictureBytes) / 8
        func row(_ name: String, _ what: String, _ quantile: Double) -> Row {
            Row(name: name, what: what, unit: "ms", mediahost: Series([Series(times).quantile(quantile)]))
        }
        return [
            row("replay.scrub", "\(runs) seeks to any picture, 720p, GOPs of 1 s: median", 0.5),
            row("replay.scrub95", "the same, p95 (goal: 120)", 0.95),
            Row(
                name: "replay.backwards", what: "pictures a second at rate -1, of 30", unit: "/s",
                mediahost: Series([backwards])),
        ]
    }
}
