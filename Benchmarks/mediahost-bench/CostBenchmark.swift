import Foundation

/// What the host adds to the work of a stream: instructions of a fixed number of buffers, counted by callgrind.
enum CostBenchmark: Benchmark {
    static let name = "cost"
    static let summary =
        "Cost: instructions per buffer (callgrind; the difference of two lengths, so without the start)"
    static let defaultRuns = 1

    private static let buffers = 30

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind") else {
            throw BenchError("there is no /usr/bin/valgrind; install valgrind")
        }
        let runs = runs ?? defaultRuns
        let kinds = [
            ("raw", "raw 1080p", "video/x-raw,format=I420,width=1920,height=1080"),
            (
                "camera", "H.264 720p",
                "video/x-raw,format=I420,width=1280,height=720"
                    + " ! x264enc tune=zerolatency speed-preset=ultrafast threads=1 ! h264parse"
            ),
        ]
        return try kinds.map { name, what, launch in
            let found = try Turns.take(Side.allCases, runs) { side in
                let counts = try [buffers, 3 * buffers].map { count in
                    try instructions(side, "videotestsrc num-buffers=\(count) ! \(launch) ! fakesink", stage)
                }
                return (counts[1] - counts[0]) / Double(2 * buffers)
            }
            return Row(
                name: "cost.\(name)", what: what, unit: "", mediahost: found[0], peerName: "gst-launch",
                peer: found[1])
        }
    }

    private static func instructions(_ side: Side, _ launch: String, _ stage: Stage) throws -> Double {
        let wrapper = ["/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        let child =
            try side == .mediahost
            ? stage.host(
                [launch], more: "on-eos: exit\n    start-timeout: never\n    stall-timeout: never", under: wrapper)
            : stage.launch(launch, under: wrapper)
        try child.waitForSuccess(within: 600)
        let line = child.log.split(separator: "\n").last { $0.contains("Collected :") }
        guard let word = line?.split(separator: " ").last, let count = Double(word) else {
            throw BenchError("callgrind told no number\(child.said)")
        }
        return count
    }
}
