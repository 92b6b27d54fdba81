import PluginKit
import Testing

/// What arrives in the struct, and what is said where it does not fit.
@Suite struct FieldReadingTests {
    private func failure(_ members: [String: PluginValue]) -> String? {
        var all = members
        all["video"] = all["video"] ?? "cam/encoded.src"
        return message(Everything.self, .map(all.map { .init($0.key, $0.value) }))
    }

    private func message<Record: PluginRecord>(_: Record.Type, _ value: PluginValue) -> String? {
        do throws(PluginError) {
            _ = try Record.decode(value)
            return nil
        } catch {
            #expect(error.code == .invalid)
            return error.message
        }
    }

    @Test func absentKeysHaveTheirDefaults() throws {
        #expect(try Everything.decode(["video": "cam/encoded.src"]) == .plain)
        #expect(try Everything.decode(["video": "cam/encoded.src", "count": nil, "other": nil]) == .plain)
    }

    @Test func eachTypeIsRead() throws {
        let value: PluginValue = [
            "on": false, "count": 5, "port": 8080, "gain": 2, "title": "t", "mode": "fast", "window": 1_500_000_000,
            "memory": 8192, "video": "a/b.c", "camera": "a/b", "pipeline": "a", "other": "o", "file": "f",
            "token": "s", "ratio": "4:3", "steps": [2_000_000_000], "sizes": [1, 2], "size": ["width": 1],
            "points": [["x": 0.5, "label": "l"]],
        ]
        let expected = Everything(
            on: false, count: 5, port: 8080, gain: 2, title: "t", mode: .fast, window: .milliseconds(1500),
            memory: .kibibytes(8), video: "a/b.c", camera: "a/b", pipeline: "a", other: "o", file: "f", token: "s",
            ratio: .init(over: 4, under: 3), steps: [.seconds(2)], sizes: [.bytes(1), .bytes(2)],
            size: .init(width: 1, height: 480), points: [.init(x: 0.5, label: "l")])
        #expect(try Everything.decode(value) == expected)
        #expect(try Everything.decode(expected.pluginValue) == expected)
        #expect(try Everything.decode(Everything.plain.pluginValue) == .plain)
    }

    @Test(
        arguments: [
            ("on", 1, "must be true or false, not 1"), ("count", "3", #"must be a whole number, not "3""#),
            ("count", 0, "must be at least 1, not 0"), ("count", 6, "must be at most 5, not 6"),
            ("count", 2.0, "must be a whole number, not 2.0"),
            ("port", -1, "must be a whole number from 0 to 65535, not -1"),
            ("port", 65536, "must be a whole number from 0 to 65535, not 65536"),
            ("gain", true, "must be a number, not true"), ("gain", .double(.nan), "must be a number, not null"),
            ("gain", 2.5, "must be at most 2.0, not 2.5"), ("title", [], "must be a text, not a list"),
            ("mode", "slow", #"must be one of "fast", "very-slow", not "slow""#),
            ("window", "60s", #"must be a duration, not "60s""#),
            ("window", 1000, "must be at least 1ms, not 1us"), ("memory", [:], "must be a size, not a map"),
            ("memory", 1, "must be at least 4KiB, not 1B"), ("video", 1, "must be a text, not 1"),
            ("pipeline", false, "must be a text, not false"), ("token", 12, "must be a text, not 12"),
            ("ratio", "16/9", "must be WIDTH:HEIGHT, as in 16:9"), ("steps", 1, "must be a list, not 1"),
            ("size", 1, "must be a map, not 1"),
        ] as [(String, PluginValue, String)])
    func wrongValueNamesItsKey(_ key: String, _ value: PluginValue, _ problem: String) {
        #expect(failure([key: value]) == "\"\(key)\" \(problem)")
    }

    @Test func innerKeysHaveTheirPath() {
        #expect(failure(["steps": [1_000_000_000, "x"]]) == #""steps[1]" must be a duration, not "x""#)
        #expect(failure(["steps": [1]]) == #""steps" must be at least 1s, not 1ns"#)
        #expect(
            failure(["size": ["height": 70000]]) == #""size.height" must be a whole number from 0 to 65535, not 70000"#)
        #expect(failure(["points": [["x": 1], ["label": "l"]]]) == #""points[1].x" is missing"#)
    }

    @Test func missingKeyIsNamed() {
        #expect(message(Everything.self, [:]) == #""video" is missing"#)
        #expect(message(Everything.self, nil) == #""video" is missing"#)
        #expect(message(Everything.self, [1]) == "must be a map, not a list")
    }

    private struct Span: PluginRecord {
        let from, to: Duration

        init(from: Duration, to: Duration) throws(PluginError) {
            guard from <= to else { throw PluginError("from must not be after to", code: .invalid) }
            (self.from, self.to) = (from, to)
        }

        static let fields = Fields(Span.init, Field("from", \.from, ""), Field("to", \.to, ""))
    }

    private struct Outer: PluginRecord {
        let span: Span
        static let fields = Fields(Outer.init, Field("span", \.span, ""))
    }

    @Test func recordsOwnInitialiserMayRefuse() throws {
        #expect(message(Span.self, ["from": 2, "to": 1]) == "from must not be after to")
        #expect(message(Outer.self, ["span": ["from": 2, "to": 1]]) == #""span": from must not be after to"#)
        #expect(try Span.decode(["from": 1, "to": 2]).to == .nanoseconds(2))
    }

    private struct Swapped: PluginRecord {
        let left, right: Int
        static let fields = Fields(Swapped.init, Field("right", \.right, ""), Field("left", \.left, ""))
    }

    private struct HalfSwapped: PluginRecord {
        let left: Int
        let right: Int?
        init(_ left: Int?, _ right: Int?) { (self.left, self.right) = (left ?? 0, right) }
        static let fields = Fields(HalfSwapped.init, Field("right", \.right, ""), Field("left", \.left, ""))
    }

    /// The compiler cannot tell them apart: both are numbers.
    @Test func fieldsInAnotherOrderThanTheInitialiserAreFound() {
        #expect(message(Swapped.self, ["left": 1, "right": 2])?.contains("fields stand in another order") == true)
        #expect(message(HalfSwapped.self, ["left": 1, "right": 2])?.contains("fields stand in another order") == true)
    }
}
