import Foundation
import HostTestKit
import Testing

@testable import HostCore

/// Real server, real client, real socket; only the host behind the routes is fake.
@Suite struct ControlServerTests: ControlServerSuite {
    let served: Served

    init() async throws { served = try await Served() }

    // MARK: Routes

    @Test func everyRouteAnswers() async throws {
        #expect(try await ask { try $0.status() } == ["paused": false, "name": "Grüße 🎬"])
        #expect(try await ask { try $0.pause() } == ["paused": true])
        #expect(try await ask { try $0.status() }["paused"] == true)
        #expect(try await ask { try $0.resume() } == ["paused": false])
        #expect(try await ask { try $0.commands() }["replay"]?["save"]?["summary"] == "saves")
        let echo = try await ask { try $0.call(instance: "replay", command: "echo", parameters: ["last": 5]) }
        #expect(echo == ["instance": "replay", "with": ["last": 5]])
        #expect(try await ask { try $0.call(instance: "replay", command: "echo") }["with"] == .map([]))
        #expect(try await ask { try $0.graph(pipeline: "a/b") } == "a/b as dot")
        #expect(try await ask { try $0.graph(pipeline: "a/b", format: .svg) } == "a/b as svg")
        #expect(try await ask { try $0.configuration() }["config"] == ["mediahost": 1])
        #expect(try await ask { try $0.plugins() } == [["name": "re/play"]])
        #expect(try await ask { try $0.plugin("re/play") } == ["name": "re/play"])
        #expect(try await ask { try $0.pipelines() } == [["name": "a/b"]])
        #expect(try await ask { try $0.pipeline("a/b") } == ["name": "a/b"])
        #expect(try await ask { try $0.restart(pipeline: "a/b") } == ["restarted": "a/b"])
        #expect(try await ask { try $0.start(pipeline: "a/b") }["started"] == "a/b")
        #expect(try await ask { try $0.stop(pipeline: "a/b") }["stopped"] == "a/b")
        #expect(try await ask { try $0.property("v.pattern", of: "a/b") } == ["property": "v.pattern", "of": "a/b"])
        let set = try await ask { try $0.set("v.pattern", of: "a/b", to: "x") }
        #expect(set == ["property": "v.pattern", "of": "a/b", "value": "x", "saved": false])
        let saved = try await ask { try $0.set("v.pattern", of: "a/b", to: "x", saving: true) }
        #expect(saved["saved"] == true)
        let plugin = try await ask { try $0.configure(plugin: "re/play", ["window": "5s"], saving: true) }
        #expect(plugin == ["plugin": "re/play", "config": ["window": "5s"], "saved": true])
        #expect(try await ask { try $0.overrides() }["settings"] == [])
        #expect(try await ask { try $0.resetOverrides(nil) } == ["removed": ["all"]])
        #expect(try await ask { try $0.resetOverrides("a/b.c d") } == ["removed": ["a/b.c d"]])
    }

    @Test func pluginsServeWhatIsBelowTheirPlace() async throws {
        let list = try await ask { try $0.request(.get, "/plugins") }
        #expect(list["routes"]?.list?.first?["path"] == "/plugins/replay/")
        let sent =
            "PUT /plugins/replay/a/b%2F%20c?x=1%202 HTTP/1.1\r\nHost: h\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\n\\{x}"
        let answer = try await raw(sent)
        #expect(answer.hasPrefix("HTTP/1.1 201") && answer.contains("Content-Type: text/plain\r\n"))
        #expect(answer.hasSuffix(#"PUT /a/b%2F%20c ["x": "1 2"] image/png: \{x}"#))
        #expect(try await raw("GET /plugins/replay/ HTTP/1.1\r\nHost: h\r\n\r\n").hasSuffix("GET / [:] : nothing"))
        let moved = try await raw("GET /plugins/re%20play HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(moved.hasPrefix("HTTP/1.1 308") && moved.contains("Location: /plugins/re%20play/\r\n"))
        #expect(try await raw("GET /plugins/other HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 404"))
        #expect(try await raw("GET /plugins/other/ HTTP/1.1\r\nHost: h\r\n\r\n").contains(#""not-found""#))
        let head = try await raw("HEAD /plugins/replay/page HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 201") && head.hasSuffix("\r\n\r\n"))
    }

    @Test func numbersAreTextAsPrometheusAsksForIt() async throws {
        let answer = try await ask { try $0.fetch(.get, "/metrics") }
        #expect(answer.status == 200 && answer.contentType == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text == "# TYPE it gauge\nit 1\n")
        #expect(try await ask { try $0.metrics() } == answer.text)
        #expect(try await ask { try $0.fetch(.post, "/metrics") }.status == 405)
    }

    @Test func indexListsEveryRouteWithItsSummary() async throws {
        let index = try await ask { try $0.request(.get, "/v1") }
        let routes = try #require(index["routes"]?.list)
        let paths = routes.map { $0["path"]?.string }
        #expect(paths.contains("/v1/plugins/{instance}/commands/{command}") && paths.contains("/v1/status"))
        #expect(routes.count == Set(routes.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" }).count)
        #expect(routes.allSatisfy { $0["summary"]?.string?.isEmpty == false && $0["method"]?.string != nil })
    }

