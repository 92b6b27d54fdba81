/// What the service manager is to be told of the pipelines: decides, without sending.
///
/// The unit is started (READY=1) when every pipeline that starts by itself plays, has finished, or was paused or stopped by
/// somebody. One dead camera must not keep a board's whole service from starting and have it restarted for ever: a pipeline
/// that has failed for good, or does not play within `patience`, is waited for no longer, and stands in STATUS. Where no
/// pipeline is left that could run, the host ends, and the unit fails.
struct ServiceReport: Sendable {
    /// One pipeline, as far as a line can tell of it.
    struct Pipeline: Sendable, Equatable {
        var name: String
        /// `PipelineController.stateName`.
        var state: String
        /// "attempt 2", where there is more to say.
        var detail: String?
    }

    private(set) var isReady = false
    private(set) var isReloading = false
    private(set) var isStopping = false
    private var status = ""

    /// How long a start may take before the rest goes on without it, in nanoseconds.
    static let patience: Int64 = 60_000_000_000

    /// What to send now that the pipelines are like this; nothing where nothing is new.
    /// - Parameter isPatient: false when `patience` is over.
    mutating func update(_ pipelines: [Pipeline], isPatient: Bool = true) -> [String] {
        var lines: [String] = []
        if !isReady, !isStopping, !isPatient || pipelines.allSatisfy({ !Self.isOnItsWay($0) }) {
            isReady = true
            lines.append("READY=1")
        }
        let text = isStopping ? "ending" : isReloading ? "reloading" : Self.line(pipelines)
        if text != status {
            status = text
            lines.append("STATUS=\(text)")
        }
        return lines
    }

    /// - Parameter monotonic: microseconds of CLOCK_MONOTONIC; systemd tells by it which reload is meant.
    mutating func beginReload(monotonic: Int64) -> [String] {
        guard !isStopping else { return [] }
        isReloading = true
        status = "reloading"
        return ["RELOADING=1", "MONOTONIC_USEC=\(monotonic)", "STATUS=reloading"]
    }

    /// READY=1 also where the reload failed: the old configuration runs on.
    mutating func endReload(_ pipelines: [Pipeline]) -> [String] {
        guard isReloading, !isStopping else { return [] }
        isReloading = false
        isReady = true
        return ["READY=1"] + update(pipelines)
    }

    mutating func stop() -> [String] {
        guard !isStopping else { return [] }
        isStopping = true
        status = "ending"
        return ["STOPPING=1", "STATUS=ending"]
    }

    /// Those the start still waits for.
    static func waitingFor(_ pipelines: [Pipeline]) -> [String] { pipelines.filter(isOnItsWay).map(\.name) }

    private static func isOnItsWay(_ pipeline: Pipeline) -> Bool {
        !["playing", "paused", "finished", "failed", "stopped"].contains(pipeline.state)
    }

    /// "3 of 4 pipelines playing; porch: recovering, attempt 2".
    static func line(_ pipelines: [Pipeline]) -> String {
        let playing = pipelines.count { $0.state == "playing" }
        let count = "\(playing) of \(pipelines.count) \(pipelines.count == 1 ? "pipeline" : "pipelines") playing"
        let others = pipelines.filter { $0.state != "playing" }.map { pipeline in
            "\(pipeline.name): \(pipeline.state)" + (pipeline.detail.map { ", \($0)" } ?? "")
        }
        return ([count] + others).joined(separator: "; ")
    }
}
