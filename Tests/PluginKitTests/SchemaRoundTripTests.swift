import HostCore
import HostTestKit
import Testing

@testable import PluginKit

/// The host reads what the kit writes: one declaration, both sides.
@Suite struct SchemaRoundTripTests {
    private func schema() throws -> ValueSchema {
        try ValueSchema(json: try #require(Everything.fields.schemaText))
    }

    private func decoded(_ value: Value) throws -> Everything {
        let fake = FakeHost()
        let table = FakeHostValues.table(of: fake)
        return try Everything.decode(fake.lend(value) { PluginValue(copying: $0, with: table) })
    }

    @Test func hostFillsInTheSameDefaults() throws {
        let resolved = try schema().resolve(["video": "cam/encoded.src"])
        #expect(resolved["window"]?.int == 60_000_000_000)
        #expect(resolved["memory"]?.int == 256 << 20)
        #expect(resolved["size"]?["height"]?.int == 480)
        #expect(try decoded(resolved) == .plain)
    }

    @Test func whatUsersWriteArrivesTyped() throws {
        let resolved = try schema().resolve([
            "video": "a/b.c", "window": "1.5s", "memory": "8KiB", "mode": "fast", "gain": "2", "on": "false",
            "steps": ["2s", "3min"], "sizes": ["1B"], "size": ["width": "1"], "points": [["x": "0.5"]],
            "ratio": "4:3", "port": "8080",
        ])
        var expected = Everything.plain
        expected.video = "a/b.c"
        expected.window = .milliseconds(1500)
        expected.memory = .kibibytes(8)
        expected.mode = .fast
        expected.gain = 2
        expected.on = false
        expected.steps = [.seconds(2), .seconds(180)]
        expected.sizes = [.bytes(1)]
        expected.size = .init(width: 1, height: 480)
        expected.points = [.init(x: 0.5, label: nil)]
        expected.ratio = .init(over: 4, under: 3)
        expected.port = 8080
        #expect(try decoded(resolved) == expected)
    }

    @Test func hostRefusesWhatTheKitWould() throws {
        let schema = try schema()
        for (key, value) in [
            ("count", "6"), ("window", "1us"), ("memory", "1B"), ("mode", "slow"), ("port", "65536"), ("gain", "2.5"),
            ("video", "nothing"), ("steps", "1s"),
        ] {
            #expect(throws: ValueSchemaError.self, "\(key)=\(value)") {
                try schema.resolve(
                    .map(
                        [.init("video", "a/b.c"), .init(key, .string(value))].filter {
                            key != "video" || $0.value != "a/b.c"
                        }))
            }
        }
        #expect(throws: ValueSchemaError.self) { try schema.resolve([:]) }
    }

    @Test func helpHasDefaultsAndDescriptions() throws {
        let keys = Dictionary(uniqueKeysWithValues: try schema().keys.map { ($0.path, $0) })
        let window = try #require(keys["window"])
        #expect(window.type == "duration" && window.defaultText == "1min" && window.summary == "A duration")
        #expect(keys["video"]?.isRequired == true)
        #expect(keys["mode"]?.choices == ["fast", "very-slow"])
        #expect(keys["token"]?.defaultText == "***")
        #expect(keys["size.width"]?.defaultText == "640")
    }
}
