/// What a route answers when all is well. What it answers when it is not is the same everywhere: a problem document.
struct RouteAnswer: Sendable {
    var status = 200
    /// For people.
    var summary = "done"
    /// Empty: no body.
    var contentTypes = ["application/json"]
    /// Of the body, as JSON Schema. References are to `OpenAPISchemas`.
    var schema: Value = ["type": "object"]

    /// Any JSON object.
    static var object: RouteAnswer {
        RouteAnswer()
    }

    /// One of `OpenAPISchemas`.
    static func named(_ schema: String, _ summary: String) -> RouteAnswer {
        RouteAnswer(summary: summary, schema: ["$ref": .string("#/components/schemas/\(schema)")])
    }

    /// A stream of server-sent events, whose data is one of `OpenAPISchemas`.
    static func events(_ schema: String, _ summary: String) -> RouteAnswer {
        RouteAnswer(
            summary: "\(summary); the data of each is a \(schema) or a Gap", contentTypes: ["text/event-stream"],
            schema: ["type": "string"])
    }

    static func text(_ contentType: String, _ summary: String) -> RouteAnswer {
        RouteAnswer(summary: summary, contentTypes: [contentType], schema: ["type": "string"])
    }

    static func bytes(_ contentTypes: [String], _ summary: String) -> RouteAnswer {
        RouteAnswer(summary: summary, contentTypes: contentTypes, schema: [:])
    }
}
