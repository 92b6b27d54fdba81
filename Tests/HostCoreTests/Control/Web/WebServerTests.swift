import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// The page's port over real sockets; the clock is virtual.
@Suite(.timeLimit(.minutes(10))) struct WebServerTests {
    private let place: TemporaryDirectory
    private let path: String
    private let clock = VirtualClock()
    private let target: FakeTarget
    private let hub: EventHub
    private let server: ControlServer
    private let streams: Streams
    private let door: WebDoor

    init() async throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
        path = place.path("control.sock")
        target = await FakeTarget()
        hub = await EventHub(clock: clock)
        let clients = await StreamServer(clock: clock, limit: 8)
        let streams = await Streams(
            server: clients, events: EventFeed(hub, server: clients) { $0 },
            logs: LogFeed(LogMemory(clock: clock), boot: hub.bootID, server: clients))
        self.streams = streams
        door = await WebDoor(clock: clock) { streams.endOfWeb() }
        server = await ControlServer(
            socketPath: path, routes: ControlRoutes.routes(over: target, streams: streams, web: door), clock: clock,
            web: door)
        try await server.start()
    }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// The answer of the host on its unix socket.
    private func local(_ body: @escaping @Sendable (ControlClient) throws -> Value) async throws -> Value {
        let client = ControlClient(socketPath: path)
        return try await blocking { try body(client) }
    }

    private struct Answer {
        var whole: String
        var status: Int { Int(whole.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var body: String { whole.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }

        func field(_ name: String) -> String? {
            let head = whole.components(separatedBy: "\r\n\r\n")[0]
            let line = head.components(separatedBy: "\r\n").first {
                $0.lowercased().hasPrefix("\(name.lowercased()): ")
            }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private func ask(
        _ method: String, _ target: String, port: Int, host: String? = nil, _ fields: String..., body: String = ""
    ) async throws -> Answer {
        let head =
            ["Host: \(host ?? "127.0.0.1:\(port)")"] + fields
            + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
        let request = "\(method) \(target) HTTP/1.1\r\n\(head.map { $0 + "\r\n" }.joined())\r\n\(body)"
        return Answer(
            whole: try await blocking {
                let client = try RawClient(port: UInt16(port))
                client.write(request)
                client.closeSending()
                return client.read()
            })
    }

    /// Opens the page. - Returns: its port, the one-time path, and the cookie that it gives.
    private func enter() async throws -> (port: Int, key: String, cookie: String) {
        let opened = try await local { try $0.openWeb() }
        let port = try #require(opened["port"]?.int.map { Int($0) })
        let url = try #require(opened["url"]?.string)
        let key = try #require(url.components(separatedBy: "http://127.0.0.1:\(port)").last)
        let answer = try await ask("GET", key, port: port)
        let cookie = try #require(answer.field("Set-Cookie")?.split(separator: ";").first)
        return (port, key, "Cookie: \(cookie)")
    }

    @Test func theAddressGivesACookieOnceAndGoesOnToThePage() async throws {
        let opened = try await local { try $0.openWeb() }
        let port = try #require(opened["port"]?.int.map { Int($0) })
        let url = try #require(opened["url"]?.string)
        #expect(opened["expires_in_s"] == 300)
        let key = url.dropFirst("http://127.0.0.1:\(port)".count)
        #expect(key.hasPrefix("/open/") && key.utf8.count == 6 + 64)
        let first = try await ask("GET", String(key), port: port)
        #expect(first.status == 303 && first.field("Location") == "/")
        let cookie = try #require(first.field("Set-Cookie"))
        #expect(cookie.hasPrefix("mediahost-\(port)="))
        #expect(cookie.hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"))
        #expect(try await ask("GET", String(key), port: port).status == 401)
        let page = try await ask("GET", "/", port: port, "Cookie: \(cookie.prefix { $0 != ";" })")
        #expect(page.status == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
        #expect(page.body.hasPrefix("<!doctype html>") && page.body.hasSuffix("</html>\n"))
        await server.stop()
    }

    @Test func thePageAllowsItselfAlone() async throws {
        let (port, _, cookie) = try await enter()
        let page = try await ask("GET", "/", port: port, cookie)
        let policy = try #require(page.field("Content-Security-Policy"))
        let rules = policy.components(separatedBy: "; ")
        for rule in [
            "default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            #expect(rules.contains(rule), "\(policy)")
        }
        #expect(policy.contains("script-src 'sha256-") && policy.contains("style-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
        #expect(page.field("X-Content-Type-Options") == "nosniff" && page.field("Referrer-Policy") == "same-origin")
        #expect(
            page.field("Cross-Origin-Resource-Policy") == "same-origin" && page.field("Cache-Control") == "no-store")
        let status = try await ask("GET", "/v1/status", port: port, cookie)
        #expect(status.status == 200 && status.field("X-Content-Type-Options") == "nosniff")
        #expect(status.field("Content-Type") == "application/json")
        // On the socket there is neither the page nor its fields.
        #expect(throws: ControlError.self) { try ControlClient(socketPath: path).request(.get, "/") }
        await server.stop()
    }

    @Test func whoHasNoCookieIsToldWhatToDo() async throws {
        let (port, _, _) = try await enter()
        let page = try await ask("GET", "/", port: port)
        #expect(page.status == 401 && page.body.contains("<code>mediahost web</code>"))
        #expect(page.field("Content-Security-Policy")?.contains("script-src 'none'") == true)
        #expect(page.field("WWW-Authenticate") != nil)
        let data = try await ask("GET", "/v1/status", port: port)
        #expect(data.status == 401 && data.body.contains(#""code":"unauthorized""#))
        let wrong = try await ask(
            "GET", "/v1/status", port: port, "Cookie: mediahost-\(port)=\(WebSecret.random().text)")
        #expect(wrong.status == 401)
        let change = try await ask("POST", "/v1/pause", port: port, "Origin: http://127.0.0.1:\(port)")
        #expect(change.status == 401)
        #expect(await target.status()["paused"] == false)
        await server.stop()
    }

    @Test func aSessionEndsWithItsTime() async throws {
        let (port, _, cookie) = try await enter()
        await clock.advance(by: WebAccess.sessionLife - .seconds(1))
        #expect(try await ask("GET", "/v1/status", port: port, cookie).status == 200)
        await clock.advance(by: .seconds(1))
        #expect(try await ask("GET", "/v1/status", port: port, cookie).status == 401)
        await server.stop()
    }

    /// They went by the clock that stands in suspend: on a board that sleeps at night an hour's address held for days.
    @Test func whatIsOverIsOverAlsoWhereTheMachineSlept() async throws {
        let (port, _, cookie) = try await enter()
        let again = try #require(try await local { try $0.openWeb() }["url"]?.string)
        let key = try #require(again.components(separatedBy: "http://127.0.0.1:\(port)").last)
        let signed = try await local { try $0.mediaURL(of: "/v1/status", lifetime: "1h") }
        let address = try #require(signed["path"]?.string)
        #expect(try await ask("GET", address, port: port).status == 200)
        await clock.suspend(for: .seconds(3600))
        #expect(try await ask("GET", address, port: port).status == 403)
        #expect(try await ask("GET", key, port: port).status == 401)
        #expect(try await ask("GET", "/v1/status", port: port, cookie).status == 200)
        await clock.suspend(for: WebAccess.sessionLife)
        #expect(try await ask("GET", "/v1/status", port: port, cookie).status == 401)
        await server.stop()
    }

    /// Whoever came first had all places, also with a token that may only look: programs of the machine itself were refused.
    @Test func theSocketHasRoomWhateverComesFromElsewhere() async throws {
        let (port, _, cookie) = try await enter()
        let request = "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\n\r\n"
        let path = path
        let clients = try await blocking {
            try (0..<8).map { number in
                let client = number < 4 ? try RawClient(port: UInt16(port)) : try RawClient(path)
                client.write(request)
                guard client.read(until: "retry: 1000\n\n").hasPrefix("HTTP/1.1 200") else { throw POSIXError(.EBUSY) }
                // One too many from there.
                guard number == 3 else { return client }
                let refused = try RawClient(port: UInt16(port))
                refused.write(request)
                guard refused.read(until: "\r\n").hasPrefix("HTTP/1.1 503") else { throw POSIXError(.EDOM) }
                return client
            }
        }
        #expect(clients.count == 8)
        await server.stop()
    }

    @Test func changesAreTakenFromThePageAlone() async throws {
        let (port, _, cookie) = try await enter()
        for fields in [[], ["Origin: http://evil.example"], ["Origin: http://127.0.0.1:1"], ["Origin: null"]] {
            let answer = try await ask("POST", "/v1/pause", port: port, cookie, fields.first ?? "X: y")
            #expect(answer.status == 403, "\(fields)")
        }
        #expect(await target.status()["paused"] == false)
        let answer = try await ask("POST", "/v1/pause", port: port, cookie, "Origin: http://127.0.0.1:\(port)")
        #expect(answer.status == 200)
        #expect(await target.status()["paused"] == true)
        await server.stop()
    }

    @Test func anotherNameOfThePortIsNotAnswered() async throws {
        let (port, key, cookie) = try await enter()
        for target in ["/", "/v1/status", key, "/media/1-0-a/v1/status"] {
            #expect(
                try await ask("GET", target, port: port, host: "evil.example:\(port)", cookie).status == 403,
                "\(target)")
        }
        #expect(try await ask("GET", "/v1/status", port: port, host: "localhost:\(port)", cookie).status == 200)
        await server.stop()
    }

    @Test func aSignedAddressIsReadWithoutACookie() async throws {
        let (port, _, cookie) = try await enter()
        let made = try await ask(
            "POST", "/v1/web/media-urls", port: port, cookie, "Origin: http://127.0.0.1:\(port)",
            body: #"{"path": "/v1/pipelines/porch/snapshot?width=64", "lifetime": "10s"}"#)
        #expect(made.status == 200, "\(made.whole)")
        let url = try #require(try JSONText.parse(made.body)["path"]?.string)
        let picture = try await ask("GET", url, port: port)
        #expect(picture.status == 200 && picture.body == "porch - 64x0")
        #expect(picture.field("Content-Type") == "image/jpeg")
        #expect(picture.field("Cross-Origin-Resource-Policy") == "cross-origin")
        #expect(try await ask("POST", url, port: port, "Origin: http://127.0.0.1:\(port)").status == 403)
        #expect(try await ask("GET", url + "0", port: port).status == 403)
        #expect(try await ask("GET", url, port: port, "Origin: http://evil.example").status == 403)
        await clock.advance(by: .seconds(11))
        #expect(try await ask("GET", url, port: port).status == 403)
        await server.stop()
    }

    @Test func aPlaceOfAPluginIsSignedAsAWhole() async throws {
        let (port, _, _) = try await enter()
        let made = try await local { try $0.mediaURL(of: "/plugins/replay/live/") }
        let url = try #require(made["path"]?.string)
        let segment = try await ask("GET", url + "a.ts?part=3", port: port)
        #expect(segment.status == 201 && segment.body.hasPrefix(#"GET /live/a.ts ["part": "3"]"#), "\(segment.whole)")
        #expect(try await ask("GET", url + "..%2f..%2fsecret", port: port).status == 403)
        #expect(try await ask("GET", url.replacingOccurrences(of: "replay", with: "other"), port: port).status == 403)
        await server.stop()
    }

    @Test func whatCannotBeSignedIsRefused() async throws {
        let before = try? await local { try $0.mediaURL(of: "/v1/status") }
        #expect(before == nil)
        _ = try await enter()
        for (path, life) in [("/v1/web", "1h"), ("/v1/status", "0s"), ("/v1/status", "25h"), ("/", "1h")] {
            let error = await #expect(throws: ControlError.self) {
                try await local { try $0.mediaURL(of: path, lifetime: life) }
            }
            #expect(error?.code == .invalid && error?.field == (path == "/v1/status" ? "lifetime" : "path"), "\(path)")
        }
        await server.stop()
    }

    @Test func eventsComeThroughItAndEndWithIt() async throws {
        let (port, _, cookie) = try await enter()
        let made = try await local { try $0.mediaURL(of: "/v1/events") }
        let url = try #require(made["path"]?.string)
        let clients = try await blocking {
            try [url, "/v1/events"].map { target in
                let client = try RawClient(port: UInt16(port))
                client.write("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\n\r\n")
                _ = client.read(until: "retry: 1000\n\n")
                return client
            }
        }
        await hub.post("thing.happened", source: "test", ["number": 1])
        for client in clients {
            #expect(try await blocking { client.read(until: "\n\n") }.contains("thing.happened"))
        }
        #expect(try await local { try $0.closeWeb() } == ["closed": true])
        for client in clients { #expect(try await blocking { client.read() } == "") }
        await server.stop()
    }

    @Test func onlyTheSocketOpensAndClosesIt() async throws {
        let (port, _, cookie) = try await enter()
        for method in ["POST", "DELETE"] {
            let answer = try await ask(method, "/v1/web", port: port, cookie, "Origin: http://127.0.0.1:\(port)")
            #expect(answer.status == 403, "\(answer.whole)")
        }
        let again = try await local { try $0.openWeb() }
        #expect(again["port"]?.int == Int64(port))
        let other = await #expect(throws: ControlError.self) { try await local { try $0.openWeb(port: 1) } }
        #expect(other?.code == .state && other?.field == "port")
        #expect(try await local { try $0.closeWeb() } == ["closed": true])
        #expect(try await local { try $0.closeWeb() } == ["closed": false])
        #expect(throws: (any Error).self) { try RawClient(port: UInt16(port)) }
        // A new one knows nothing of the old one's sessions.
        let reopened = try await local { try $0.openWeb(port: port) }
        #expect(reopened["port"]?.int == Int64(port))
        #expect(try await ask("GET", "/v1/status", port: port, cookie).status == 401)
        await server.stop()
        #expect(throws: (any Error).self) { try RawClient(port: UInt16(port)) }
    }
}
