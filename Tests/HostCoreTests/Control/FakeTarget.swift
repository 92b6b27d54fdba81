import Testing

@testable import HostCore

/// A host that says what it was asked. Commands: `echo`, `fail`, `hang` (until its task is cancelled) and `after` (waits
/// for `release`, half done).
@HostActor
final class FakeTarget: ControlTarget {
    /// What happened, in order; one consumer.
    nonisolated let events: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation
    private var isPaused = false
    private var held: [CheckedContinuation<Void, Never>] = []
    let jobs: JobTable
    var secrets = SecretMask()

    init() {
        (events, report) = AsyncStream.makeStream()
        let clock = SystemClock()
        jobs = JobTable(events: EventHub(clock: clock), clock: clock)
    }

    func attribute(_ request: ControlRequest) -> (@HostActor () -> Void)? { nil }

    func status() -> Value { ["paused": .bool(isPaused), "name": "Grüße 🎬"] }

    func snapshot(
        _ request: SnapshotRequest, of pipeline: String, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        let words = [
            pipeline, request.pad?.description ?? "-", "\(request.size.width ?? 0)x\(request.size.height ?? 0)",
        ]
        return .init(contentType: request.format.contentType, bytes: Array(words.joined(separator: " ").utf8))
    }

    func pause() async throws(ControlError) -> Value {
        guard !isPaused else { throw ControlError(.state, "the host is paused already") }
        await Task.yield()
        isPaused = true
        return ["paused": true]
    }

    func resume() async throws(ControlError) -> Value {
        isPaused = false
        return ["paused": false]
    }

    /// Says what it was told.
    func follow(_ trigger: LifecycleTrigger) async throws(ControlError) -> Value { ["told": .string("\(trigger)")] }

    func reload() async -> ControlResponse {
        ControlResponse(status: 422, body: ["applied": false, "code": "configuration", "detail": "no"])
    }

    func perform(_ request: PlaybackRequest, on pipeline: String) async throws(ControlError) -> Value {
        ["pipeline": .string(pipeline), "asked": .string("\(request)")]
    }

    func playback(of pipeline: String) async throws(ControlError) -> Value {
        ["pipeline": .string(pipeline), "position_ns": 5]
    }

    func showRules() -> Value { [["name": "save", "fired": 2]] }

    func commands() -> Value {
        [
            "replay": [
                "save": [
                    "summary": "saves",
                    "parameters": [
                        "type": "object", "required": ["last"],
                        "properties": [
                            "last": ["type": "integer", "format": "duration"],
                            "count": ["type": "integer", "maximum": 9],
                        ],
                    ],
                    "result": ["type": "object", "properties": ["length": ["type": "integer", "format": "duration"]]],
                ]
            ]
        ]
    }

    func call(
        instance: String, command: String, parameters: Value,
        progress: @escaping @HostActor @Sendable (_ fraction: Double, _ text: String) -> Void
    ) async throws(ControlError) -> Value {
        switch command {
        case "echo": return ["instance": .string(instance), "with": parameters]
        case "fail": throw ControlError(.timeout, "`\(instance)` did not answer within 500 ms")
        case "hang":
            report.yield("entered")
            // Suspends until the task is cancelled, which ends this stream.
            let (never, end) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            withExtendedLifetime(end) {}
            report.yield(Task.isCancelled ? "cancelled" : "not cancelled")
            throw ControlError(.cancelled, "given up")
        case "after":
            progress(0.5, "half done")
            await withCheckedContinuation {
                held.append($0)
                report.yield("entered")
            }
            report.yield(Task.isCancelled ? "cancelled" : "not cancelled")
            return ["late": true]
        default: throw ControlError(.notFound, "`\(instance)` has no command `\(command)`: it has echo, fail")
        }
    }

    func routes() -> Value {
        [
            ["plugin": "replay", "method": "GET", "path": "/plugins/replay/", "summary": "a page"],
            ["plugin": "replay", "method": "GET", "path": "/plugins/replay/clips/{name}", "summary": "a clip"],
        ]
    }

    func showConfiguration() -> Value { ["files": [], "config": ["mediahost": 1]] }
    func listPlugins() -> Value { ["plugins": [["name": "re/play"]]] }
    func showPlugin(_ name: String) throws(ControlError) -> Value { ["name": .string(name)] }

    func enable(plugin name: String, saving: Bool) async throws(ControlError) -> Value {
        ["enabled": .string(name), "saved": .bool(saving)]
    }
    func disable(plugin name: String, saving: Bool) async throws(ControlError) -> Value {
        ["disabled": .string(name), "saved": .bool(saving)]
    }

    func requirePlugin(_ instance: String) throws(ControlError) {
        guard instance.hasPrefix("re") else { throw ControlError(.notFound, "there is no plugin \"\(instance)\"") }
    }

    func methods(instance: String, path: String) throws(ControlError) -> [String]? {
        path == "/window/" ? ["GET", "HEAD"] : nil
    }
    func serve(
        instance: String, path: String, _ request: ControlRequest
    ) async throws(ControlError) -> ControlResponse {
        guard instance == "replay" else { throw ControlError(.notFound, "there is no plugin \"\(instance)\"") }
        let body = request.content.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "nothing"
        let type = request.content?.contentType ?? ""
        return ControlResponse(
            status: path == "/plain" ? 200 : 201,
            payload: .init(
                contentType: "text/plain",
                bytes: Array("\(request.method.rawValue) \(path) \(request.query) \(type): \(body)".utf8)))
    }

    func start(pipeline: String) throws(ControlError) -> Value { ["started": .string(pipeline)] }
    func stop(pipeline: String) async throws(ControlError) -> Value { ["stopped": .string(pipeline)] }
    func property(_ path: String, of pipeline: String) async throws(ControlError) -> Value {
        ["property": .string(path), "of": .string(pipeline)]
    }
    func set(
        _ path: String, of pipeline: String, to value: String, saving: Bool
    ) async throws(ControlError) -> Value {
        ["property": .string(path), "of": .string(pipeline), "value": .string(value), "saved": .bool(saving)]
    }
    func configure(plugin: String, _ changes: Value, saving: Bool) async throws(ControlError) -> Value {
        ["plugin": .string(plugin), "config": changes, "saved": .bool(saving)]
    }
    func showOverrides() async throws(ControlError) -> Value { ["file": .null, "settings": []] }
    func resetOverrides(_ key: String?) async throws(ControlError) -> Value {
        ["removed": [.string(key ?? "all")]]
    }
    func graph(
        pipeline: String, format: GraphFormat, from origin: RequestOrigin
    ) async throws(ControlError) -> ControlResponse.Payload {
        .init(contentType: format.contentType, bytes: Array("\(pipeline) as \(format)".utf8))
    }
    func watch(_ names: String, from origin: RequestOrigin) throws(ControlError) -> PropertyHold {
        guard names != "no" else { throw ControlError(.notFound, "there is no \(names)", field: "watch") }
        return PropertyHold(
            onStart: { [report] in report.yield("told of \(names)") },
            onEnd: { [report] in report.yield("not any more") })
    }

    func listPipelines() async -> Value { ["pipelines": [["name": "a/b"]]] }
    func showPipeline(_ name: String) async throws(ControlError) -> Value { ["name": .string(name)] }
    func restart(pipeline: String) async throws(ControlError) -> Value { ["restarted": .string(pipeline)] }

    func metrics() -> String { "# TYPE it gauge\nit 1\n" }

    /// Lets every `after` go on.
    func release() {
        for one in held { one.resume() }
        held = []
    }
}
