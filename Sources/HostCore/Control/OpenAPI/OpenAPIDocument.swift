/// The API as OpenAPI 3.1 describes it, from the table that routes requests and from what the plugins say of themselves.
///
/// - Thread: any. Pure.
struct OpenAPIDocument {
    private struct Operation {
        var path: String
        var method: String
        var value: Value
    }

    /// - Parameters:
    ///   - commands: `{INSTANCE: {COMMAND: {"summary", "parameters", "result"}}}`, as `GET /v1/commands` has them.
    ///   - served: `[{"plugin", "method", "path", "summary"}]`, as `GET /plugins` has them.
    init(routes: [Route], commands: Value, served: Value) {
        var operations = routes.filter { !$0.isPlugins }.map(Self.operation)
        for instance in commands.members ?? [] {
            for command in instance.value.members ?? [] {
                operations.append(Self.operation(command.key, of: instance.key, command.value))
            }
        }
        for route in served.list ?? [] { operations += Self.operation(servedBy: route).map { [$0] } ?? [] }
        value = Self.document(operations)
    }

    let value: Value

    private static func document(_ operations: [Operation]) -> Value {
        var paths: [Value.Member] = []
        for operation in operations {
            let member = Value.Member(operation.method, operation.value)
            if let index = paths.firstIndex(where: { $0.key == operation.path }) {
                guard paths[index].value[operation.method] == nil else { continue }
                paths[index].value = .map((paths[index].value.members ?? []) + [member])
            } else {
                paths.append(.init(operation.path, .map([member])))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "mediahost", "version": .string(HostVersion.text),
                "description": "The control API of a media host. Texts hold no NUL. Every error is a problem document.",
            ],
            "servers": [["url": "/"]],
            // Either: by the unix socket nobody needs a token.
            "security": [[:], ["token": []]],
            "paths": .map(paths),
            "components": [
                "schemas": .map(OpenAPISchemas.all.map { .init($0.name, $0.schema) }),
                "responses": [
                    "Problem": [
                        "description": "why it was not carried out",
                        "content": [
                            "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
                        ],
                    ]
                ],
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "over TCP; one that may only look does for GET and HEAD",
                    ]
                ],
            ],
        ]
    }

    private static var problem: Value {
        ["$ref": "#/components/responses/Problem"]
    }

    // MARK: The host's own

    private static func operation(_ route: Route) -> Operation {
        let contract = route.contract
        var members: [Value.Member] = [
            .init("operationId", .string(identifier(route.method.rawValue, route.path))),
            .init("summary", .string(route.summary)), .init("tags", [.string(tag(of: route.path))]),
        ]
        let parameters =
            route.pathMembers.map { parameter($0, in: "path") } + contract.query.map { parameter($0, in: "query") }
            + contract.headers.map { parameter($0, in: "header") }
        if !parameters.isEmpty { members.append(.init("parameters", .list(parameters))) }
        switch contract.body {
        case .nothing: break
        case .parameters: members.append(.init("requestBody", requestBody(["type": "object"], isRequired: false)))
        case .members(let list):
            let schema: Value = .map(
                [
                    .init("type", "object"),
                    .init("properties", .map(list.map { .init($0.name, described($0)) })),
                ]
                    + (list.contains(where: \.isRequired)
                        ? [.init("required", .list(list.filter(\.isRequired).map { .string($0.name) }))] : [])
                    + [.init("additionalProperties", false)])
            members.append(.init("requestBody", requestBody(schema, isRequired: list.contains(where: \.isRequired))))
        }
        members.append(.init("responses", responses(contract.answer, goesOn: contract.goesOn)))
        return Operation(path: route.path, method: route.method.rawValue.lowercased(), value: .map(members))
    }

    private static func described(_ member: RouteMember) -> Value {
        let schema = OpenAPISchema.of(member, .json).members ?? []
        return .map(schema + [.init("description", .string(member.rule.summary))])
    }

    private static func parameter(_ member: RouteMember, in place: String) -> Value {
        [
            "name": .string(member.name), "in": .string(place), "required": .bool(place == "path" || member.isRequired),
            "description": .string(member.rule.summary), "schema": OpenAPISchema.of(member, .text),
        ]
    }

    private static func requestBody(_ schema: Value, isRequired: Bool) -> Value {
        ["required": .bool(isRequired), "content": ["application/json": ["schema": schema]]]
    }

    private static func responses(_ answer: RouteAnswer, goesOn: Bool) -> Value {
        var response: [Value.Member] = [.init("description", .string(answer.summary))]
        if !answer.contentTypes.isEmpty {
            response.append(
                .init("content", .map(answer.contentTypes.map { .init($0, ["schema": answer.schema]) })))
        }
        let job: Value = [
            "description": "it goes on: the job",
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Job"]]],
        ]
        return .map(
            [.init("\(answer.status)", .map(response))] + (goesOn ? [.init("202", job)] : [])
                + [.init("default", problem)])
    }

    // MARK: What plugins have

    private static func operation(_ command: String, of instance: String, _ value: Value) -> Operation {
        let body: Value
        var isRequired = false
        if let given = value["parameters"], let rule = try? SchemaReader.read(given, path: "") {
            body = OpenAPISchema.of(rule, .parameter)
            isRequired = body["required"] != nil
        } else {
            body = ["type": "object", "additionalProperties": false]
        }
        var answer = RouteAnswer(summary: "what the command answers", schema: [:])
        if let given = value["result"], let rule = try? SchemaReader.read(given, path: "") {
            answer.schema = OpenAPISchema.of(rule, .result)
        }
        return Operation(
            path: ControlClient.path("v1", "plugins", instance, "commands", command), method: "post",
            value: [
                "operationId": .string("\(instance).\(command)"), "summary": value["summary"] ?? "",
                "tags": [.string(instance)], "requestBody": requestBody(body, isRequired: isRequired),
                "parameters": [parameter(JobRoutes.patience, in: "query")],
                "responses": responses(answer, goesOn: true),
            ])
    }

    private static func operation(servedBy route: Value) -> Operation? {
        guard let plugin = route["plugin"]?.string, let method = route["method"]?.string,
            let path = route["path"]?.string
        else { return nil }
        let names = path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
        var members: [Value.Member] = [
            .init("operationId", .string(identifier(method, path))), .init("summary", route["summary"] ?? ""),
            .init("tags", [.string(plugin)]),
        ]
        if !names.isEmpty {
            members.append(
                .init(
                    "parameters",
                    .list(names.map { parameter(.path(String($0.dropFirst().dropLast())), in: "path") })))
        }
        // What a plugin answers is its own, errors included.
        members.append(
            .init("responses", ["default": ["description": "the plugin's answer", "content": ["*/*": [:]]]]))
        return Operation(path: path, method: method.lowercased(), value: .map(members))
    }

    // MARK: Names

    /// `get/v1/pipelines/{pipeline}` is `getPipelinesByPipeline`.
    private static func identifier(_ method: String, _ path: String) -> String {
        // What plugins serve is no part of the API's version.
        var text = method.lowercased() + (path.hasPrefix("/plugins") ? "Served" : "")
        for segment in path.split(separator: "/") where segment != "v1" {
            if segment.hasPrefix("{") { text += "By" }
            let words = segment.split { !$0.isLetter && !$0.isNumber }
            for word in words { text += word.prefix(1).uppercased() + word.dropFirst() }
        }
        if path.hasSuffix("/") { text += "Page" }
        return text == "get" ? "getIndex" : text
    }

    private static func tag(of path: String) -> String {
        let segments = path.split(separator: "/").filter { $0 != "v1" }
        let known = ["pipelines", "plugins", "events", "logs", "interrupt", "jobs"]
        return segments.first.map(String.init).flatMap { known.contains($0) ? $0 : nil } ?? "host"
    }
}
