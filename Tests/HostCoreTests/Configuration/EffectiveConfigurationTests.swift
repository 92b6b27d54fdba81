import Testing

@testable import HostCore

@Suite struct EffectiveConfigurationTests {
    private func effective(_ text: String, plugin: Value? = nil) throws -> Value {
        let (configuration, problems) = ConfigurationLoader.load(
            SourceFile(path: "porch.yaml", text: text), environment: ["PATTERN": "ball"], catalog: TestCatalog())
        #expect(problems.isEmpty, "\(problems)")
        return EffectiveConfiguration { _ in plugin }.value(of: try #require(configuration))
    }

    @Test func whatIsNotWrittenHasItsDefault() throws {
        let value = try effective("{mediahost: 1, pipelines: {a: {launch: fakesrc ! fakesink, stall-timeout: 3s}}}")
        #expect(value["mediahost"] == 1 && value["notifications"] == "session")
        #expect(value["control"]?["stream-clients"] == 256 && value["login"]?["sleep"] == "delay")
        let pipeline = value["pipelines"]?["a"]
        #expect(pipeline?["stall-timeout"] == "3s" && pipeline?["start-timeout"] == "20s")
        #expect(pipeline?["autostart"] == true && pipeline?["background"]?["interrupted"] == "pause")
        #expect(pipeline?["warm-up"] == nil, "chosen by the source")
    }

    @Test func variablesAndTemplatesAreUsedUp() throws {
        let value = try effective(
            """
            mediahost: 1
            vars: { sink: fakesink }
            templates:
              t: { parameters: { name: { type: text } }, launch: "fakesrc name=${name} ! ${sink}", background: keep }
            pipelines:
              a: { template: t, with: { name: first }, settable: [first.num-buffers] }
            """)
        #expect(value["vars"] == nil && value["templates"] == nil)
        let pipeline = value["pipelines"]?["a"]
        #expect(pipeline?["launch"] == "fakesrc name=first ! fakesink", "\(value)")
        #expect(pipeline?["background"] == "keep" && pipeline?["settable"] == ["first.num-buffers"])
    }

    /// Only its schema knows which of a plugin's keys are secrets.
    @Test func keysOfAPluginAreShownAsItsSchemaSays() throws {
        let text = "{mediahost: 1, plugins: {p: {module: x, token: abc, last: 5s}}}"
        let plain = try effective(text)["plugins"]?["p"]
        #expect(plain?["module"] == "x" && plain?["policy"] == "disable")
        #expect(plain?["token"] == "***" && plain?["last"] == "***")
        let schema = try ValueSchema(
            json: #"""
                {"type": "object", "properties": {
                    "token": {"type": "string", "format": "secret"}, "last": {"type": "integer", "format": "duration"},
                    "list": {"type": "array", "items": {"type": "integer", "format": "size"}}}}
                """#)
        let shown = schema.rule.shown(["token": "abc", "last": 5_000_000_000, "list": [1024, 5]])
        #expect(shown == ["token": "***", "last": "5s", "list": ["1KiB", "5B"]])
        #expect(try effective(text, plugin: shown)["plugins"]?["p"]?["last"] == "5s")
    }
}
