import HostCore
import Testing

@testable import PluginKit
@testable import ReplayBuffer

/// The keys are an interface: a renamed one, another unit or another default breaks the configs and scripts of users.
@Suite struct ReplaySchemaTests {
    /// Every key by its path, with each keyword but the texts.
    private func keys(_ schema: Value, _ path: String = "") throws -> [String: Value] {
        var all: [String: Value] = [:]
        let required = schema["required"]?.list ?? []
        for property in try #require(schema["properties"]?.members) {
            let inner = path + property.key
            let dropped = ["description", "properties", "required", "additionalProperties", "minimum"]
            var members = try #require(property.value.members).filter { !dropped.contains($0.key) }
            members.append(.init("required", .bool(required.contains(.string(property.key)))))
            all[inner] = .map(members.sorted { $0.key < $1.key })
            if property.value["properties"] != nil {
                all.merge(try keys(property.value, inner + ".")) { first, _ in first }
            }
        }
        return all
    }

    private func expect(_ text: String?, equals pinned: String, results: Bool = false) throws {
        let text = try #require(text)
        _ = try ValueSchema(json: text)
        var found = try keys(try JSONText.parse(text))
        var expected = try keys(try JSONText.parse(pinned))
        if results {
            // The pinned text says nothing of which keys a result always has.
            func open(_ key: Value) -> Value { .map((key.members ?? []).filter { $0.key != "required" }) }
            found = found.mapValues(open)
            expected = expected.mapValues(open)
        }
        #expect(found == expected)
        #expect(!text.contains(#""description":"""#))
    }

    @Test func config() throws {
        try expect(ReplaySettings.fields.schemaText, equals: Self.config)
        let defaults = try ValueSchema(json: try #require(ReplaySettings.fields.schemaText))
            .resolve(["video": "a/b.src"])
        #expect(
            defaults == [
                "video": "a/b.src", "audio": [], "window": 60_000_000_000, "storage": "memory", "memory": 268_435_456,
                "size": 1_073_741_824,
            ])
    }

    @Test func save() throws {
        try expect(SaveRequest.fields.schemaText, equals: Self.saveParameters)
        try expect(SavedClip.fields.schemaText, equals: Self.saveResult, results: true)
    }

    @Test func status() throws {
        try expect(BufferReport.fields.schemaText, equals: Self.statusResult, results: true)
    }

    private static let config = """
        {
          "type": "object",
          "properties": {
            "video": {
              "type": "string", "format": "pad",
              "description": "The pad whose encoded video is kept: pipeline/element.pad"
            },
            "audio": {
              "type": "array", "items": { "type": "string", "format": "pad" }, "default": [],
              "description": "Pads of the same pipeline whose sound is kept with it, 31 at most"
            },
            "output": { "type": "string", "format": "element" },
            "output-audio": { "type": "string", "format": "element" },
            "window": {
              "type": "integer", "format": "duration", "default": "60s",
              "description": "How much is kept at least, once it was recorded; whole GOPs, so usually a little more"
            },
            "storage": { "type": "string", "enum": ["memory", "memfd", "disk"], "default": "memory" },
            "size": { "type": "integer", "format": "size", "default": "1GiB" },
            "memory": {
              "type": "integer", "format": "size", "x-reserves": true, "default": "256MiB",
              "description": "What is kept never takes more than this; then it covers less than window"
            }
          },
          "required": ["video"],
          "additionalProperties": false
        }
        """

    private static let saveParameters = """
        {
          "type": "object",
          "properties": {
            "last": {
              "type": "integer", "format": "duration",
              "description": "How much; the clip begins at the key frame before, so it is a little longer. All if left out"
            },
            "from": { "type": "integer", "format": "duration" },
            "until": { "type": "integer", "format": "duration" },
            "marker": { "type": "string" },
            "gaps": { "type": "string", "enum": ["keep", "close", "restore"], "default": "keep" },
            "exact": { "type": "boolean", "default": false },
            "no-overlap": { "type": "boolean", "default": false },
            "to": { "type": "string", "format": "path", "description": "The file; .mkv, .mp4 or .ts" },
            "overwrite": { "type": "boolean", "default": false, "description": "Replace a file of that name" }
          },
          "required": ["to"],
          "additionalProperties": false
        }
        """

    private static let saveResult = """
        {
          "type": "object",
          "properties": {
            "path": { "type": "string" },
            "first_pts": { "type": "integer", "description": "Media time of the first frame, in nanoseconds" },
            "end": { "type": "integer" },
            "duration": { "type": "integer", "format": "duration" },
            "hidden_frames": { "type": "integer" },
            "audio_frames": { "type": "integer" },
            "audio_left_out": { "type": "integer" },
            "frames": { "type": "integer" },
            "bytes": { "type": "integer", "format": "size", "description": "Size of the file" },
            "key_frames": { "type": "integer" },
            "complete": { "type": "boolean", "description": "Whether it covers all that was asked for" },
            "starts_at": {
              "type": "string", "enum": ["format-change", "buffer-start"],
              "description": "Why it is not complete: nothing older is kept, or the older part has other caps"
            }
          }
        }
        """

    private static let statusResult = """
        {
          "type": "object",
          "properties": {
            "frames": { "type": "integer" },
            "gops": { "type": "integer" },
            "bytes": { "type": "integer", "format": "size" },
            "capacity": { "type": "integer", "format": "size" },
            "window": { "type": "integer", "format": "duration" },
            "oldest": { "type": "integer", "description": "Media time of the oldest frame, in nanoseconds" },
            "newest": { "type": "integer", "description": "Media time of the newest end, in nanoseconds" },
            "duration": { "type": "integer", "format": "duration" },
            "waiting": { "type": "integer" },
            "saves": { "type": "integer", "description": "Saves that run now" },
            "dropped": {
              "type": "object",
              "properties": {
                "before_key_frame": { "type": "integer" },
                "oversized_gops": { "type": "integer" },
                "oversized_frames": { "type": "integer" },
                "held_gops": { "type": "integer" },
                "held_frames": { "type": "integer" }
              }
            }
          }
        }
        """
}