    @Test(arguments: ["a/b", "...", "a b", "%2F", "?x=1#y", "räplay 🎬", "a\"b", "+", "{instance}"])
    func namesSurviveThePath(name: String) async throws {
        let echo = try await ask { try $0.call(instance: name, command: "echo", parameters: ["n": .string(name)]) }
        #expect(echo == ["instance": .string(name), "with": ["n": .string(name)]])
    }

    @Test(arguments: [".", "..", ""])
    func namesThatNoPathCarriesAreRefused(name: String) async {
        let error = await failure { try $0.call(instance: name, command: "echo") }
        #expect(error == ControlError(.invalid, "`\(name)` names no instance and no command"))
    }

    @Test func aRefusedReloadIsAnErrorWithTheReportBesideIt() async {
        let error = await failure { try $0.reload() }
        #expect(error == ControlError(.configuration, "no"))
    }

    // MARK: Errors

    @Test func errorOfTheHostArrivesWithCodeAndStatus() async throws {
        _ = try await ask { try $0.pause() }
        let error = await failure { try $0.pause() }
        #expect(error == ControlError(.state, "the host is paused already"))
        #expect(error?.code.status == 409)
        let late = await failure { try $0.call(instance: "replay", command: "fail") }
        #expect(late == ControlError(.timeout, "`replay` did not answer within 500 ms"))
        #expect(late?.code.status == 504)
    }

