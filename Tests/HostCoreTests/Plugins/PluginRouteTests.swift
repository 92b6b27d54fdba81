import GStreamerKit
import HostTestKit
import PluginABI
import Testing

@testable import HostCore

/// mh.routes as a plugin and a client see it.
@Suite(.timeLimit(.minutes(10))) struct PluginRouteTests {
    init() { MainLoopThread.start() }

    /// The host's table, called as the script's plugin.
    @HostActor
    private struct Desk {
        let it: ScriptedPlugin
        private var table: mh_routes_host_1? { it.table(MH_EXT_ROUTES, as: mh_routes_host_1.self)?.pointee }

        func respond(
            _ token: mh_token, status: Int32 = 200, type: String = "text/plain", _ body: [UInt8] = [], size: Int? = nil
        ) -> mh_status {
            type.withABI { type in
                body.withUnsafeBytes { bytes in
                    var answer = mh_response_1(
                        status: status, reserved: 0, content_type: type, body: bytes.baseAddress,
                        body_size: size ?? bytes.count)
                    return table?.respond?(it.host, token, &answer) ?? 1
                }
            }
        }

        func reject(_ token: mh_token, _ status: Int, _ text: String) -> mh_status {
            text.withABI { table?.reject?(it.host, token, mh_status(status), $0) ?? 1 }
        }

        func respondEmpty(_ token: mh_token) -> mh_status { table?.respond_value?(it.host, token, nil) ?? 1 }
    }

    private static func error(_ response: ControlResponse) -> String? { response.body["detail"]?.string }

    @Test(arguments: ["", "page", "/{rest...}", "/a/{rest...}/b"]) func aPathThatIsNoneIsRefused(_ path: String) {
        let failure = "GET".withCString { method in
            path.withCString { path in
                #expect(throws: PluginFailure.self) {
                    try PluginRoute(mh_route_1(method: method, path: path, summary: method), index: 0, of: "it")
                }
            }
        }
        #expect(failure?.message == "plugin it: \"\(path)\" is no path of a route")
    }

    @Test @HostActor func aRequestCrossesWhole() async throws {
        let it = ScriptedPlugin()
        let desk = Desk(it: it)
        var seen: [String] = []
        it.onRequest = { token, request in
            let body = Array(UnsafeRawBufferPointer(start: request.body, count: request.body_size))
            let parameters = ValueNode.from(request.parameters)?.value ?? .null
            let query = ValueNode.from(request.query)?.value ?? .null
            seen.append("\(request.route) \(parameters) \(query) \(String(request.content_type)) \(body)")
            #expect(desk.respond(token, status: 201, type: "image/png", [0, 1, 255]) == 0)
        }
        let instance = try it.make()
        try instance.activate()
        let content = ControlResponse.Payload(contentType: "a/b", bytes: [7, 0])
        let made = await instance.serve("/", ControlRequest(method: .put, query: ["q": "ä"], content: content))
        #expect(made.status == 201 && made.payload == .init(contentType: "image/png", bytes: [0, 1, 255]))
        #expect(made.headers["X-Content-Type-Options"] == "nosniff")
        _ = await instance.serve("/things/%C3%A4%20b", ControlRequest(method: .get))
        let map = Value.map([.init("id", "ä b")])
        #expect(
            seen == ["1 \(Value.map([])) \(Value.map([.init("q", "ä")])) a/b [7, 0]", "0 \(map) \(Value.map([]))  []"])
        await it.end(instance)
    }

    @Test @HostActor func whatIsNotServedIsSaidWithoutThePlugin() async throws {
        let it = ScriptedPlugin()
        it.onRequest = { _, request in Issue.record("asked for route \(request.route)") }
        let instance = try it.make()
        try instance.activate()
        let get = ControlRequest(method: .get)
        for path in ["/things/..", "/things/%2e", "/things/a%2Fb", "/things/%zz"] {
            let refused = await instance.serve(path, get)
            #expect(refused.status == 400, "\(path)")
        }
        let near = await instance.serve("/thing/1", get)
        #expect(near.status == 404)
        #expect(
            Self.error(near)
                == "plugin it serves no `/thing/1`: did you mean `GET /plugins/it/things/{id}`? `GET /plugins` lists what there is"
        )
        let wrong = await instance.serve("/", get)
        #expect(wrong.status == 405 && wrong.headers["Allow"] == "PUT")
        await it.end(instance)
        let late = await instance.serve("/things/1", get)
        #expect(late.status == 409)
    }

    @Test @HostActor func anAnswerThatIsNoneIsRefusedAndTheRequestWaitsOn() async throws {
        let it = ScriptedPlugin()
        let desk = Desk(it: it)
        var statuses: [mh_status] = []
        it.onRequest = { token, _ in
            statuses = [
                desk.respond(token, status: 199), desk.respond(token, status: 600),
                desk.respond(token, type: "text/html\r\nSet-Cookie: a=b"), desk.respond(token, type: "", [1]),
                desk.respond(token, type: "nonsense", [1]),
                desk.respond(token, [1], size: HostInterface.longestAnswerBytes + 1),
                desk.reject(token, MH_E_NOT_FOUND, "gone"), desk.respond(token), desk.respondEmpty(token),
            ]
        }
        let instance = try it.make()
        try instance.activate()
        let answer = await instance.serve("/things/1", ControlRequest(method: .get))
        #expect(answer.status == 404 && Self.error(answer) == "gone")
        let invalid = mh_status(MH_E_INVALID)
        let late = mh_status(MH_E_STATE)
        #expect(statuses == [invalid, invalid, invalid, invalid, invalid, mh_status(MH_E_LIMIT), 0, late, late])
        #expect(it.lines("answered twice") == 1)
        await it.end(instance)
    }

    @Test @HostActor func aCommandIsNotAnsweredLikeARequest() async throws {
        let it = ScriptedPlugin()
        let desk = Desk(it: it)
        it.onInvoke = { #expect(desk.respond($0) == 0) }
        it.onRequest = { token, _ in #expect(it.reply(token) == 0) }
        let instance = try it.make()
        try instance.activate()
        let failure = await #expect(throws: PluginCallError.self) { try await instance.call("do", .null) }
        #expect(failure?.message.contains("as if it were an HTTP request") == true)
        // The other way round there is nothing to mistake: a value is JSON.
        let answer = await instance.serve("/things/1", ControlRequest(method: .get))
        #expect(answer == ControlResponse(body: .map([])))
        await it.end(instance)
    }

    @Test @HostActor func whoIsNotAnsweredHearsSoAndWhoEndsTellsEverybody() async throws {
        let it = ScriptedPlugin()
        var asked: [mh_token] = []
        var cancelled: [mh_token] = []
        it.onRequest = { token, _ in asked.append(token) }
        it.onCancel = { cancelled.append($0) }
        let instance = try it.make()
        try instance.activate()
        let answers = Recorder<ControlResponse>()
        func ask() -> Task<Void, Never> {
            HostActor.task { answers.record(await instance.serve("/things/1", ControlRequest(method: .get))) }
        }
        let first = ask()
        while asked.isEmpty { await it.turns() }
        it.clock.advance(by: PluginCalls.deadline)
        await first.value
        #expect(answers.elements.map(\.status) == [504])
        #expect(cancelled == asked)
        let gone = ask()
        while asked.count < 2 { await it.turns() }
        gone.cancel()
        while cancelled.count < 2 { await it.turns() }
        #expect(cancelled == asked)
        await it.end(instance)
        await gone.value
        #expect(answers.elements.last.flatMap(Self.error) == "plugin it is ending")
    }
}
