import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Real server and sockets; the clock is virtual.
@Suite(.timeLimit(.minutes(10))) struct ControlConnectionTests {
    private let place: TemporaryDirectory
    private let path: String
    private let clock = VirtualClock()
    private let target: FakeTarget
    private let server: ControlServer
    private let request = "GET /v1/status HTTP/1.1\r\nHost: h\r\n\r\n"

    init() async throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
        path = place.path("control.sock")
        target = await FakeTarget()
        var limits = ConnectionLimits()
        limits.most = 8
        limits.mostHeldBytes = 1 << 20
        server = await ControlServer(
            socketPath: path, routes: ControlRoutes.routes(over: target), clock: clock, limits: limits)
        try await server.start()
    }

    private func count(of phase: ConnectionLife.Phase) -> @HostActor @Sendable () -> Int {
        { server.connections.phases.count { $0 == phase } }
    }

    // MARK: Slow clients

    @Test(arguments: [
        "", "GET /v1/sta", "GET /v1/status HTTP/1.1\r\nHost: h\r\nX-Half: ",
        "POST /v1/pause HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n{",
        "POST /v1/pause HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ])
    func halfARequestIsRefusedWhenItsTimeIsOver(half: String) async throws {
        let client = try RawClient(path)
        client.write(half)
        try await until("the connection") { server.connections.count == 1 }
        await clock.advance(by: .seconds(9))
        #expect(await server.connections.count == 1)
        await clock.advance(by: .seconds(31))
        let answer = try await blocking { client.read() }
        #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(answer)")
        #expect(answer.contains(#""code":"too-slow""#) && answer.contains("\r\nConnection: close\r\n"))
        try await until("the end") { server.acceptor.living == 0 && server.connections.count == 0 }
    }

    @Test func aKeptConnectionThatAsksNothingEndsWithoutAWord() async throws {
        let client = try RawClient(path)
        client.write(request)
        #expect(try await blocking { client.readAnswer() }.hasPrefix("HTTP/1.1 200"))
        try await until("idle") { [count = count(of: .idle)] in count() == 1 }
        await clock.advance(by: .seconds(59))
        #expect(await server.connections.count == 1)
        await clock.advance(by: .seconds(2))
        #expect(try await blocking { client.read() }.isEmpty)
        try await until("the end") { server.acceptor.living == 0 }
    }

    @Test func halfALaterRequestIsRefusedToo() async throws {
        let client = try RawClient(path)
        client.write(request + "GET /v1/status HTTP/1.1\r\nHo")
        #expect(try await blocking { client.readAnswer() }.hasPrefix("HTTP/1.1 200"))
        try await until("the second request") { [count = count(of: .head)] in count() == 1 }
        await clock.advance(by: .seconds(11))
        #expect(try await blocking { client.read() }.hasPrefix("HTTP/1.1 408"))
        try await until("the end") { server.acceptor.living == 0 }
    }

    /// Has it answered by more than a socket has room for.
    private func askForMuch(_ client: RawClient) async throws {
        let body = #"{"big":""# + String(repeating: "x", count: 900_000) + #""}"#
        let head = "POST /v1/plugins/a/commands/echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        #expect(try await blocking { client.write(head + body) })
    }

    @Test(arguments: [(200_000, 1), (8000, 0)])
    func whoReadsALongAnswerTooSlowlyIsLetGo(bytes: Int, stays: Int) async throws {
        let client = try RawClient(path)
        try await askForMuch(client)
        try await until("writing") { [count = count(of: .writing)] in count() == 1 }
        await turns(20)
        await clock.advance(by: .seconds(20))
        _ = try await blocking { client.read(bytes) }
        // What there is room for now is written.
        await turns(20)
        await clock.advance(by: .seconds(11))
        await turns(20)
        #expect(await server.connections.count == stays)
        withExtendedLifetime(client) {}
    }

    @Test func whatWaitsForSlowClientsHasABound() async throws {
        let other = try RawClient(path)
        do {
            let slow = try RawClient(path)
            try await askForMuch(slow)
            try await until("writing") { [count = count(of: .writing)] in count() == 1 }
            #expect(await server.connections.heldBytes > 900_000)
            try await askForMuch(other)
            let refused = try await blocking { other.readAnswer() }
            #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains(#""code":"busy""#), "\(refused.prefix(300))")
            // Who reads at all has read it by then.
            await clock.advance(by: .seconds(6))
            try await askForMuch(other)
            #expect(try await blocking { other.readAnswer() }.hasPrefix("HTTP/1.1 200"))
            try await until("the slow one to be let go") { server.connections.count == 1 }
            withExtendedLifetime(slow) {}
        }
        try await until("room") { server.connections.heldBytes == 0 }
        try await askForMuch(other)
        #expect(try await blocking { other.readAnswer() }.hasPrefix("HTTP/1.1 200"))
        try await until("all is read") { server.connections.heldBytes == 0 }
    }

    @Test func whoDoesNotReadItsAnswerIsLetGo() async throws {
        let client = try RawClient(path)
        try await askForMuch(client)
        try await until("writing") { [count = count(of: .writing)] in count() == 1 }
        await clock.advance(by: .seconds(31))
        try await until("the end") { server.acceptor.living == 0 }
        withExtendedLifetime(client) {}
    }

    /// The answer that libsoup does not write has to wait for room as all others do: behind as many answers as there is room
    /// for, there is none.
    @Test func whoReadsLateReadsWhyItWasRefused() async throws {
        let refused = "POST /v1/pause HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"
        let probe = try RawClient(path)
        _ = try await blocking { [request] in probe.write(String(repeating: request, count: 400)) }
        let room = try await unread(probe).components(separatedBy: "HTTP/1.1 200").count - 1
        try #require((10..<400).contains(room))
        for count in room - 4...room + 2 {
            let client = try RawClient(path)
            client.write(String(repeating: request, count: count) + refused)
            let all = try await unread(client) + blocking { client.read() }
            #expect(all.components(separatedBy: "HTTP/1.1 200").count - 1 == count)
            #expect(all.components(separatedBy: "HTTP/1.1 400").count - 1 == 1, "\(count) answers before it")
            #expect(all.hasSuffix("}\n"), "\(count): \(all.suffix(200))")
        }
    }

    /// What comes without being read, after the first of it: all that the server can write, once nothing has come for twenty turns of its loop.
    @HostActor private func unread(_ client: RawClient) async throws -> String {
        try await until("the first answer") { client.waiting > 0 }
        var count = 0
        while client.waiting > count {
            count = client.waiting
            await turns(20)
        }
        return try await blocking { client.read(client.waiting) }
    }

    @Test func aRouteMayTakeItsTime() async throws {
        var events = target.events.makeAsyncIterator()
        let client = try RawClient(path)
        client.write("POST /v1/plugins/a/commands/after HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await events.next() == "entered")
        await clock.advance(by: .seconds(10_000))
        await target.release()
        #expect(await events.next() == "not cancelled")
        #expect(try await blocking { client.readAnswer() }.hasSuffix("{\"late\":true}\n"))
    }

    // MARK: Places

    @Test func whoComesWhenAllPlacesAreTakenWaits() async throws {
        let slow = try (0..<8).map { _ in try RawClient(path) }
        for client in slow { client.write("GET /v1/sta") }
        try await until("all places") { server.connections.isFull }
        let late = try RawClient(path)
        late.write(request)
        await clock.advance(by: .seconds(5))
        #expect(await server.connections.count == 8)
        await clock.advance(by: .seconds(6))
        #expect(try await blocking { late.readAnswer() }.hasPrefix("HTTP/1.1 200"))
        #expect(try await blocking { slow.allSatisfy { $0.read().hasPrefix("HTTP/1.1 408") } })
    }

    @Test func whoOnlyKeepsItsConnectionMakesRoom() async throws {
        let path = path
        let request = request
        let clients = try await blocking {
            try (0..<30).map { _ in
                let client = try RawClient(path)
                client.write(request)
                #expect(client.readAnswer().hasPrefix("HTTP/1.1 200"))
                return client
            }
        }
        #expect(await server.connections.count <= 8)
        withExtendedLifetime(clients) {}
    }

    // MARK: Kept connections

    @Test func aConnectionCarriesManyRequestsInOrder() async throws {
        let client = try RawClient(path)
        for number in 0..<20 {
            let body = "{\"n\":\(number)}"
            client.write(
                "POST /v1/plugins/a/commands/echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
        for number in 0..<20 {
            let answer = try await blocking { client.readAnswer() }
            #expect(answer.contains("\"n\":\(number)}") && !answer.contains("Connection: close"), "\(answer)")
        }
        #expect(server.acceptor.living == 1)
    }

    @Test(arguments: [
        "GET /v1/status HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        "GET /v1/status HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "POST /v1/pause HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n",
    ])
    func someAnswersEndTheirConnectionAndSaySo(request: String) async throws {
        let client = try RawClient(path)
        client.write(request)
        let answer = try await blocking { client.read() }
        #expect(answer.contains("\r\nConnection: close\r\n"), "\(answer)")
        try await until("the end") { server.acceptor.living == 0 }
    }

    @Test func whoClosesItsSendingSideGetsItsAnswerAndTheEnd() async throws {
        let client = try RawClient(path)
        client.write(request)
        #expect(try await blocking { client.readAnswer() }.hasPrefix("HTTP/1.1 200"))
        client.write(request)
        client.closeSending()
        #expect(try await blocking { client.read() }.hasPrefix("HTTP/1.1 200"))
        try await until("the end") { server.acceptor.living == 0 }
    }

    @HostActor
    private func onTheControlThread(_ body: @Sendable () -> Void) { body() }

    /// What libsoup has of such a head and what stands in for the request were one request to it, with a status that blames us.
    @Test(arguments: [
        "Transfer-Encoding: chunke", "Host: h\r\nTransfer-Encoding: chunked\r\nX", "Content-Length: 1",
        "Host: h\r\nExpect: 1",
        "Host: h\r\n",
    ])
    func aHeadThatBreaksOffAtOnceIsTheClientsFault(fields: String) async throws {
        for isFirst in [true, false] {
            let client = try RawClient(path)
            if !isFirst {
                client.write(request)
                #expect(try await blocking { client.readAnswer() }.hasPrefix("HTTP/1.1 200"))
            }
            // All is there before the host reads the first of it.
            await onTheControlThread {
                client.write("POST /v1/status HTTP/1.1\r\n\(fields)")
                client.closeSending()
            }
            let answer = try await blocking { client.read() }
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("the head broke off"), "\(answer)")
        }
        try await until("the end of all") { server.acceptor.living == 0 && server.connections.count == 0 }
    }

    /// libsoup 3.2 forgot connections that ended between two requests, and never closed them.
    @Test func nothingIsKeptOfAThousandConnectionsWithTenRequestsEach() async throws {
        let path = path
        let request = request
        let isAnswered = try await blocking {
            for number in 0..<1000 {
                let client = try RawClient(path)
                for _ in 0..<10 {
                    client.write(request)
                    guard client.readAnswer().hasPrefix("HTTP/1.1 200") else { return false }
                }
                if number.isMultiple(of: 3) { client.closeSending() }
            }
            return true
        }
        #expect(isAnswered)
        let client = try RawClient(path)
        client.write(request)
        _ = try await blocking { client.readAnswer() }
        let last = await WeakConnection(server.connections.newest)
        #expect(await last.connection != nil)
        client.closeSending()
        try await until("the end of all") { server.acceptor.living == 0 && server.connections.count == 0 }
        #expect(await last.connection == nil)
    }

    // MARK: What libsoup would have said nothing about

    @Test(arguments: [
        "GET /v1/\(String(repeating: "x", count: 70_000)) HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: h\r\nX-Long: \(String(repeating: "x", count: 300_000))\r\n\r\n",
    ])
    func aHeaderThatIsTooLongIsRefusedWithAReason(request: String) async throws {
        let client = try RawClient(path)
        let answer = try await blocking {
            client.write(request)
            return client.read()
        }
        #expect(answer.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "\(answer)")
        #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
        // It might still be sending.
        await clock.advance(by: .seconds(3))
        try await until("the end") { server.acceptor.living == 0 }
    }

    @Test func onlyWhatPluginsServeIsCutByRange() async throws {
        let client = try RawClient(path)
        func ask(_ path: String, _ range: String) async throws -> String {
            client.write("GET \(path) HTTP/1.1\r\nHost: h\r\nRange: bytes=\(range)\r\n\r\n")
            return try await blocking { client.readAnswer() }
        }
        for range in ["0-3", "99999-"] {
            let whole = try await ask("/v1/status", range)
            #expect(whole.hasPrefix("HTTP/1.1 200") && whole.hasSuffix("}\n"), "\(whole)")
        }
        let part = try await ask("/plugins/replay/plain", "0-2")
        #expect(part.hasPrefix("HTTP/1.1 206") && part.hasSuffix("\r\n\r\nGET"), "\(part)")
        // Each would be a copy.
        let several = try await ask("/plugins/replay/plain", "0-0" + String(repeating: ",2-", count: 10_000))
        #expect(several.hasPrefix("HTTP/1.1 200") && !several.contains("multipart"), "\(several.prefix(400))")
        let none = try await ask("/plugins/replay/plain", "99999-")
        #expect(none.hasPrefix("HTTP/1.1 416") && none.contains("\r\nContent-Range: bytes */"), "\(none)")
        #expect(none.contains(#""code":"beyond-end""#))
    }

    @Test(arguments: [
        ("/v1/a%00b", "the path `/v1/a%00b` has `%00`: no name holds a NUL"),
        ("/v1/%ff", "the path `/v1/%FF` is no UTF-8 when it is decoded"),
    ])
    func aPathThatCannotBeDecodedIsToldWhy(path: String, reason: String) async throws {
        let client = try RawClient(self.path)
        client.write("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        let answer = try await blocking { client.readAnswer() }
        #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains(reason), "\(answer)")
    }
}

/// Whether libsoup has let go of a connection, too.
@HostActor
private final class WeakConnection {
    weak var connection: ControlConnection?
    init(_ connection: ControlConnection?) { self.connection = connection }
}
