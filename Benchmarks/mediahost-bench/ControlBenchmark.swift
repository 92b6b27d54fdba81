import Foundation

/// How soon a request on a kept connection is answered, and how many the host answers in a second.
enum ControlBenchmark: Benchmark {
    static let name = "control"
    static let summary = "Control: requests on kept connections to the unix socket"
    static let defaultRuns = 5

    private static let pipelines = 20
    private static let clients = 8
    private static let requests = 10_000
    private static let settle = 2.0

    /// What both answer, nearly: an object of a few fields.
    private static let body = #"{"name":"v.pattern","value":"ball","type":"string","settable":true}"#

    private struct Figures {
        /// Beside one pipeline, and beside all.
        var medianOfOne: Double
        var highOfOne: Double
        var median: Double
        var high: Double
        var rate: Double
        var setRate: Double
        /// By the sinks of the pipelines, while the clients asked as fast as they could.
        var dropped: Double
        var files: Double
        /// Of a server over libsoup that does nothing, beside the same pipelines.
        var bareMedian: Double
        var bareHigh: Double
        var bareRate: Double
    }

    static func run(on stage: Stage, runs: Int?) throws -> [Row] {
        let figures = try (0..<(runs ?? defaultRuns)).map { _ in try once(stage) }
        func row(
            _ suffix: String, _ what: String, _ unit: String, _ figure: (Figures) -> Double,
            beside bare: ((Figures) -> Double)? = nil
        ) -> Row {
            Row(
                name: "control.\(suffix)", what: what, unit: unit, mediahost: Series(figures.map(figure)),
                peerName: bare == nil ? nil : "bare libsoup, a fixed answer", peer: bare.map { Series(figures.map($0)) }
            )
        }
        return [
            row("set.one", "a property set, one client, one pipeline; median", "µs", \.medianOfOne),
            row("set.one.p99", "the same, 99 % (goal: 150)", "µs", \.highOfOne),
            row("set", "a property set, one client, 20 pipelines; median", "µs", \.median, beside: \.bareMedian),
            row("set.p99", "the same, 99 %", "µs", \.high, beside: \.bareHigh),
            row(
                "rate", "GET /v1/rules, 8 clients, 20 pipelines playing (goal: 20000)", "/s", \.rate, beside: \.bareRate
            ),
            row("set.rate", "a property set, the same", "/s", \.setRate),
            row(
                "dropped", "buffers dropped because they were late, while eight clients asked (goal: 0)", "", \.dropped),
            row("files", "descriptors more when all clients have left", "", \.files),
        ]
    }

    private static func once(_ stage: Stage) throws -> Figures {
        let one = try latenciesOfOne(stage)
        let socket = stage.path(".socket")
        let host = try self.host(of: pipelines, stage, socket)
        defer { host.kill() }
        let before = host.count("fd")
        let times = try latencies(of: set, socket)
        let read = [Array("GET /v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)]
        let droppedBefore = try ControlCall.dropped(socket)
        let rate = try rate(of: read, socket)
        let setRate = try self.rate(of: set, socket)
        let dropped = try ControlCall.dropped(socket) - droppedBefore
        try host.run(for: 0.2)
        let files = Double(host.count("fd") - before)
        // The host's pipelines play on.
        let bareSocket = stage.path(".bare")
        let bare = try Child([stage.soup, bareSocket, body], on: stage)
        defer { bare.kill() }
        try bare.run(for: 0.5)
        let bareTimes = try latencies(of: set, bareSocket)
        return Figures(
            medianOfOne: one.median, highOfOne: one.quantile(0.99), median: times.median, high: times.quantile(0.99),
            rate: rate, setRate: setRate, dropped: dropped, files: files, bareMedian: bareTimes.median,
            bareHigh: bareTimes.quantile(0.99), bareRate: try self.rate(of: read, bareSocket))
    }

    private static let set = ["ball", "smpte"].map {
        KeptConnection.post("/v1/pipelines/p0/properties/v.pattern", #"{"value":"\#($0)"}"#)
    }

    private static func latenciesOfOne(_ stage: Stage) throws -> Series {
        let socket = stage.path(".socket")
        let host = try host(of: 1, stage, socket)
        defer { host.kill() }
        return try latencies(of: set, socket)
    }

    /// A host that has settled.
    private static func host(of pipelines: Int, _ stage: Stage, _ socket: String) throws -> Child {
        // Live, small and slow: they play, and leave the processors to what is measured.
        let launch =
            "videotestsrc is-live=true name=v ! video/x-raw,width=64,height=48,framerate=25/1 ! \(Pipelines.punctualSink)"
        let host = try stage.host(
            Array(repeating: launch, count: pipelines), more: "settable: [v.pattern]", socket: socket)
        do {
            try host.run(for: settle)
            _ = try stage.status(socket)
        } catch {
            host.kill()
            throw error
        }
        return host
    }

    private static func latencies(of requests: [[UInt8]], _ socket: String) throws -> Series {
        let client = try KeptConnection(socket)
        for index in 0..<1000 { try client.send(requests[index % requests.count]) }
        return Series(
            try (0..<Self.requests).map { index in
                let began = monotonic()
                try client.send(requests[index % requests.count])
                return Double(monotonic() - began) / 1e3
            })
    }

    /// Requests a second of all clients together.
    private static func rate(of requests: [[UInt8]], _ socket: String) throws -> Double {
        let group = DispatchGroup()
        let failures = Failures()
        let began = monotonic()
        for _ in 0..<clients {
            let client = try KeptConnection(socket)
            Thread.detachNewThread(group) {
                do {
                    for index in 0..<Self.requests { try client.send(requests[index % requests.count]) }
                } catch { failures.add(error) }
            }
        }
        group.wait()
        try failures.check()
        return Double(clients * Self.requests) / (Double(monotonic() - began) / 1e9)
    }
}

/// What went wrong in threads.
// The lock guards the only state.
private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var first: (any Error)?

    func add(_ error: any Error) { lock.withLock { first = first ?? error } }
    func check() throws { if let error = lock.withLock({ first }) { throw error } }
}

extension Thread {
    fileprivate static func detachNewThread(_ group: DispatchGroup, _ body: @escaping () -> Void) {
        group.enter()
        // A thread has one closure, which runs once.
        nonisolated(unsafe) let body = body
        detachNewThread {
            body()
            group.leave()
        }
    }
}
