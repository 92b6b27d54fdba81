internal import GStreamerKit

/// The part of the API that opens the page's port, and what only that port has: the page and its entrance.
@HostActor
enum WebRoutes {
    private static let longestLife = ClockTime.seconds(24 * 3600)
    private static let usualLife = ClockTime.seconds(3600)

    /// For who is on the unix socket; signing is for the page, too.
    static func routes(of door: WebDoor) -> [Route] {
        [
            Route(
                .post, "/v1/web",
                "opens the page on a port of the loopback, or says where it is open; its address works once",
                RouteContract(
                    body: .members([
                        .whole("port", 0...65535, default: 0, "which port; 0 is any, or the one where it is open")
                    ]), answer: .named("Web", "where it is"))
            ) { request throws(ControlError) in
                try requireLocal(request)
                let url = try door.open(port: UInt16(clamping: request.body?["port"]?.int ?? 0))
                return [
                    "url": .string(url), "port": .int(Int64(door.port ?? 0)),
                    "expires_in_s": .int(seconds(WebAccess.keyLife)),
                ]
            },
            Route(.delete, "/v1/web", "closes the page's port and ends its sessions") { request throws(ControlError) in
                try requireLocal(request)
                return ["closed": .bool(door.close())]
            },
            Route(
                .post, "/v1/web/media-urls",
                "makes an address on the page's port that is read without a cookie, for players",
                RouteContract(
                    body: .members([
                        .text(
                            "path",
                            "what is read by GET: a path of this API with its query, percent-encoded; "
                                + "`/plugins/INSTANCE/PLACE/` is all below that place",
                            isRequired: true, lengths: 1...MediaTicket.longestBytes),
                        .duration("lifetime", "how long it holds; an hour without it, a day at most"),
                    ]), answer: .named("MediaURL", "the address"))
            ) { request throws(ControlError) in
                guard request.origin != .network else { throw refusal }
                let given = request.body?["lifetime"]?.int.map { ClockTime(nanoseconds: $0) } ?? usualLife
                guard given >= .seconds(1), given <= longestLife else {
                    throw ControlError(.invalid, "\(quoted("lifetime")) must be 1s to 24h", field: "lifetime")
                }
                let signed = try door.sign(request.body?["path"]?.string ?? "", for: given)
                return [
                    "path": .string(signed.path), "url": .string(signed.url), "expires_in_s": .int(seconds(given)),
                ]
            },
        ]
    }

    /// What only the page's port answers.
    static func pageRoutes(of door: WebDoor) -> [Route] {
        [
            Route(.get, "/", "the page") { _ in WebPage.answer() },
            Route(.get, "/open/{key}", "lets in who has a key") { request in
                do throws(ControlError) {
                    let cookie = try door.enter(request.parameters["key"] ?? "")
                    return ControlResponse(
                        status: 303, payload: .init(contentType: "", bytes: []),
                        headers: ["Location": "/", "Set-Cookie": cookie])
                } catch {
                    return WebPage.answer(.init(error: error))
                }
            },
        ]
    }

    private static func requireLocal(_ request: ControlRequest) throws(ControlError) {
        guard request.origin == .local else { throw refusal }
    }

    private static var refusal: ControlError {
        ControlError(
            .denied, "the page's port is opened, closed and used on the host's own machine: ask on its unix socket")
    }

    private static func seconds(_ time: ClockTime) -> Int64 { time.nanoseconds / 1_000_000_000 }
}