    @Test func unknownPathNamesTheNearest() async {
        let error = await failure { try $0.request(.get, "/v1/statsu") }
        #expect(
            error
                == ControlError(
                    .notFound, "there is no `/v1/statsu`: did you mean `GET /v1/status`? `GET /v1` lists what there is")
        )
        #expect(error?.code.status == 404)
    }

    @Test func wrongMethodNamesTheRightOneAlsoInTheHeader() async throws {
        let answer = try await raw("POST /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.contains("\r\nAllow: GET, HEAD\r\n"))
        #expect(
            answer.hasSuffix(
                #"{"type":"urn:mediahost:error:wrong-method","title":"The path takes other methods","detail":"`/v1/status` takes GET, HEAD, not POST","code":"wrong-method"}"#
                    + "\n"))
        #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
    }

    /// A plugin's path takes what the plugin says.
    @Test(arguments: [
        ("/plugins/replay/window/", "GET, HEAD"), ("/plugins/replay/else", "GET, HEAD, POST, PUT, PATCH, DELETE"),
    ])
    func aMethodThatNobodyTakesIsToldWhatThePluginTakes(_ path: String, _ allowed: String) async throws {
        let answer = try await raw("OPTIONS \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: \(allowed)\r\n"), "\(answer)")
    }

    @Test func brokenBodyIsRefusedInTheParsersWords() async throws {
        let answer = try await raw(
            "POST /v1/pause HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\n\r\n{\"a\": }")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.contains(#""detail":"the body is no JSON: "#))
        let binary = try await raw(
            "POST /v1/pause HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\n\u{0}\u{1}\u{2}")
        #expect(binary.hasPrefix("HTTP/1.1 400 "))
        let list = await failure { try $0.request(.post, "/v1/plugins/a/commands/echo", body: [1]) }
        #expect(list?.code == .invalid)
        let query = await failure { try $0.request(.get, "/v1/status?a=1&a=2") }
        #expect(query == ControlError(.invalid, "the query gives `a` twice: give it once") && query?.field == "a")
    }

    /// libsoup asks an internet address for the host that such a request does not name.
    @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
    func requestWithoutHostIsAnsweredAsItsVersionAsks(_ version: String) async throws {
        let answer = try await raw("GET /v1/status \(version)\r\n\r\n")
        if version == "HTTP/1.0" {
            #expect(answer.contains(" 200 OK\r\n") && answer.contains(#""paused":false"#), "\(answer)")
        } else {
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        }
    }

    @Test func oversizedBodyIsRefused() async throws {
        let large = Value.string(String(repeating: "x", count: 2 << 20))
        let error = await failure { try $0.request(.post, "/v1/plugins/a/commands/echo", body: ["big": large]) }
        #expect(error == ControlError(.tooLarge, "the body is longer than 1048576 bytes"))
        #expect(error?.code.status == 413)
        let fits = Value.string(String(repeating: "x", count: 1 << 19))
        let echo = try await ask { try $0.call(instance: "a", command: "echo", parameters: ["big": fits]) }
        #expect(echo["with"]?["big"] == fits)
    }

    @Test func oversizedChunksAreRefused() async throws {
        let chunk = "10000\r\n" + String(repeating: "y", count: 0x10000) + "\r\n"
        let body = String(repeating: chunk, count: 20) + "0\r\n\r\n"
        let answer = try await raw("POST /v1/pause HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func bodiesInChunksAreRefused() async throws {
        let answer = try await raw(
            "POST /v1/pause HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 411 ") && answer.contains(#""code":"length-required""#), "\(answer)")
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    /// libsoup takes each of them for whole.
    @Test(arguments: [
        "", "2\r\n{}", "2\r\n{}\r\n", "2\r\n{}\r\n0\r\n", "5\r\n{}", "2\r\n{}\r\nzz\r\n\r\n",
        "2\r\n{}}\r\n0\r\n\r\n", "0\r\nX-Behind: 1\r\n\r\n",
    ])
    func aBodyInChunksThatIsNotWholeReachesNobody(body: String) async throws {
        for path in ["/v1/pause", "/plugins/replay/plain"] {
            let answer = try await raw(
                "POST \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""code":"invalid""#), "\(answer)")
            #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("\"}\n"), "\(answer)")
        }
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func aWholeBodyInChunksReachesThePlugin() async throws {
        let head = "POST /plugins/replay/plain HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
        let path = path
        let answer = try await blocking {
            let client = try RawClient(path)
            for byte in (head + "2;x=y\r\n{}\r\n00A\r\n0123456789\r\n0\r\n\r\n").utf8 { client.write([byte]) }
            return client.readAnswer()
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix(": {}0123456789"), "\(answer)")
    }

    /// libsoup's own answers to these are 501 and 505.
    @Test(arguments: [
        ("GET /v1/status HTTP/2.0\r\nHost: x\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/2.0"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/2.0"),
        ("GET / HTTP/1.2\r\nHost: x\r\n\r\n", "this speaks HTTP/1.1 and HTTP/1.0, not HTTP/1.2"),
        (
            "POST /v1/pause HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
            "`Transfer-Encoding` is `chunked`, where there is one, and not \\\"gzip\\\""
        ),
        (
            "BREW / HTTP/1.1\r\nHost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "`Transfer-Encoding` is `chunked`, where there is one, and not \\\"gzip, chunked\\\""
        ),
    ])
    func whatNobodySpeaksIsTheClientsFault(text: String, reason: String) async throws {
        // Alone, and behind one that is in order and gets its answer; nothing more comes then that would wake anybody.
        for before in ["", "GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n"] {
            let path = path
            let answer = try await blocking {
                let client = try RawClient(path)
                client.write(before + text)
                return client.read()
            }
            let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
                .filter { Int($0) != nil }
            #expect(statuses == (before.isEmpty ? ["400"] : ["200", "400"]), "\(answer)")
            #expect(answer.contains(#""code":"invalid""#) && answer.contains(reason), "\(answer)")
            #expect(answer.hasSuffix("\"}\n") && answer.contains("application/problem+json"), "\(answer)")
        }
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func endlessUploadIsCutOff() async throws {
        let path = path
        let written = try await blocking {
            let client = try RawClient(path)
            client.write("POST /v1/pause HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array(("100000\r\n" + String(repeating: "z", count: 1 << 20) + "\r\n").utf8)
            return (0..<64).first { _ in !client.write(chunk) }
        }
        #expect(try #require(written) < 32)
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func expectationIsRefusedBeforeTheBodyIsSent() async throws {
        let answer = try await raw(
            "POST /v1/pause HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains(#""code":"too-large""#))
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}garbage\r\n\r\n", "GET\r\n\r\n", "GET /v1/status HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: x\r\nContent-Length: banana\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ])
    func whatIsNoRequestGetsAnErrorBody(text: String) async throws {
        let answer = try await raw(text)
        let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        #expect(status.map { (400..<500).contains($0) } == true, "\(answer)")
        #expect(answer.hasSuffix("\"}\n") && answer.contains(#"{"type":"urn:mediahost:error:"#), "\(answer)")
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    /// libsoup would take the last of two, and -1 for a length.
    @Test(arguments: [
        "Host: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "Host: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "Host: x\r\nContent-Length: -1\r\n\r\n", "Host: x\r\nHost: y\r\nContent-Length: 2\r\n\r\n{}",
        "Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Host: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    ])
    func whatTwoReadersUnderstandDifferentlyIsRefused(fields: String) async throws {
        for path in ["/v1/pause", "/plugins/replay/echo"] {
            let answer = try await raw("POST \(path) HTTP/1.1\r\n\(fields)GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""code":"invalid""#), "\(answer)")
            // What stands behind it is no request of anybody.
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
        }
        #expect(try await ask { try $0.status() }["paused"] == false)
    }

    @Test func garbageAndHalfRequestsLeaveTheServerWell() async throws {
        let path = path
        try await blocking {
            for length in [1, 7, 100, 5000, 200_000] {
                let client = try RawClient(path)
                client.write((0..<length).map { _ in UInt8.random(in: 0...255) })
            }
            try RawClient(path).write("POST /v1/pause HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
            _ = try RawClient(path)
        }
        #expect(try await ask { try $0.status() }["paused"] == false)
    }
}
