/// The documents that several routes have in common, as JSON Schema.
enum OpenAPISchemas {
    // Computed: they are asked for rarely, and a leak checker does not see what a static `Value` holds.
    static var all: [(name: String, schema: Value)] {
        [
            ("Problem", problem), ("Playback", playback), ("Property", property), ("Routes", routes),
            ("PipelineList", pipelineList), ("PipelineRow", pipelineRow), ("Pipeline", pipeline),
            ("PluginRoutes", pluginRoutes), ("PluginList", pluginList), ("PluginRow", pluginRow),
            ("Configuration", configuration), ("PluginConfig", pluginConfig), ("Overrides", overrides),
            ("LogLines", logLines), ("LogLine", logLine), ("Event", event), ("Gap", gap), ("Job", job),
            ("JobList", jobList), ("Web", web), ("MediaURL", mediaURL),
        ]
    }

    private static var text: Value {
        ["type": "string"]
    }
    private static var whole: Value {
        ["type": "integer"]
    }
    private static var maybeWhole: Value {
        ["type": ["integer", "null"]]
    }

    private static func object(
        _ members: KeyValuePairs<String, Value>, required: [String], _ description: String
    ) -> Value {
        [
            "type": "object", "description": .string(description),
            "properties": .map(members.map { .init($0.key, $0.value) }),
            "required": .list(required.map { .string($0) }),
        ]
    }

    private static var problem: Value {
        object(
            [
                "type": text, "title": text, "detail": ["type": "string", "description": "for people: what to do"],
                "code": ["type": "string", "description": "for programs"],
                "field": [
                    "type": "string",
                    "description": "the member of the body or the query that is wrong, where it is one",
                ],
            ], required: ["detail", "code"], "why a request was not carried out (RFC 9457)")
    }

    private static var overview: KeyValuePairs<String, Value> {
        [
            "name": text, "state": ["enum": .list(PipelineCondition.allCases.map { .string($0.rawValue) })],
            "health": ["enum": .list(PipelineCondition.healths.map { .string($0) })],
            "reason": object(["code": text, "text": text], required: ["code", "text"], "why it is in this state"),
            "since_ns": ["type": "integer", "description": "how long it has been in this state"], "restarts": whole,
            "mode": text, "position_ns": maybeWhole,
        ]
    }
    private static var overviewKeys: [String] {
        overview.map(\.key)
    }

    private static var pipelineRow: Value {
        object(overview, required: overviewKeys, "a pipeline in short")
    }

    private static var pipelineList: Value {
        object(
            ["pipelines": ["type": "array", "items": ["$ref": "#/components/schemas/PipelineRow"]]],
            required: ["pipelines"], "all pipelines")
    }

    private static var pipeline: Value {
        [
            "allOf": [
                ["$ref": "#/components/schemas/PipelineRow"],
                object(
                    [
                        "launch": text, "autostart": ["type": "boolean"],
                        "elements": ["type": "array", "items": text],
                        "duration_ns": maybeWhole, "rate": ["type": ["number", "null"]],
                        "seekable": ["type": ["boolean", "null"]],
                        "settable": [
                            "type": "array",
                            "items": object(
                                ["property": text, "value": ["type": ["string", "null"]]],
                                required: ["property", "value"],
                                "what the config's `settable:` lists, with its value now"),
                        ],
                    ], required: ["launch", "elements", "settable"], "all that is known of it"),
            ]
        ]
    }

    private static var playback: Value {
        object(
            [
                "pipeline": text, "state": text, "mode": text, "next_mode": text, "position_ns": maybeWhole,
                "duration_ns": maybeWhole, "next_position_ns": maybeWhole, "rate": ["type": "number"],
                "seekable": ["type": "boolean"],
            ], required: ["pipeline", "state", "mode"], "where a pipeline plays")
    }

    private static var property: Value {
        object(
            [
                "property": text, "value": ["type": ["string", "null"]], "saved": saved, "reason": reason,
            ], required: ["property", "value"], "a property of an element, as a launch text says it; null: it has none")
    }

    private static var saved: Value {
        ["type": "boolean", "description": "where it was to be saved: whether it was; it holds in either case"]
    }
    private static var reason: Value {
        ["type": "string", "description": "why it was not saved"]
    }

