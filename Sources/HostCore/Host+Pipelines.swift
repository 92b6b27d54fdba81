internal import GStreamerKit
internal import Locking

/// The host's pipelines as the control API sees them.
extension Host {
    /// How long all of them together may take to say where they are.
    private static let surveyDeadline = ClockTime.milliseconds(500)

    public func listPipelines() async -> Value {
        let positions = await positions()
        let rows = pipelines.controllers.map { pipeline in
            Value.map(pipeline.overview + [.init("position_ns", positions[pipeline.name].map { .int($0) } ?? .null)])
        }
        return ["pipelines": .list(rows)]
    }

    public func showPipeline(_ name: String) async throws(ControlError) -> Value {
        try await find(name).details()
    }

    public func restart(pipeline name: String) async throws(ControlError) -> Value {
        let pipeline = try find(name)
        try requireNotQuiet(pipeline)
        await withCheckedContinuation { done in pipelines.restart(pipeline) { done.resume() } }
        // It may have left with a reload.
        return try find(name).status()
    }

    /// In nanoseconds; of those that hang in a device, and of what comes behind them, nothing.
    private func positions() async -> [String: Int64] {
        let running = pipelines.controllers.filter { [.playing, .paused, .degraded].contains($0.condition) }
            .compactMap { pipeline in pipeline.build.map { (pipeline.name, $0) } }
        guard !running.isEmpty else { return [:] }
        let found = Locked<[String: Int64]>([:])
        _ = await workers.result(within: Self.surveyDeadline, clock: clock) {
            for (name, build) in running {
                let position = build.questions.ask { build.pipeline.position?.nanoseconds } ?? nil
                found.withLock { $0[name] = position }
            }
            return true
        }
        return found.withLock { $0 }
    }

    public func start(pipeline name: String) throws(ControlError) -> Value {
        let pipeline = try find(name)
        try requireNotQuiet(pipeline)
        pipelines.startOver(pipeline)
        return pipeline.status()
    }

    /// While the host keeps it quiet, what it does is not its user's to say.
    func requireNotQuiet(_ pipeline: PipelineController) throws(ControlError) {
        guard let mode = pipelines.quietMode(of: pipeline) else { return }
        guard pipeline.description.background.mode(for: lifecycle.desired).isQuiet else {
            throw ControlError(.busy, "the host is about to resume pipeline \(pipeline.name): try again in a moment")
        }
        let reasons = pipelines.reasons(mode, of: pipeline).names.joined(separator: ", ")
        throw ControlError(
            .state, "the host is \(reasons): pipeline \(pipeline.name) has `background: \(mode.rawValue)` for that")
    }

    public func stop(pipeline name: String) async throws(ControlError) -> Value {
        let pipeline = try find(name)
        pipelines.stop(pipeline)
        await atRest(pipeline)
        return pipeline.status()
    }

    public func property(_ path: String, of name: String) async throws(ControlError) -> Value {
        let pipeline = try find(name)
        let value = try await pipeline.value(of: parse(path))
        return ["property": .string(path), "value": value.map { .string($0) } ?? .null]
    }

    func parse(_ path: String) throws(ControlError) -> PropertyPath {
        do throws(PathError) {
            return try PropertyPath(path)
        } catch {
            throw ControlError(.invalid, error.message, field: "property")
        }
    }

    func find(_ name: String) throws(ControlError) -> PipelineController {
        if let pipeline = pipelines[name] { return pipeline }
        let names = pipelines.controllers.map(\.name)
        let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ControlError(
            .notFound, "there is no pipeline \"\(name)\"\(hint) (\(KnownNames.list("pipelines", names)))",
            field: "pipeline")
    }

    public func graph(
        pipeline name: String, format: GraphFormat, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        try await find(name).graph(format, hiding: secrets, drawings, from: origin)
    }

    public func snapshot(
        _ request: SnapshotRequest, of name: String, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        try await find(name).snapshot(request, from: origin)
    }
}
