import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Clients that come, leave, wait and hang, over a real socket.
@Suite(.timeLimit(.minutes(20))) struct ControlClientsTests: ControlServerSuite {
    let served: Served

    init() async throws { served = try await Served() }

    @Test func headHasTheHeadersWithoutTheBody() async throws {
        let answer = try await raw("HEAD /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("Content-Type: application/json\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    /// libsoup's listener lost one reference of each socket that it accepted.
    @Test(arguments: [
        "", "\r\n", "GET /v1/sta", "garbage\r\n\r\n", "GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /v1/plugins/a/commands/hang HTTP/1.1\r\nHost: x\r\n\r\n",
    ])
    func nothingIsKeptOfClosedConnections(start: String) async throws {
        let path = path
        let isAnswered = start.hasSuffix("\r\n\r\n") && !start.contains("hang")
        try await blocking {
            for number in 0..<50 {
                let client = try RawClient(path)
                client.write(start)
                if number.isMultiple(of: 3) { client.closeSending() }
                if number.isMultiple(of: 2), isAnswered {
                    client.closeSending()
                    #expect(!client.read().isEmpty)
                }
            }
        }
        // Each answer means that the server has had another look at everything that happened before.
        for _ in 0..<100 where server.acceptor.living > 0 {
            _ = try await raw("GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n")
            await Task { @HostActor in }.value
        }
        #expect(server.acceptor.living == 0)
    }

    @Test func openConnectionsAreCountedAndEndWithTheServer() async throws {
        let path = path
        let clients = try await blocking { try (0..<10).map { _ in try RawClient(path) } }
        // Clients are accepted in order.
        _ = try await raw("GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n")
        await Task { @HostActor in }.value
        #expect(server.acceptor.living == clients.count)
        await server.stop()
        #expect(server.acceptor.living == 0)
        #expect(try await blocking { clients.allSatisfy { $0.read().isEmpty } })
    }

    @Test func hundredClientsAtOnceAllGetTheirOwnAnswer() async throws {
        let client = ControlClient(socketPath: path)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let echo = try await blocking {
                        try client.call(instance: "i\(number)", command: "echo", parameters: ["n": .int(Int64(number))])
                    }
                    return echo == ["instance": .string("i\(number)"), "with": ["n": .int(Int64(number))]]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func clientThatLeavesCancelsItsHandler() async throws {
        var events = target.events.makeAsyncIterator()
        var client: RawClient? = try RawClient(path)
        client?.write("POST /v1/plugins/a/commands/hang HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await events.next() == "entered")
        client = nil
        #expect(await events.next() == "cancelled")
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func answerToAClientThatLeftIsDropped() async throws {
        var events = target.events.makeAsyncIterator()
        var client: RawClient? = try RawClient(path)
        client?.write("POST /v1/plugins/a/commands/after HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await events.next() == "entered")
        client = nil
        // Served after the hang-up was seen: the watch and this request are handled by one thread in order of arrival.
        #expect(try await ask { try $0.status() }["paused"] == false)
        await target.release()
        #expect(await events.next() == "cancelled")
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func clientThatOnlyClosedItsSendingSideGetsItsAnswer() async throws {
        var events = target.events.makeAsyncIterator()
        let client = try RawClient(path)
        client.write("POST /v1/plugins/a/commands/after HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        client.closeSending()
        #expect(await events.next() == "entered")
        await target.release()
        #expect(await events.next() == "not cancelled")
        let answer = try await blocking { client.read() }
        #expect(answer.hasSuffix("{\"late\":true}\n"))
    }

    @Test func silentHandlerTimesOutAtTheClient() async throws {
        let error = await failure { try $0.call(instance: "a", command: "hang", timeout: .milliseconds(200)) }
        #expect(error?.code == .timeout)
        #expect(error?.message.contains("did not answer POST /v1/plugins/a/commands/hang within 1 s") == true)
    }

    @Test func stopCancelsWhatRunsAndRemovesTheSocket() async throws {
        var events = target.events.makeAsyncIterator()
        let client = try RawClient(path)
        client.write("POST /v1/plugins/a/commands/hang HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await events.next() == "entered")
        await server.stop()
        #expect(await events.next() == "cancelled")
        #expect(try await blocking { client.read() }.isEmpty)
        #expect(!place.exists("run/control.sock"))
        await server.stop()
        try await server.start()
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func nothingIsKeptOfFinishedRequestsAndStoppedServers() async throws {
        var events = target.events.makeAsyncIterator()
        for _ in 0..<3 {
            var client: RawClient? = try RawClient(path)
            client?.write("POST /v1/plugins/a/commands/hang HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await events.next() == "entered")
            client = nil
            #expect(await events.next() == "cancelled")
        }
        // Read up to the end of the connection, which the server closes after the message is finished.
        _ = try await raw("GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(await server.dispatcher?.waiting == 0)
        let idle = try RawClient(path)
        #expect(try await ask { try $0.status() }["paused"] == false)
        await server.stop()
        #expect(await server.dispatcher == nil)
        withExtendedLifetime(idle) {}
    }

    @Test func requestsAfterTheHostsEndAreAnswered() async throws {
        let path = place.path("other.sock")
        let orphan = await ControlServer(socketPath: path, routes: ControlRoutes.routes(over: FakeTarget()))
        try await orphan.start()
        let error = await #expect(throws: ControlError.self) {
            try await blocking { try ControlClient(socketPath: path).status() }
        }
        #expect(error == ControlError(.busy, "the host is stopping"))
        await orphan.stop()
    }
}
