import Foundation

/// From logind's word that the machine is about to sleep to the inhibitor that the host lets go of.
enum SleepBenchmark: Benchmark {
    static let name = "sleep"
    static let summary =
        "Sleep: PrepareForSleep to the inhibitor's release; 3 pipelines, one records, 4 plugins; needs dbus-daemon"
    static let defaultRuns = 200

    /// How long the host runs in between: a part of what is measured, as a recording that has something to finish.
    private static let awake = 500

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let rounds = runs ?? defaultRuns
        let (bus, address) = try startBus(stage)
        defer { bus.kill() }
        let recording = stage.path(".mkv")
        let pipelines = [
            "videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=1280,height=720,framerate=25/1"
                + " ! x264enc tune=zerolatency ! h264parse name=encoded ! matroskamux ! filesink location=\(recording)",
            "videotestsrc is-live=true name=raw ! \(Pipelines.rawVideo) ! fakesink name=shown",
            "\(Pipelines.audio) name=encoder ! fakesink name=heard",
        ]
        let plugins =
            "  replay: { module: ReplayBuffer, video: p0/encoded.src, window: 60s, memory: 64MiB }\n"
            + ["p0/encoded.src", "p1/raw.src", "p2/encoder.src"].enumerated()
            .map { "  tap\($0): { module: BenchTap, pad: \($1) }\n" }.joined()
        let socket = stage.path(".socket")
        let host = try stage.host(
            pipelines, plugins: plugins, socket: socket, login: "bus: \"\(address)\"")
        defer { host.kill() }
        let logind = try Child([stage.login, address, "\(rounds)", "\(awake)"], on: stage)
        do {
            try logind.waitForSuccess(within: 60 + Double(rounds) * 12)
        } catch let error as BenchError {
            throw BenchError("\(error.text)\(host.said)")
        }
        let times = logind.log.split(separator: "\n").compactMap { Double($0) }.map { $0 / 1000 }
        try check(stage.status(socket), rounds, times.count, host)
        let size = try FileManager.default.attributesOfItem(atPath: recording)[.size] as? Int ?? 0
        // Its head alone is a tenth of that.
        guard size > 4_000 else { throw BenchError("the last recording has \(size) bytes\(host.said)") }
        let series = Series(times)
        return [("median", 0.5), ("p99", 0.99), ("most", 1)].map { label, share in
            Row(
                name: "sleep.\(label)", what: "\(label) of \(times.count)" + (label == "p99" ? " (goal: 250)" : ""),
                unit: "ms", mediahost: Series([series.quantile(share)]))
        }
    }

    /// A sleep that was given up, or that found a pipeline that did not run, is no figure.
    private static func check(_ status: [String: Any], _ rounds: Int, _ times: Int, _ host: Child) throws {
        let sleep = (status["login"] as? [String: Any])?["sleep"] as? [String: Any]
        guard times == rounds, sleep?["count"] as? Int == rounds, sleep?["given_up"] as? Int == 0 else {
            throw BenchError("\(rounds) rounds, \(times) times, but the host tells \(sleep ?? [:])\(host.said)")
        }
        let pipelines = status["pipelines"] as? [String: [String: Any]] ?? [:]
        guard pipelines.count == 3, pipelines.values.allSatisfy({ $0["restarts"] as? Int == 0 }) else {
            throw BenchError("a pipeline failed\(host.said)")
        }
    }

    private static func startBus(_ stage: Stage) throws -> (Child, address: String) {
        let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let program else { throw BenchError("there is no dbus-daemon; install the package of that name") }
        let place = stage.path(".bus")
        let configuration = stage.path(".conf")
        try """
        <busconfig>
          <type>system</type><listen>unix:path=\(place)</listen><auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """.write(toFile: configuration, atomically: false, encoding: .utf8)
        let bus = try Child([program, "--config-file=\(configuration)", "--nofork", "--nopidfile"], on: stage)
        for _ in 0..<200 where !FileManager.default.fileExists(atPath: place) { try bus.run(for: 0.05) }
        return (bus, "unix:path=\(place)")
    }
}
