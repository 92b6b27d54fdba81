import Testing

@testable import HostCore

@Suite struct ValueSchemaOverridesTests {
    private static let schema = #"""
        {"type":"object","properties":{
          "file":{"type":"string","format":"path"},"token":{"type":"string","format":"secret"},
          "camera":{"type":"string","format":"device"},"feed":{"type":"string","format":"uri"},
          "feeds":{"type":"array","items":{"type":"string","format":"uri"}},
          "sound":{"type":"object","properties":{"card":{"type":"string","format":"device"}}},
          "memory":{"type":"integer","format":"size","x-reserves":true},"title":{"type":"string"}}}
        """#

    /// There were formats for files and secrets alone, so whoever had the API could have a plugin open any device or address.
    @Test(arguments: [
        (#"{"file":"/etc/passwd"}"#, "\"file\" names a file: only the config may say it"),
        (#"{"token":"x"}"#, "\"token\" is a secret: only the config may say it"),
        (#"{"camera":"/dev/sda"}"#, "\"camera\" names a device: only the config may say it"),
        (#"{"feed":"file:///etc/passwd"}"#, "\"feed\" is a URI: only the config may say it"),
        (#"{"feeds":["http://x"]}"#, "\"feeds\" is a URI: only the config may say it"),
        (#"{"sound":{"card":"hw:1"}}"#, "\"sound.card\" names a device: only the config may say it"),
        (#"{"memory":"1GiB"}"#, "\"memory\" reserves memory: only the config may say it"),
        (#"{"title":"/dev/sda"}"#, nil),
    ])
    func whatOpensSomethingIsSaidByTheConfigAlone(_ text: String, _ expected: String?) throws {
        var problems = Problems()
        let entries = JSONReader.read(SourceFile(path: "request", text: text), into: &problems)?.entries
        let key = try #require(entries?.first)
        #expect(try ValueSchema(json: Self.schema).refusal(of: key)?.message == expected)
    }
}
