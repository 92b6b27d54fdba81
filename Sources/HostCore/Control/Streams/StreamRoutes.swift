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
        _ filter: ([String: String]) throws(ControlError) -> StreamFilter
    ) -> ControlResponse {
        do throws(ControlError) {
            try requireKnown(request.query, keys + streamKeys)
            let filter = try filter(request.query)
            let follows = try flag("follow", request.query) ?? true
            let start = try start(request, follows: follows)
            let server = streams.server
            var response = ControlResponse(payload: .init(contentType: "text/event-stream", bytes: []))
            response.takeover = ControlTakeover(
                refusal: { server.refusal() },
                begin: { server.begin($0, feed, start, follows: follows, filter) })
            return response
        } catch {
            return ControlResponse(error)
        }
    }

    private static func lines(_ logs: LogFeed, _ request: ControlRequest) -> ControlResponse {
        do throws(ControlError) {
            try requireKnown(request.query, ["lines", "level", "component"])
            let count = try number("lines", request.query, in: 1...mostLines) ?? 100
            return ControlResponse(
                payload: .init(
                    contentType: "application/json", bytes: logs.lines(count, try logFilter(request.query))))
        } catch {
            return ControlResponse(error)
        }
    }

    /// Everything up to a level: "warning" is warnings and errors.
    private static func logFilter(_ query: [String: String]) throws(ControlError) -> StreamFilter {
        let levels: [Log.Level] = [.error, .warning, .notice, .debug]
        guard let text = query["level"] else { return StreamFilter(patterns: [.all], source: query["component"]) }
        guard let most = levels.first(where: { "\($0)" == text }) else {
            throw ControlError(
                .invalid, "there is no level `\(text)`: \(levels.map { "\($0)" }.joined(separator: ", "))")
        }
        return StreamFilter(
            patterns: levels.filter { $0 <= most }.map { .name("log.\($0)") }, source: query["component"])
    }

    /// The header is newer than the address, which a browser keeps when it comes back.
    private static func start(_ request: ControlRequest, follows: Bool) throws(ControlError) -> StreamStart {
        if let text = request.lastEventID ?? request.query["last_event_id"] {
            guard let position = StreamPosition(text) else {
                throw ControlError(.invalid, "`\(text)` is no id of an event: send back one as it came, or none")
            }
            return .after(position)
        }
        if let count = try number("last", request.query, in: 0...StreamFeed.mostEntries) { return .last(count) }
        return follows ? .now : .oldest
    }

    private static func number(
        _ key: String, _ query: [String: String], in range: ClosedRange<Int>
    ) throws(ControlError) -> Int? {
        guard let text = query[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ControlError(
                .invalid, "`\(key)` takes a number from \(range.lowerBound) to \(range.upperBound), not `\(text)`")
        }
        return number
    }

    private static func flag(_ key: String, _ query: [String: String]) throws(ControlError) -> Bool? {
        switch query[key] {
        case nil: nil
        case "true": true
        case "false": false
        case .some(let text): throw ControlError(.invalid, "`\(key)` takes true or false, not `\(text)`")
        }
    }

    private static func requireKnown(_ query: [String: String], _ keys: [String]) throws(ControlError) {
        guard let unknown = query.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        let hint = Suggestion.nearest(to: unknown, among: keys).map { "did you mean `\($0)`? " } ?? ""
        throw ControlError(
            .invalid, "the query has no `\(unknown)`: \(hint)there are \(keys.joined(separator: ", "))")
    }
}
