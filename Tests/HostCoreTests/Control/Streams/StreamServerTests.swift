import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Real server and sockets; the clock is virtual, and the events are made here.
@Suite(.timeLimit(.minutes(10))) struct StreamServerTests {
    private let place: TemporaryDirectory
    private let path: String
    private let clock = VirtualClock()
    private let hub: EventHub
    private let clients: StreamServer
    private let streams: Streams
    private let server: ControlServer
    private let target: FakeTarget
    private let memory: LogMemory

    init() async throws {
        MainLoopThread.start()
        place = try TemporaryDirectory()
        path = place.path("control.sock")
        memory = LogMemory(clock: clock)
        hub = await EventHub(clock: clock)
        clients = await StreamServer(clock: clock, limit: 8)
        streams = await Streams(
            server: clients,
            events: EventFeed(hub, server: clients) { $0 == "secret" ? "***" : $0 },
            logs: LogFeed(memory, boot: hub.bootID, server: clients))
        target = await FakeTarget()
        server = await ControlServer(
            socketPath: path, routes: ControlRoutes.routes(over: target, streams: streams))
        try await server.start()
    }

    /// A client that has been taken on: what was posted before it was, it does not hear of.
    private func open(_ path: String = "/v1/events", _ header: String = "") async throws -> RawClient {
        let socket = self.path
        return try await blocking {
            let client = try RawClient(socket)
            client.write("GET \(path) HTTP/1.1\r\nHost: h\r\n\(header)\r\n")
            _ = client.read(until: "retry: 1000\n\n")
            return client
        }
    }

    private func read(_ client: RawClient, until end: String? = nil) async throws -> String {
        try await blocking { client.read(until: end) }
    }

    private func ask(_ request: String) async throws -> String {
        let path = path
        return try await blocking {
            let client = try RawClient(path)
            client.write(request)
            client.closeSending()
            return client.read()
        }
    }

    @HostActor private func post(_ name: String, _ payload: Value = .null) {
        hub.post(name, source: "host", payload)
    }

    private func id(_ number: Int) async -> String {
        let boot = await hub.bootID
        return StreamPosition(boot: boot, sequence: UInt64(number)).text
    }

    @Test func eventsComeInOrderWithAllThatIsKnownOfThem() async throws {
        let client = try await open()
        await Task { @HostActor in
            let first = hub.post("pipeline.state", source: "camera", ["state": "playing"])
            hub.post("plugin.note", source: "replay", "secret", cause: first)
        }.value
        let text = try await read(client, until: "***")
        let data = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
        let first = try JSONText.parse(try #require(data.first))
        #expect(first["name"] == "pipeline.state" && first["source"] == "camera")
        #expect(first["payload"] == ["state": "playing"] && first["cause"] == .null && first["depth"] == 0)
        #expect(first["monotonic_ns"] == .int(clock.monotonic().nanoseconds))
        #expect(first["time"]?.string == DateText.iso(clock.realtime()))
        let ids = [await id(1), await id(2)]
        #expect(text.contains("id: \(ids[0])\nevent: pipeline.state\n"))
        #expect(text.contains("id: \(ids[1])\nevent: plugin.note\n"))
        #expect(text.contains(#""cause":1,"depth":1"#))
    }

    @Test func whoComesBackGoesOnBehindTheLastIt() async throws {
        await Task { @HostActor in for number in 1...5 { hub.post("a.b", source: "host", .int(Int64(number))) } }.value
        let last = await id(3)
        for text in [
            try await ask("GET /v1/events?follow=false HTTP/1.1\r\nHost: h\r\nLast-Event-ID: \(last)\r\n\r\n"),
            try await ask("GET /v1/events?follow=false&last_event_id=\(last) HTTP/1.1\r\nHost: h\r\n\r\n"),
            try await ask("GET /v1/events?follow=false&last=2 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ] {
            #expect(!text.contains("\"payload\":3") && text.contains("\"payload\":4") && text.contains("\"payload\":5"))
            #expect(!text.contains("gap"))
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
        }
        let other = "GET /v1/events?follow=false HTTP/1.1\r\nHost: h\r\nLast-Event-ID: 0000000000000000.9\r\n\r\n"
        let text = try await ask(other)
        #expect(text.contains(#""lost":null,"reason":"restart""#) && text.contains("\"payload\":1"))
    }

    @Test func whoIsSlowLosesAndIsToldWhileOthersHearEverything() async throws {
        let slow = try await open("/v1/events?filter=a.*,end")
        let fast = try await open("/v1/events?filter=b.*")
        let most = StreamFeed.mostEntries
        let long = Value.string(String(repeating: "x", count: 1000))
        let count = most * 3
        for number in 1...count {
            await Task { @HostActor in
                hub.post("a.b", source: "host", long)
                hub.post("b.c", source: "host", .int(Int64(number)))
            }.value
            if number % 64 == 0 { _ = try await read(fast, until: "\"payload\":\(number),") }
        }
        // The slow one finds what the kernel kept for it, then how many it has lost, then the rest.
        await post("end")
        let text = try await read(slow, until: "\"name\":\"end\"")
        let names = text.split(separator: "\n").filter { $0.hasPrefix("event: ") }
        let lost = text.split(separator: "\n").filter { $0.contains("\"name\":\"gap\"") }.compactMap { line in
            (try? JSONText.parse(String(line.dropFirst(6))))?["lost"]?.int
        }
        #expect(!lost.isEmpty)
        #expect(lost.reduce(0, +) + Int64(names.count - lost.count) == Int64(count + 1))
    }

    @Test func silenceIsBrokenByTheClock() async throws {
        let client = try await open()
        await clock.advance(by: StreamServer.keepAlive)
        await clock.advance(by: StreamServer.keepAlive)
        #expect(try await read(client, until: ": keep-alive\n\n") == ": keep-alive\n\n")
    }

    /// A stopped reader kept its place for ever: the timer passed over those whose sockets took nothing, and 256 of them kept
    /// everybody else out.
    @Test func whoTakesNothingIsLetGoAndIsToldWhatItLost() async throws {
        let slow = try await open("/v1/events")
        let other = try await open("/v1/events?filter=end")
        await Task { @HostActor in
            let long = Value.string(String(repeating: "x", count: 1000))
            for _ in 0..<300 { hub.post("a.b", source: "host", long) }
            hub.post("end", source: "host", .null)
        }.value
        _ = try await read(other, until: "\n\n")
        // It is first seen by a tick, and has its time from there on.
        for _ in 0..<4 { await clock.advance(by: StreamServer.keepAlive) }
        #expect(await clients.count == 2)
        await clock.advance(by: StreamServer.keepAlive)
        #expect(await clients.count == 1)
        let text = try await read(slow)
        let last = try #require(text.components(separatedBy: "id: ").dropLast().last?.prefix { $0 != "\n" })
        // What there was meanwhile has left the memory.
        await Task { @HostActor in
            for _ in 0..<StreamFeed.mostEntries { hub.post("c.d", source: "host", .null) }
        }.value
        let number = try #require(StreamPosition(String(last))?.sequence)
        let back = try await ask("GET /v1/events?follow=false HTTP/1.1\r\nHost: h\r\nLast-Event-ID: \(last)\r\n\r\n")
        #expect(back.contains(#""lost":\#(301 - number),"reason":"expired""#), "\(back.prefix(500))")
    }

    @Test func whoLeavesIsLetGo() async throws {
        let streams = clients
        var some: [RawClient] = []
        for _ in 0..<4 { some.append(try await open()) }
        #expect(await streams.count == 4)
        some.removeAll()
        try await until("the end of four clients") { streams.count == 0 }
        let server = server
        try await until("the end of their sockets") { server.acceptor.living == 0 }
        #expect(clock.pendingCount == 0)
    }

    @Test func whoOnlyHasNothingMoreToSayListensOn() async throws {
        let client = try await open()
        client.closeSending()
        // A request behind it: its end was seen when this is answered.
        _ = try await ask("GET /v1/status HTTP/1.1\r\nHost: h\r\n\r\n")
        await post("a.b")
        #expect(try await read(client, until: "a.b").contains("event: a.b"))
    }

    @Test func whoTalksOnIsCutOff() async throws {
        let client = try await open()
        let flood = [UInt8](repeating: 0x20, count: 1 << 20)
        #expect(try await blocking { client.write(flood) } == false)
    }

    @Test func thereIsALimit() async throws {
        var some: [RawClient] = []
        for _ in 0..<8 { some.append(try await open()) }
        let refused = try await ask("GET /v1/events HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains("stream-clients"))
        // Who only reads what there is does not take a place.
        let read = try await ask("GET /v1/events?follow=false HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(read.hasPrefix("HTTP/1.1 200"), "\(read)")
        let streams = clients
        some.removeLast()
        try await until("a place") { streams.count == 7 }
        some.append(try await open())
        #expect(await streams.count == 8)
        withExtendedLifetime(some) {}
    }

    @Test func theHeaderAloneOpensNothing() async throws {
        let text = try await ask("HEAD /v1/events HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n"))
        #expect(text.contains("\r\nContent-Type: text/event-stream\r\n") && !text.contains("Content-Length"))
        #expect(await clients.count == 0)
    }

    @Test func theEndIsToldToEverybody() async throws {
        let client = try await open()
        await Task { @HostActor in
            hub.post("last.word", source: "host", .null)
            streams.stop()
            streams.stop()
        }.value
        #expect(try await read(client).contains("event: last.word\n"))
        let refused = try await ask("GET /v1/events HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503"))
    }

    @Test func whatAClientWatchesIsWatchedAsLongAsItListens() async throws {
        var told = target.events.makeAsyncIterator()
        var client: RawClient? = try await open("/v1/events?watch=a/b.c")
        #expect(await told.next() == "told of a/b.c")
        client = nil
        #expect(await told.next() == "not any more")
        withExtendedLifetime(client) {}
        let wrong = try await ask("GET /v1/events?watch=no HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(wrong.hasPrefix("HTTP/1.1 404") && wrong.contains(#""field":"watch""#))
    }

    @Test func whatIsTooLongSaysHowLong() async throws {
        let client = try await open()
        let long = Value.string(String(repeating: "x", count: StreamFeed.longestEntryBytes))
        await post("a.b", long)
        let text = try await read(client, until: "truncated_bytes")
        #expect(text.contains(#""payload":null"#) && text.utf8.count < 1000)
    }

    @Test(arguments: [
        ("/v1/events?filtre=a", "filtre", "did you mean \\\"filter\\\""),
        ("/v1/events?filter=a*", "filter", "is no pattern"),
        ("/v1/events?last=x", "last", "must be a whole number"), ("/v1/events?last=1025", "last", "at most 1024"),
        ("/v1/events?follow=maybe", "follow", "true or false"),
        ("/v1/events?last_event_id=7", "last_event_id", "no id of an event"),
        ("/v1/events?source=a&source=b", "source", "twice"),
        ("/v1/logs?level=loud", "level", "error, warning, notice, debug"), ("/v1/logs?lines=0", "lines", "at least 1"),
        ("/v1/logs/stream?filter=a", "filter", "the query of GET /v1/logs/stream has no"),
        ("/v1/status?a", "a", "it takes nothing"),
    ])
    func whatIsNotUnderstoodIsSaid(path: String, field: String, words: String) async throws {
        let text = try await ask("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400") && text.contains(words), "\(text)")
        #expect(text.contains("\"field\":\"\(field)\""), "\(text)")
    }

    // MARK: The log

    @Test func theLogIsReadByLevelAndComponent() async throws {
        let log = Log(upTo: .debug, memory: memory) { _ in }
        log.notice("one")
        log.from("pipeline camera").warning("two", element: "v")
        log.from("plugin replay").error("three")
        log.debug("four")
        let client = ControlClient(socketPath: path)
        func texts(_ query: String) async throws -> [String] {
            try await blocking { try client.request(.get, "/v1/logs\(query)") }["lines"]?.list?
                .compactMap { $0["text"]?.string } ?? []
        }
        #expect(try await texts("") == ["one", "two", "three", "four"])
        #expect(try await texts("?lines=2") == ["three", "four"])
        #expect(try await texts("?level=warning") == ["two", "three"])
        #expect(try await texts("?component=camera") == ["two"])
        #expect(try await texts("?component=host&level=notice&lines=1") == ["one"])
    }

    @Test func newLinesOfTheLogComeAsEventsOfTheirOwnStream() async throws {
        let log = Log(upTo: .notice, memory: memory) { _ in }
        let events = try await open()
        let client = try await open("/v1/logs/stream?level=warning")
        log.notice("not this")
        log.warning("this\nline")
        let text = try await read(client, until: "this")
        #expect(text.contains("event: log.warning\n") && text.contains(#""text":"this\nline""#))
        #expect(!text.contains("not this"))
        await post("end")
        #expect(!(try await read(events, until: "\"end\"")).contains("log."))
    }

    @Test func aFloodOfLinesIsCounted() async throws {
        await Task { @HostActor in
            // Nobody takes them while this runs.
            for number in 1...2900 { memory.keep(LogEntry(.notice, source: "host", "line \(number)")) }
        }.value
        let client = ControlClient(socketPath: path)
        let lines = try await blocking { try client.request(.get, "/v1/logs?lines=1000") }["lines"]?.list ?? []
        let texts = lines.compactMap { $0["text"]?.string }
        #expect(texts.last == "line 2900")
        #expect(
            texts.first?.hasSuffix("lines before this one came too fast to be kept") == true, "\(texts.first ?? "")")
    }
}
