/// From exec to the first byte of a pipeline's output, and to the exit after its only buffer.
enum StartBenchmark: Benchmark {
    static let name = "start"
    static let summary = "Start: exec to the first byte out of the pipeline, exec to exit; registry warm"
    static let defaultRuns = 31

    private static let sources = [
        ("start.raw", "exec to first byte, live raw video", "videotestsrc is-live=true ! \(Pipelines.rawVideo)"),
        ("start.camera", "exec to first byte, live H.264", Pipelines.camera),
        ("start.audio", "exec to first byte, live Opus", Pipelines.audio),
    ]

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        var rows = try sources.map { name, what, launch in
            try measure(name, what, runs) { side in
                let fifo = try Fifo(on: stage)
                let text = "\(launch) ! \(fifo.sink)"
                let child = try side == .mediahost ? stage.host([text]) : stage.launch(text)
                let first = try fifo.waitForFirstByte(from: child)
                return first - child.began
            }
        }
        rows.append(
            try measure("start.exit", "exec to exit, one buffer", runs) { side in
                let text = "fakesrc num-buffers=1 ! fakesink"
                let child = try side == .mediahost ? stage.host([text], more: "on-eos: exit") : stage.launch(text)
                return try child.waitForSuccess(within: 20)
            })
        rows.append(try firstBuffer(stage, runs))
        rows.append(try ten("start.ten", "exec to first byte of 10 pipelines, fakesrc", buffer, stage, runs))
        rows.append(
            try ten("start.ten-audio", "exec to first byte of 10 pipelines, live Opus", Pipelines.audio, stage, runs))
        return rows
    }

    private static let buffer = "fakesrc num-buffers=1 sizetype=fixed sizemax=1024"

    /// The goal of the project: the host's first buffer beside everything that gst-launch does with one.
    private static func firstBuffer(_ stage: Stage, _ runs: Int) throws -> Row {
        try measure("start.first", "exec to first byte, fakesrc | to exit", runs) { side in
            let fifo = try Fifo(on: stage)
            let text = "\(buffer) ! \(fifo.sink)"
            guard side == .mediahost else { return try stage.launch(text).waitForSuccess(within: 20) }
            let child = try stage.host([text])
            return try fifo.waitForFirstByte(from: child) - child.began
        }
    }

    /// The last of ten, in one host or in ten processes.
    private static func ten(
        _ name: String, _ what: String, _ source: String, _ stage: Stage, _ runs: Int
    ) throws -> Row {
        try measure(name, what, runs) { side in
            let fifos = try (0..<10).map { _ in try Fifo(on: stage) }
            let texts = fifos.map { "\(source) ! \($0.sink)" }
            let children = try side == .mediahost ? [stage.host(texts)] : texts.map { try stage.launch($0) }
            var last: UInt64 = 0
            for (index, fifo) in fifos.enumerated() {
                last = max(last, try fifo.waitForFirstByte(from: children[index % children.count]))
            }
            return last - children[0].began
        }
    }

    private static func measure(
        _ name: String, _ what: String, _ runs: Int, _ once: (Side) throws -> UInt64
    ) throws -> Row {
        // One of each that does not count: the files are in the page cache then.
        for side in Side.allCases { _ = try once(side) }
        let found = try Turns.take(Side.allCases, runs) { Double(try once($0)) / 1e6 }
        return Row(
            name: name, what: what, unit: "ms", mediahost: found[0], peerName: "gst-launch", peer: found[1])
    }
}
