import Foundation

/// From a plugin's file to an instance, page cache and Swift's runtime warm: what a host pays once for each plugin.
enum LoadBenchmark: Benchmark {
    static let name = "load"
    static let summary = "Load: dlopen, entry and create of a plugin in Swift; beside one in C"
    static let defaultRuns = 51

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let runs = runs ?? defaultRuns
        let swift = try once("libReplayBuffer.so", runs, stage)
        let plain = try once("libBenchTap.so", runs, stage)
        return [
            Row(
                name: "load.create", what: "file to instance, ReplayBuffer | a plugin in C (goal: 1000)", unit: "µs",
                mediahost: swift, peerName: "C", peer: plain)
        ]
    }

    /// A library is mapped once in a process, so each time is that of a copy.
    private static func once(_ library: String, _ runs: Int, _ stage: Stage) throws -> Series {
        let beside = (stage.mediahost as NSString).deletingLastPathComponent
        let copies = try (0...runs).map { _ in
            let copy = stage.path(".so")
            try FileManager.default.copyItem(atPath: "\(beside)/\(library)", toPath: copy)
            return copy
        }
        // The copies are not where they would find Swift's runtime; in a host it is there already.
        let runtime = "\(beside)/../swift"
        let child = try Child(
            ["/usr/bin/env", "LD_LIBRARY_PATH=\(runtime)", beside + "/BenchLoad"] + copies, on: stage)
        try child.waitForSuccess(within: 60)
        let times = child.log.split(separator: "\n").compactMap { Double($0) }
        guard times.count == runs else { throw BenchError("\(times.count) of \(runs) times were told\(child.said)") }
        return Series(times)
    }
}
