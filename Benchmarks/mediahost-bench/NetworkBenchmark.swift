import Foundation

/// Ten minutes of sound without pictures over a thin line, beside the same player that shows its pictures.
enum NetworkBenchmark: Benchmark {
    static let name = "network"
    static let summary =
        "Network: playbin3 over HTTP at 1.3 times the clip's speed, the line stops for 1.5 s each 20 s; sound alone for 10 min (SECONDS=N)"
    static let defaultRuns = 1

    private static let usualSeconds = 600.0
    /// Times the speed of the clip.
    private static let headroom = 1.3
    private static let stops = ThrottledServer.Stops(each: 20, length: 1.5)

    private struct Heard {
        var interruptions = 0.0
        var jump = 0.0
        var wait = 0.0
        var late = 0.0
        var buffers = 0.0
        var sent = 0.0
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let seconds = ProcessInfo.processInfo.environment["SECONDS"].flatMap(Double.init) ?? usualSeconds
        let clip = try clip(of: seconds + 30, stage)
        guard let file = FileManager.default.contents(atPath: clip) else { throw BenchError("there is no \(clip)") }
        let rounds = runs ?? defaultRuns
        var (hidden, shown): ([Heard], [Heard]) = ([], [])
        var back: [Double] = []
        for _ in 0..<rounds {
            let speed = headroom * Double(file.count) / (seconds + 30)
            let players = try [true, false].map { hides in
                try Player(stage, ThrottledServer(file, bytesPerSecond: speed, stops: stops), hides: hides)
            }
            for player in players { try player.begin() }
            let end = monotonic() + UInt64(seconds * 1e9)
            for player in players { try player.play(until: end) }
            back.append(try players[0].comeBack())
            hidden.append(try players[0].end())
            shown.append(try players[1].end())
        }
        func row(_ id: String, _ what: String, _ unit: String, _ value: (Heard) -> Double) -> Row {
            Row(
                name: "network.\(id)", what: what, unit: unit, mediahost: Series(hidden.map(value)),
                peerName: "with its pictures", peer: Series(shown.map(value)))
        }
        return [
            row("interruptions", "interruptions of \(Int(seconds)) s (goal: 0)", "", \.interruptions),
            row("jump", "largest step in the sound (goal: 0 samples)", "ns", \.jump),
            row("wait", "longest wait for a buffer, beyond its length", "ms") { $0.wait / 1e6 },
            row("late", "buffers waited for more than 2 ms", "", \.late),
            row("buffers", "buffers of sound", "", \.buffers),
            row("sent", "over the line", "MB") { $0.sent / 1e6 },
            Row(
                name: "network.back", what: "to the right picture at the end", unit: "ms", mediahost: Series(back)),
        ]
    }

    /// One host with one player, and its line.
    private final class Player {
        private let host: Child
        private let server: ThrottledServer
        private let hides: Bool
        private let (ears, eyes, socket): (String, String, String)
        /// Before it played.
        private var complaintsBefore = 0

        init(_ stage: Stage, _ server: ThrottledServer, hides: Bool) throws {
            (ears, eyes, socket) = (stage.path(".ears"), stage.path(".eyes"), stage.path(".socket"))
            (self.server, self.hides) = (server, hides)
            let launch =
                "playbin3 uri=http://127.0.0.1:\(server.port)/clip.mp4"
                + " audio-sink=\"benchview trace=\(ears)\" video-sink=\"benchview trace=\(eyes)\""
            host = try stage.host([launch], socket: socket)
        }

        func begin() throws {
            try Trace.wait(for: 1, prefix: "right:", in: eyes, from: host)
            complaintsBefore = complaints
            if hides { try ControlCall.post("/v1/pipelines/p0/mode", "{\"mode\":\"audio\"}", socket) }
        }

        func play(until end: UInt64) throws {
            while monotonic() < end { try host.run(for: 0.25) }
        }

        private func restarts() throws -> Int {
            let answer = Data(try ControlCall.get("/v1/status", socket))
            guard let status = try JSONSerialization.jsonObject(with: answer) as? [String: Any],
                let pipelines = status["pipelines"] as? [String: Any],
                let player = pipelines["p0"] as? [String: Any], let restarts = player["restarts"] as? Int
            else { throw BenchError("no status\(host.said)") }
            return restarts
        }

        /// How often it said that it does not play as it should.
        private var complaints: Int {
            let words = ["buffering", "stalled", "degraded", "error"]
            return host.log.split(separator: "\n").count { line in words.contains(where: line.contains) }
        }

        /// - Returns: milliseconds to the right picture.
        func comeBack() throws -> Double {
            let sight = Trace(eyes)
            let (before, begin) = (sight.lines.count, monotonic())
            try ControlCall.post("/v1/pipelines/p0/mode", "{\"mode\":\"video\"}", socket)
            try sight.wait(for: 1, prefix: "right:", from: host, every: 0.02, after: before)
            guard let right = sight.lines.last(where: { $0.what.hasPrefix("right:") }) else { return 0 }
            return Double(right.monotonic - Int64(begin)) / 1e6
        }

        func end() throws -> Heard {
            try ControlCall.post("/v1/pipelines/p0/stop", "", socket)
            let lines = Trace(ears).lines
            // Of a build that is not the first these numbers are of its own part only.
            guard try restarts() == 0 else { throw BenchError("the player had to begin anew\(host.said)") }
            func number(_ prefix: String) throws -> Double {
                guard let line = lines.last(where: { $0.what.hasPrefix(prefix) }),
                    let number = Double(line.what.dropFirst(prefix.count))
                else { throw BenchError("the ears heard nothing\(host.said)") }
                return number
            }
            return Heard(
                interruptions: Double(complaints - complaintsBefore), jump: try number("jump:"),
                wait: try number("wait:"),
                late: Double(lines.count { $0.what.hasPrefix("late:") }), buffers: try number("buffers:"),
                sent: Double(server.bytesSent))
        }
    }

    private static func clip(of seconds: Double, _ stage: Stage) throws -> String {
        let file = stage.folder + "/long.mp4"
        try stage.launch(
            "videotestsrc num-buffers=\(Int(seconds * 25)) pattern=ball ! video/x-raw,width=320,height=180,framerate=25/1"
                + " ! x264enc speed-preset=ultrafast bitrate=400 pass=cbr key-int-max=50 ! h264parse"
                + " ! mp4mux faststart=true name=m ! filesink location=\(file)"
                + " audiotestsrc num-buffers=\(Int(seconds * 44100 / 1024)) samplesperbuffer=1024"
                + " ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! aacparse ! m."
        ).waitForSuccess(within: 600)
        return file
    }
}
