/// The part of the API that tells what happens as it happens: `/v1/events`, `/v1/logs` and `/v1/logs/stream`.
@HostActor
enum StreamRoutes {
    private static let mostLines = 1000
    private static let levels: [Log.Level] = [.error, .warning, .notice, .debug]

    private static var place: [RouteMember] {
        [
            .whole("last", 0...StreamFeed.mostEntries, "begins with the last of them that pass the filter"),
            .flag("follow", default: true, "whether it goes on with what is yet to come; else it ends"),
            .text(
                "last_event_id", "goes on behind that event, for clients that cannot set a header",
                pattern: StreamPosition.pattern),
        ]
    }
    private static var headers: [RouteMember] {
        [
            .text("Last-Event-ID", "goes on behind that event", pattern: StreamPosition.pattern)
        ]
    }
    private static var line: [RouteMember] {
        [
            .choice("level", levels.map { "\($0)" }, "these and worse"),
            .text("component", "only from this pipeline, plugin, library, or `host`"),
        ]
    }

    /// One of those that may be watched, as a regular expression.
    private static let watched = "[^\\s/,\\u0000]+/[^\\s/,\\u0000]+\\.[^\\s/.,\\u0000]+"

    /// - Parameter target: the host, while there is one.
    static func routes(
        _ streams: Streams, over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        [
            Route(
                .get, "/v1/events", "what happens, as server-sent events",
                RouteContract(
                    query: [
                        .text(
                            "filter",
                            "only these names, separated by commas, at most \(StreamFilter.mostPatterns); `pipeline.*` is all of a kind",
                            pattern: StreamFilter.namesPattern),
                        .text("source", "only from `host`, this pipeline or this plugin"),
                        .text(
                            "watch",
                            "PIPELINE/ELEMENT.PROPERTY, separated by commas, at most \(PropertyWatches.mostOfOne): while this "
                                + "stream lasts, an event `pipeline.property` says each value they have",
                            pattern: "^\(watched)(,\(watched)){0,\(PropertyWatches.mostOfOne - 1)}$"),
                    ] + place, headers: headers, answer: .events("Event", "what happens")),
                handler: { request in
                    open(streams.events.feed, streams, request, over: target) { options throws(ControlError) in
                        try StreamFilter(names: options["filter"]?.string, source: options["source"]?.string)
                    }
                }),
            Route(
                .get, "/v1/logs", "the last lines of the log",
                RouteContract(
                    query: [.whole("lines", 1...mostLines, default: 100, "how many")] + line,
                    answer: .named("LogLines", "the lines, the oldest first")),
                handler: { request in lines(streams.logs, request.options) }),
            Route(
                .get, "/v1/logs/stream", "the log as server-sent events",
                RouteContract(query: line + place, headers: headers, answer: .events("LogLine", "the lines")),
                handler: { request in
                    open(streams.logs.feed, streams, request, over: target) { options in logFilter(options) }
                }),
        ]
    }

    private static func open(
        _ feed: StreamFeed, _ streams: Streams, _ request: ControlRequest,
        over target: @HostActor () throws(ControlError) -> any ControlTarget,
        _ filter: (Value) throws(ControlError) -> StreamFilter
    ) -> ControlResponse {
        do throws(ControlError) {
            let filter = try filter(request.options)
            let follows = request.options["follow"]?.bool ?? true
            let start = try start(request, follows: follows)
            let hold = try request.options["watch"]?.string.map { names throws(ControlError) in
                try target().watch(names, from: request.origin)
            }
            let (server, origin) = (streams.server, request.origin)
            var response = ControlResponse(payload: .init(contentType: "text/event-stream", bytes: []))
            response.takeover = ControlTakeover(
                refusal: { server.refusal(follows: follows, from: origin) },
                begin: {
                    server.begin($0, feed, start, follows: follows, filter, with: hold, from: origin)
                    hold?.start()
                })
            return response
        } catch {
            return ControlResponse(error)
        }
    }

    private static func lines(_ logs: LogFeed, _ options: Value) -> ControlResponse {
        let count = options["lines"]?.int.map { Int($0) } ?? 100
        return ControlResponse(
            payload: .init(contentType: "application/json", bytes: logs.lines(count, logFilter(options))))
    }

    /// Everything up to a level: "warning" is warnings and errors.
    private static func logFilter(_ options: Value) -> StreamFilter {
        let source = options["component"]?.string
        guard let text = options["level"]?.string, let most = levels.first(where: { "\($0)" == text }) else {
            return StreamFilter(patterns: [.all], source: source)
        }
        return StreamFilter(patterns: levels.filter { $0 <= most }.map { .name("log.\($0)") }, source: source)
    }

    /// The header is newer than the address, which a browser keeps when it comes back.
    private static func start(_ request: ControlRequest, follows: Bool) throws(ControlError) -> StreamStart {
        if let text = request.lastEventID ?? request.options["last_event_id"]?.string {
            guard let position = StreamPosition(text) else {
                throw ControlError(
                    .invalid, "\(quoted(text)) is no id of an event: send back one as it came, or none",
                    field: request.lastEventID == nil ? "last_event_id" : "Last-Event-ID")
            }
            return .after(position)
        }
        if let count = request.options["last"]?.int { return .last(Int(count)) }
        return follows ? .now : .oldest
    }
}
