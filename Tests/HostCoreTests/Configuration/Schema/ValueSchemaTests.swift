import Testing

@testable import HostCore

@Suite struct ValueSchemaTests {
    static let json = """
        {"type": "object", "required": ["video", "window"], "properties": {
          "video": {"type": "string", "format": "pad", "description": "the encoded stream"},
          "window": {"type": "integer", "format": "duration", "minimum": "1s", "maximum": "1h"},
          "memory": {"type": "integer", "format": "size", "default": "256MiB"},
          "mode": {"type": "string", "enum": ["fast", "exact"], "default": "fast"},
          "gain": {"type": "number", "minimum": 0, "maximum": 2},
          "count": {"type": "integer"},
          "loud": {"type": "boolean", "default": false},
          "tags": {"type": "array", "items": {"type": "string"}},
          "key": {"type": "string", "format": "secret", "default": "hush"},
          "inner": {"type": "object", "properties": {"delay": {"type": "integer", "format": "duration", "default": 0}}}
        }}
        """

    let names = KnownNames(
        pipelines: [("porch", ["camera", "encoded"]), ("garden", ["camera"])], instances: ["replay"])

    func resolve(_ yaml: String) throws -> (Value?, String) {
        let schema = try ValueSchema(json: Self.json)
        var found = Problems()
        let root = try #require(YAMLReader.read(SourceFile(path: "a.yaml", text: yaml), into: &found))
        let (value, diagnostics) = schema.resolve(root, names: names)
        return (value, DiagnosticRenderer().render(diagnostics))
    }

