import HostTestKit
import Testing

@testable import HostCore

/// What a validator of OpenAPI would ask, as far as our own document can go wrong.
@Suite struct OpenAPIDocumentTests {
    private let document: Value
    private let routes: [Route]

    init() async throws {
        MainLoopThread.start()
        (document, routes) = try await Self.make()
    }

    @HostActor
    private static func make() async throws -> (Value, [Route]) {
        let target = FakeTarget()
        let clock = VirtualClock()
        let hub = EventHub(clock: clock)
        let server = StreamServer(clock: clock, limit: 1)
        let streams = Streams(
            server: server, events: EventFeed(hub, server: server) { $0 },
            logs: LogFeed(LogMemory(clock: clock), boot: hub.bootID, server: server))
        defer { streams.stop() }
        let routes = ControlRoutes.routes(over: target, streams: streams, web: WebDoor(clock: clock))
        let route = try #require(routes.first { $0.path == "/openapi.json" })
        let answer = await route.handler(ControlRequest(method: .get))
        return (withExtendedLifetime(target) { answer.body }, routes)
    }

    private var operations: [(path: String, method: String, value: Value)] {
        (document["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).map { (path.key, $0.key, $0.value) }
        }
    }

    private func names(_ place: String, _ operation: Value) -> [String] {
        (operation["parameters"]?.list ?? []).filter { $0["in"]?.string == place }.compactMap { $0["name"]?.string }
    }

    @Test func everyRouteOfTheHostIsInIt() {
        #expect(document["openapi"] == "3.1.0" && document["info"]?["version"]?.string == HostVersion.text)
        for route in routes where !route.isPlugins && route.path != "/openapi.json" {
            let operation = document["paths"]?[route.path]?[route.method.rawValue.lowercased()]
            #expect(operation?["summary"]?.string == route.summary, "\(route.name)")
            #expect(names("query", operation ?? .null) == route.contract.query.map(\.name), "\(route.name)")
        }
        #expect(operations.allSatisfy { !$0.path.contains("...") })
    }

    @Test func everyParameterOfAPathIsDeclaredOnceAndRequired() {
        for operation in operations {
            let inPath = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            #expect(names("path", operation.value) == inPath, "\(operation.path)")
            for parameter in operation.value["parameters"]?.list ?? [] {
                #expect(parameter["required"]?.bool == (parameter["in"] == "path"), "\(operation.path)")
                #expect(parameter["schema"]?["type"] != nil && parameter["description"]?.string?.isEmpty == false)
            }
        }
    }

    @Test func everyOperationHasANameOfItsOwnAndTheSameErrors() {
        let names = operations.compactMap { $0.value["operationId"]?.string }
        #expect(names.count == operations.count && Set(names).count == names.count, "\(names.sorted())")
        for operation in operations where !operation.path.hasPrefix("/plugins/") {
            let responses = operation.value["responses"]?.members ?? []
            let isCommand = operation.path.contains("/commands/")
            #expect(
                responses.map(\.key) == (isCommand ? ["200", "202", "default"] : [responses[0].key, "default"]),
                "\(operation.path)")
            #expect(operation.value["responses"]?["default"]?["$ref"] == "#/components/responses/Problem")
        }
    }

    @Test func clientsLearnThatThereAreTokens() {
        let schemes = document["components"]?["securitySchemes"]?.members ?? []
        let asked = document["security"]?.list ?? []
        #expect(schemes.map(\.key) == ["token"] && schemes.first?.value["scheme"] == "bearer")
        #expect(asked.compactMap { $0.members?.map(\.key) } == [[], ["token"]])
    }

    @Test func everyReferenceLeadsSomewhere() {
        func references(_ value: Value) -> [String] {
            switch value {
            case .map(let members):
                members.flatMap { member in
                    (member.key == "$ref" ? [member.value.string ?? "no text"] : []) + references(member.value)
                }
            case .list(let items): items.flatMap(references)
            default: []
            }
        }
        let all = references(document)
        #expect(all.count > 20)
        for reference in Set(all) {
            var place: Value? = document
            for step in reference.split(separator: "/").dropFirst() { place = place?[String(step)] }
            #expect(reference.hasPrefix("#/") && place != nil, "\(reference)")
        }
    }

    @Test func membersAreAsTheirRoutesDeclareThem() throws {
        let logs = try #require(document["paths"]?["/v1/logs"]?["get"]?["parameters"]?.list)
        #expect(logs.first?["schema"] == ["type": "integer", "minimum": 1, "maximum": 1000, "default": 100])
        let seek = document["paths"]?["/v1/pipelines/{pipeline}/seek"]?["post"]?["requestBody"]
        let schema = seek?["content"]?["application/json"]?["schema"]
        #expect(seek?["required"] == true && schema?["required"] == ["position"])
        #expect(schema?["properties"]?["to"]?["enum"] == ["accurate", "key-frame"])
        #expect(schema?["properties"]?["position"]?["type"] == ["integer", "string"])
        let events = document["paths"]?["/v1/events"]?["get"]
        #expect(events?["responses"]?["200"]?["content"]?.members?.map(\.key) == ["text/event-stream"])
        #expect(names("header", events ?? .null) == ["Last-Event-ID"])
    }

    @Test func commandsOfPluginsHavePathsOfTheirOwn() throws {
        let save = try #require(document["paths"]?["/v1/plugins/replay/commands/save"]?["post"])
        #expect(save["operationId"] == "replay.save" && save["summary"] == "saves")
        let schema = save["requestBody"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"] == ["last"] && save["requestBody"]?["required"] == true)
        let last = schema?["properties"]?["last"]
        // `0` is taken without a unit, also as a number; the document called it a text, and `{"for": 0}` was accepted.
        #expect(last?["type"] == ["string", "integer"] && last?["minimum"] == 0 && last?["maximum"] == 0)
        #expect(last?["pattern"]?.string?.contains("min|h") == true)
        let count = schema?["properties"]?["count"]
        #expect(count?["type"] == ["integer", "string", "null"] && count?["maximum"] == 9)
        let result = save["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(result?["properties"]?["length"]?["type"] == "integer")
    }

    @Test func whatPluginsServeIsInItWithAllItsParameters() throws {
        let page = try #require(document["paths"]?["/plugins/replay/clips/{name}"]?["get"])
        #expect(names("path", page) == ["name"] && page["summary"] == "a clip")
    }
}
