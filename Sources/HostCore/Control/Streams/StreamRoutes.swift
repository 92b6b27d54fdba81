/// The part of the API that tells what happens as it happens: `/v1/events`, `/v1/logs` and `/v1/logs/stream`.
@HostActor
enum StreamRoutes {
    private static let mostLines = 1000
    private static let streamKeys = ["last", "follow", "last_event_id"]

    static func routes(_ streams: Streams) -> [Route] {
        [
            Route(
                .get, "/v1/events",
                "what happens, as server-sent events; ?filter=pipeline.*&source=NAME&last=N&follow=false",
                handler: { request in
                    open(streams.events.feed, streams, request, ["filter", "source"]) { query throws(ControlError) in
                        try StreamFilter(names: query["filter"], source: query["source"])
                    }
                }),
            Route(
                .get, "/v1/logs", "the last lines of the log; ?lines=N&level=warning&component=NAME",
                handler: { request in lines(streams.logs, request) }),
            Route(
                .get, "/v1/logs/stream",
                "the log as server-sent events; ?level=warning&component=NAME&last=N&follow=false",
                handler: { request in
                    open(streams.logs.feed, streams, request, ["level", "component"]) { query throws(ControlError) in
                        try logFilter(query)
                    }
                }),
        ]
    }

    private static func open(
        _ feed: StreamFeed, _ streams: Streams, _ request: ControlRequest, _ keys: [String],
        _ filter: (QueryReader) throws(ControlError) -> StreamFilter
    ) -> ControlResponse {
        do throws(ControlError) {
            let query = try QueryReader(request.query, keys: keys + streamKeys)
            let filter = try filter(query)
            let follows = try query.flag("follow") ?? true
            let start = try start(request, query, follows: follows)
            let server = streams.server
            var response = ControlResponse(payload: .init(contentType: "text/event-stream", bytes: []))
            response.takeover = ControlTakeover(
                refusal: { server.refusal(follows: follows) },
                begin: { server.begin($0, feed, start, follows: follows, filter) })
            return response
        } catch {
            return ControlResponse(error)
        }
    }

    private static func lines(_ logs: LogFeed, _ request: ControlRequest) -> ControlResponse {
        do throws(ControlError) {
            let query = try QueryReader(request.query, keys: ["lines", "level", "component"])
            let count = try query.number("lines", in: 1...mostLines) ?? 100
            return ControlResponse(
                payload: .init(
                    contentType: "application/json", bytes: logs.lines(count, try logFilter(query))))
        } catch {
            return ControlResponse(error)
        }
    }

    /// Everything up to a level: "warning" is warnings and errors.
    private static func logFilter(_ query: QueryReader) throws(ControlError) -> StreamFilter {
        let levels: [Log.Level] = [.error, .warning, .notice, .debug]
        guard let text = query["level"] else { return StreamFilter(patterns: [.all], source: query["component"]) }
        guard let most = levels.first(where: { "\($0)" == text }) else {
            throw ControlError(
                .invalid, "there is no level `\(text)`: \(levels.map { "\($0)" }.joined(separator: ", "))",
                field: "level")
        }
        return StreamFilter(
            patterns: levels.filter { $0 <= most }.map { .name("log.\($0)") }, source: query["component"])
    }

    /// The header is newer than the address, which a browser keeps when it comes back.
    private static func start(
        _ request: ControlRequest, _ query: QueryReader, follows: Bool
    ) throws(ControlError) -> StreamStart {
        if let text = request.lastEventID ?? query["last_event_id"] {
            guard let position = StreamPosition(text) else {
                throw ControlError(.invalid, "`\(text)` is no id of an event: send back one as it came, or none")
            }
            return .after(position)
        }
        if let count = try query.number("last", in: 0...StreamFeed.mostEntries) { return .last(count) }
        return follows ? .now : .oldest
    }
}