    @Test func valuesAreTypedAndDefaultsFilledIn() throws {
        let (value, text) = try resolve("window: 60s\nvideo: porch/encoded.src\ngain: 1\ntags: [a, 2]\nloud: true\n")
        #expect(text.isEmpty)
        #expect(
            value == [
                "video": "porch/encoded.src", "window": 60_000_000_000, "memory": 268_435_456, "mode": "fast",
                "gain": .double(1), "loud": true, "tags": ["a", "2"], "key": "hush", "inner": ["delay": 0],
            ])
    }

    /// YAML refuses them before; of values from elsewhere the last one holds, and nothing is as good as left out.
    @Test func ofKeysThatStandThereTwiceTheLastHolds() throws {
        let schema = try ValueSchema(json: Self.json)
        let value = try schema.resolve(
            .map([
                .init("window", "60s"), .init("video", "porch/encoded.src"), .init("count", 1), .init("gain", 1),
                .init("count", 2), .init("gain", .null), .init("mode", .null),
            ]), names: names)
        #expect(value["count"] == 2 && value["gain"] == .double(1) && value["mode"] == "fast")
    }

    @Test func everyProblemIsReportedInPlace() throws {
        let yaml = """
            vidoe: x
            window: 60
            memory: 1GIB
            mode: fest
            gain: 2.5
            count: many
            loud: yes
            tags: [a, [b]]
            inner: { delay: 1 lightyear, dly: 0 }
            """
        let (value, text) = try resolve(yaml)
        #expect(value == nil)
        #expect(
            text == """
                a.yaml:1:1: error: unknown key "vidoe"
                vidoe: x
                ^~~~~
                help: did you mean "video"?
                help: valid keys: video, window, memory, mode, gain, count, loud, tags, key, inner
                a.yaml:1:1: error: missing key "video"
                vidoe: x
                ^~~~~~~~
                help: video: the encoded stream
                a.yaml:2:9: error: window: "60" needs a unit
                window: 60
                        ^~
                help: a duration is a number and a unit: ns, us, ms, s, min or h
                a.yaml:3:9: error: memory: "1GIB" has an unknown unit "GIB"
                memory: 1GIB
                        ^~~~
                help: a size is a number and a unit: B, kB, MB, GB, TB (thousands) or KiB, MiB, GiB, TiB (1024s)
                a.yaml:4:7: error: "mode" cannot be "fest"
                mode: fest
                      ^~~~
                help: did you mean "fast"?
                help: valid: fast, exact
                a.yaml:5:7: error: "gain" must be at most 2.0, not 2.5
                gain: 2.5
                      ^~~
                a.yaml:6:8: error: "count" must be a whole number, not "many"
                count: many
                       ^~~~
                a.yaml:7:7: error: "loud" must be true or false, not "yes"
                loud: yes
                      ^~~
                help: did you mean "true"?
                a.yaml:8:11: error: "tags[1]" must be a text, not a list
                tags: [a, [b]]
                          ^~~
                a.yaml:9:17: error: inner.delay: "1 lightyear" has an unknown unit "lightyear"
                inner: { delay: 1 lightyear, dly: 0 }
                                ^~~~~~~~~~~
                help: a duration is a number and a unit: ns, us, ms, s, min or h
                a.yaml:9:30: error: unknown key "inner.dly"
                inner: { delay: 1 lightyear, dly: 0 }
                                             ^~~
                help: valid keys: delay

                """)
    }

    @Test(
        arguments: [
            ("porch/encodde.src", "video: no element \"encodde\" in pipeline \"porch\"", "porch/encoded.src"),
            ("proch/encoded.src", "video: no pipeline \"proch\"", "porch/encoded.src"),
            (
                "encoded.src",
                "video: \"encoded.src\" is not of the form pipeline/element.pad, as in porch/encoded.src", nil
            ),
        ] as [(String, String, String?)]) func referencesAreChecked(
            _ pad: String, _ message: String, _ nearest: String?
        ) throws
    {
        let schema = try ValueSchema(json: Self.json)
        let error = #expect(throws: ValueSchemaError.self) {
            try schema.resolve(["video": .string(pad), "window": "2s"], names: names)
        }
        #expect(error?.message == message)
        #expect(error?.suggestion == nearest)
    }

    @Test func parametersFromACommandLineAreConverted() throws {
        let schema = try ValueSchema(json: Self.json)
        let value = try schema.resolve(
            ["video": "a/b.c", "window": "5s", "count": "7", "loud": "true", "gain": .int(1), "memory": .int(0)])
        #expect(value["count"] == 7)
        #expect(value["loud"] == true)
        #expect(value["gain"] == .double(1))
        #expect(try schema.resolve(["video": "a/b.c", "window": "5s", "count": .double(7)])["count"] == 7)
    }

    @Test(
        arguments: [
            (["window": "5s"], "missing key \"video\""),
            (["video": "a/b.c", "window": 5], "window: \"5\" needs a unit"),
            (["video": "a/b.c", "window": "500ms"], "\"window\" must be at least 1s, not 500ms"),
            (
                ["video": "a/b.c", "window": "2s", "count": .double(7.5)],
                "\"count\" must be a whole number, not \"7.5\""
            ),
            (
                ["video": "a/b.c", "window": "2s", "count": .double(.nan)],
                "\"count\" must be a whole number, not \"nan\""
            ),
            (["video": "a/b.c", "window": "2s", "gain": "inf"], "\"gain\" must be a number, not \"inf\""),
            (["video": "a/b.c", "window": "2s", "x": 1], "unknown key \"x\""),
            ("text", "this must be a map, not \"text\""),
        ] as [(Value, String)]) func wrongParametersNameTheKey(_ value: Value, _ message: String) throws
    {
        let schema = try ValueSchema(json: Self.json)
        let error = #expect(throws: ValueSchemaError.self) { try schema.resolve(value) }
        #expect(error?.message == message)
    }

    @Test func keysDescribeThemselves() throws {
        let keys = try ValueSchema(json: Self.json).keys
        #expect(
            keys.first
                == SchemaKey(
                    path: "video", type: "pad", summary: "the encoded stream", isRequired: true, defaultText: nil,
                    choices: [], isSecret: false))
        #expect(keys.map(\.type).contains("list of text"))
        #expect(keys.first { $0.path == "key" }?.defaultText == "***")
        #expect(keys.last?.path == "inner.delay")
        #expect(keys.first { $0.path == "memory" }?.defaultText == "256MiB")
    }

    @Test(arguments: [
        (#""minimum":1000000000"#, "at least 1s"), (#""maximum":2000000000"#, "at most 2s"),
        (#""minimum":0,"maximum":2000000000"#, "0 to 2s"), (#""default":1"#, nil),
        (#""minimum":1"#, "more than 0"),
    ]) func limitsAreWrittenAsAUserWould(_ limits: String, _ text: String?) throws {
        let schema = try ValueSchema(
            json: #"{"type":"object","properties":{"a":{"type":"integer","format":"duration",\#(limits)}}}"#)
        #expect(schema.keys.first?.limits == text)
    }

    @Test(
        arguments: [
            ("{", "(text)", nil),
            ("[]", "(top)", "a schema must be an object"),
            (#"{"type":"objekt"}"#, "type", "must be one of object, array, string, integer, number, boolean"),
            (
                #"{"type":"object","propertys":{}}"#, "(top)",
                #"unknown keyword "propertys"; did you mean "properties"?"#
            ),
            (
                #"{"type":"object","properties":{"a":{"type":"string","format":"duration"}}}"#, "properties.a.format",
                #""duration" goes with type "integer""#
            ),
            (
                #"{"type":"object","properties":{"a":{"type":"integer","default":"x"}}}"#, "properties.a.default",
                #"this must be a whole number, not "x""#
            ),
            (#"{"type":"object","required":["b"]}"#, "required", "names a key that properties do not have"),
            (#"{"type":"array"}"#, "items", "an array needs items"),
            (#"{"type":"string","minimum":1}"#, "minimum", "goes with numbers"),
            (#"{"type":"integer","minimum":3,"maximum":1}"#, "maximum", "is below minimum"),
            (#"{"type":"integer","maximum":1,"default":2}"#, "default", "this must be at most 1, not 2"),
            (#"{"type":"string","enum":[]}"#, "enum", "must be a list with values"),
            (
                #"{"type":"object","additionalProperties":true}"#, "additionalProperties",
                "only false is supported: unknown keys are always errors"
            ),
        ] as [(String, String, String?)]) func brokenSchemaNamesTheSpot(
            _ json: String, _ path: String, _ message: String?
        )
    {
        let error = #expect(throws: ValueSchema.Broken.self) { try ValueSchema(json: json) }
        #expect(error?.path == path)
        if let message { #expect(error?.message == message) }
    }
}
