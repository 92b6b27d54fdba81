import Testing

@testable import HostCore

/// What a plugin is given that is only asked for its commands, and what it may answer.
@Suite struct CommandSurveyTests {
    @Test func nothingOfTheUsersIsNamed() throws {
        let schema = try ValueSchema(
            json: """
                {"type":"object","properties":{
                "window":{"type":"integer","format":"duration"},"memory":{"type":"integer","format":"size","x-reserves":true},
                "file":{"type":"string","format":"path"},"device":{"type":"string","format":"device"},
                "uri":{"type":"string","format":"uri"},"key":{"type":"string","format":"secret"},
                "video":{"type":"string","format":"pad"},"of":{"type":"string","format":"instance"},
                "mode":{"type":"string"},"list":{"type":"array","items":{"type":"string"}},
                "inner":{"type":"object","properties":{"file":{"type":"string","format":"path"}}}}}
                """)
        let config = try schema.resolve([
            "window": "5s", "memory": "1MiB", "file": "/data/ring", "key": "k", "mode": "loud", "list": ["a"],
            "inner": ["file": "/data/ring"],
        ])
        #expect(CommandSurvey.harmless(schema.rule, config) == ["window": "5s", "mode": "loud"])
    }

    @Test func theLastLineOfOursCounts() throws {
        let schema = #"{\"type\":\"object\",\"properties\":{\"words\":{\"type\":\"string\"}}}"#
        let text = """
            noise
            commands []
            commands [{"name":"say","summary":"says","parameters":"\(schema)"},{"name":"hush","summary":"does not","parameters":null}]
            more noise

            """
        let commands = try #require(CommandSurvey.read(Array(text.utf8), of: "echo"))
        #expect(commands.map(\.name) == ["say", "hush"])
        #expect(commands[0].parameters != nil && commands[1].parameters == nil)
        for broken in ["", "commands [{}]", "commands {", #"commands [{"name":"a","summary":"b","parameters":"{"}]"#] {
            #expect(CommandSurvey.read(Array(broken.utf8), of: "echo") == nil, "\(broken)")
        }
    }
}