    private static var pluginConfig: Value {
        object(
            ["plugin": text, "config": ["type": "object"], "saved": saved, "reason": reason],
            required: ["plugin", "config"], "the config of a plugin that runs")
    }

    private static var overrides: Value {
        object(
            [
                "file": ["type": ["string", "null"]],
                "settings": [
                    "type": "array",
                    "items": object(["key": text, "value": [:]], required: ["key", "value"], "a saved setting"),
                ],
            ], required: ["file", "settings"], "what was saved at run time")
    }

    private static var routes: Value {
        object(
            [
                "routes": [
                    "type": "array",
                    "items": object(
                        ["method": text, "path": text, "summary": text], required: ["method", "path", "summary"],
                        "a route"),
                ]
            ], required: ["routes"], "what the API has")
    }

    private static var pluginRoutes: Value {
        object(
            [
                "routes": [
                    "type": "array",
                    "items": object(
                        ["plugin": text, "method": text, "path": text, "summary": text],
                        required: ["plugin", "method", "path", "summary"], "a route"),
                ]
            ], required: ["routes"], "what plugins serve")
    }

    private static var pluginRow: Value {
        object(
            [
                "name": text, "module": text, "state": text,
                "reason": ["type": ["string", "null"], "description": "why it has failed, where it has"],
                "policy": text,
                "restarts": whole, "id": text, "version": text, "summary": text,
                "schema": ["description": "of its config, a small part of JSON Schema"], "config": ["type": "object"],
                "commands": ["type": "object"], "routes": ["type": "array"], "saved": saved, "save_reason": reason,
            ], required: ["name", "module", "state", "reason", "policy", "restarts"], "a plugin of the config")
    }

    private static var pluginList: Value {
        object(
            ["plugins": ["type": "array", "items": ["$ref": "#/components/schemas/PluginRow"]]], required: ["plugins"],
            "the plugins of the config")
    }

    private static var job: Value {
        object(
            [
                "id": text, "plugin": text, "command": text,
                "state": ["enum": .list(Job.State.allCases.map { .string($0.rawValue) })],
                "progress": ["type": ["number", "null"], "description": "0 to 1; null where the plugin does not say"],
                "text": text, "elapsed_ns": whole, "started": text,
                "result": ["description": "what the command answered, where it succeeded"],
                "error": ["$ref": "#/components/schemas/Problem"],
            ], required: ["id", "plugin", "command", "state", "progress", "text", "elapsed_ns", "started"],
            "a command that runs, or has ended")
    }

    private static var jobList: Value {
        object(
            ["jobs": ["type": "array", "items": ["$ref": "#/components/schemas/Job"]]], required: ["jobs"], "the jobs")
    }

    private static var configuration: Value {
        object(
            ["files": ["type": "array", "items": text], "config": ["type": "object"]], required: ["files", "config"],
            "the configuration that holds")
    }

    private static var logLine: Value {
        object(
            [
                "time": text, "monotonic_ns": whole, "level": text, "source": text, "text": text, "element": text,
                "code": text,
            ], required: ["time", "monotonic_ns", "level", "text"], "a line of the log")
    }

    private static var logLines: Value {
        object(
            ["lines": ["type": "array", "items": ["$ref": "#/components/schemas/LogLine"]]], required: ["lines"],
            "the last lines of the log")
    }

    private static var event: Value {
        object(
            [
                "name": text, "source": text, "payload": [:], "time": text, "monotonic_ns": whole, "cause": maybeWhole,
                "depth": whole, "truncated_bytes": whole,
            ], required: ["name", "source", "payload", "time", "monotonic_ns", "cause", "depth"], "what has happened")
    }

    private static var web: Value {
        object(
            ["url": ["type": "string", "description": "works once"], "port": whole, "expires_in_s": whole],
            required: ["url", "port", "expires_in_s"], "where the page is")
    }

    private static var mediaURL: Value {
        object(
            ["path": text, "url": text, "expires_in_s": whole], required: ["path", "url", "expires_in_s"],
            "an address that is read without a cookie")
    }

    private static var gap: Value {
        object(
            [
                "name": ["const": "gap"], "lost": maybeWhole,
                "reason": ["enum": ["slow", "expired", "restart", "unknown"]],
            ], required: ["name", "lost", "reason"], "a part of a stream that its client does not get")
    }
}
