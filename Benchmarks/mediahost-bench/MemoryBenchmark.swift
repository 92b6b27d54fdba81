import Foundation

/// What a running pipeline costs.
enum MemoryBenchmark: Benchmark {
    static let name = "memory"
    static let summary = "Memory 3 s after the first byte: Pss (nothing shared with others but libc), private dirty"
    static let defaultRuns = 5

    private static let settle = 3.0

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let replay = { (pad: String) in
            "  replay:\n    module: ReplayBuffer\n    video: \(pad)\n    window: 60s\n    memory: 64MiB\n"
        }
        let stage = try stage.apart(for: Pipelines.audio)
        return try nothing(runs, stage) + measure("audio", "1 live Opus pipeline", Pipelines.audio, 1, runs, stage)
            + measure("camera", "1 live H.264 pipeline", Pipelines.camera, 1, runs, stage)
            + measure(
                "replay", "the same, ReplayBuffer 60 s", Pipelines.camera, 1, runs, stage,
                plugins: replay("p0/encoded.src"))
            + measure("audio20", "20 live Opus pipelines", Pipelines.audio, 20, min(runs, 3), stage)
    }

    private static func nothing(_ runs: Int, _ stage: Stage) throws -> [Row] {
        let found = try Turns.takeAll([Side.mediahost], runs) { _ in
            let host = try stage.host([])
            // As long as the pipelines run before they are looked at.
            try host.run(for: settle)
            return try figures([host])
        }
        return [(0, "pss", "Pss"), (1, "dirty", "private dirty")].map { figure, suffix, label in
            Row(
                name: "memory.nothing.\(suffix)", what: "\(label), no pipeline", unit: "MiB",
                mediahost: found[0][figure])
        }
    }

    private static func figures(_ children: [Child]) throws -> [Double] {
        let memories = try children.map { try $0.memory() }
        return ["Pss", "Private_Dirty"].map { key in memories.reduce(0) { $0 + ($1[key] ?? 0) } / 1024 }
    }

    private static func measure(
        _ name: String, _ what: String, _ launch: String, _ count: Int, _ runs: Int, _ stage: Stage,
        plugins: String = ""
    ) throws -> [Row] {
        let found = try Turns.takeAll(Side.allCases, runs) { side in
            let fifos = try (0..<count).map { _ in try Fifo(on: stage) }
            let texts = fifos.map { "\(launch) ! \($0.sink)" }
            let children =
                try side == .mediahost ? [stage.host(texts, plugins: plugins)] : texts.map { try stage.launch($0) }
            for (index, fifo) in fifos.enumerated() {
                _ = try fifo.waitForFirstByte(from: children[index % children.count])
            }
            Fifo.drain(fifos, for: settle)
            // A pipeline whose fifo is closed ends.
            return try withExtendedLifetime(fifos) { try figures(children) }
        }
        let peer = count == 1 ? "gst-launch" : "\(count) × gst-launch"
        return [(0, "pss", "Pss"), (1, "dirty", "private dirty")].map { figure, suffix, label in
            Row(
                name: "memory.\(name).\(suffix)", what: "\(label), \(what)", unit: "MiB", mediahost: found[0][figure],
                peerName: peer, peer: found[1][figure])
        }
    }
}
