import HostTestKit
import Testing

@testable import HostCore

@Suite struct TrialSettingsTests {
    private static let schemas = [
        #"{"type":"object"}"#,
        #"{"type":"object","required":["a"],"properties":{"a":{"type":"string","format":"pad"},"b":{"type":"boolean"}}}"#,
        #"""
        {"type":"object","required":["window","inner"],"properties":{
          "window":{"type":"integer","format":"duration","minimum":"1s"},
          "memory":{"type":"integer","format":"size","x-reserves":true,"minimum":1048576,"default":"64MiB"},
          "count":{"type":"integer","minimum":-3,"maximum":7},"any":{"type":"integer"},
          "level":{"type":"number","minimum":0,"maximum":1},"free":{"type":"number"},
          "mode":{"type":"string","enum":["a","b"]},"text":{"type":"string"},"secret":{"type":"string","format":"secret"},
          "file":{"type":"string","format":"path"},
          "device":{"type":"string","format":"device"},"uri":{"type":"string","format":"uri"},"list":{"type":"array","items":{"type":"string"}},
          "inner":{"type":"object","required":["x"],"properties":{"x":{"type":"integer","format":"duration"}}}}}
        """#,
    ]

    private static var names: KnownNames {
        KnownNames(
            pipelines: TrialPipelines.descriptions(encoded: true).map {
                ($0.name, $0.launch.named().elements.map(\.name))
            },
            instances: ["tried"])
    }

    @Test(arguments: schemas) func plainSettingsFit(_ text: String) throws {
        let schema = try ValueSchema(json: text)
        _ = try schema.resolve(TrialSettings(directory: "/tmp").plain(schema.rule), names: Self.names)
    }

    @Test(arguments: schemas) func validSettingsFitAndInvalidOnesDoNot(_ text: String) throws {
        let schema = try ValueSchema(json: text)
        let settings = TrialSettings(directory: "/tmp")
        let campaign = Campaign(rounds: 300)
        var random = TrialRandom(seed: campaign.seed)
        for _ in 0..<campaign.rounds {
            let valid = settings.valid(schema.rule, &random)
            #expect(throws: Never.self, "\(campaign.note)") { try schema.resolve(valid, names: Self.names) }
            guard let invalid = settings.invalid(schema.rule, &random) else { continue }
            #expect(throws: ValueSchemaError.self, "\(invalid), \(campaign.note)") {
                try schema.resolve(invalid, names: Self.names)
            }
        }
    }

    @Test func bothPipelinesHaveEveryPad() {
        for encoded in [false, true] {
            let descriptions = TrialPipelines.descriptions(encoded: encoded)
            #expect(descriptions.map(\.name) == ["video", "audio"])
            for description in descriptions {
                let names = description.launch.named().elements.map(\.name)
                #expect(Set(["source", "raw", "encoded"]).isSubset(of: names))
            }
        }
    }
}
