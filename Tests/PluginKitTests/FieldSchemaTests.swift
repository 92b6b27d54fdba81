import HostCore
import Testing

@testable import PluginKit

/// What is told to the host about each type of field.
@Suite struct FieldSchemaTests {
    private struct One<Value: FieldValue>: Sendable {
        let value: Value
    }

    private func schema<Value: FieldValue>(
        _: Value.Type, default value: Value? = nil, limits: Limits<Value.Bound>? = nil
    ) -> String {
        Field("x", \One<Value>.value, default: value, limits: limits, "").schema.json
    }

    @Test func eachTypeHasItsSchema() {
        #expect(schema(Bool.self) == #"{"type":"boolean"}"#)
        #expect(schema(Int.self, default: 7) == #"{"type":"integer","default":7}"#)
        #expect(schema(Int64.self) == #"{"type":"integer"}"#)
        #expect(schema(UInt8.self) == #"{"type":"integer","minimum":0,"maximum":255}"#)
        #expect(
            schema(Int32.self, limits: .atLeast(0)) == #"{"type":"integer","minimum":0,"maximum":2147483647}"#)
        #expect(schema(Double.self, default: 0.25) == #"{"type":"number","default":0.25}"#)
        #expect(schema(String.self, default: "a") == #"{"type":"string","default":"a"}"#)
        #expect(
            schema(Everything.Mode.self, default: .fast)
                == #"{"type":"string","enum":["fast","very-slow"],"default":"fast"}"#)
        #expect(
            schema(Duration.self, default: .seconds(60), limits: .range(.milliseconds(5) ... .seconds(90)))
                == #"{"type":"integer","format":"duration","minimum":"5ms","maximum":"90s","default":"60s"}"#)
        #expect(
            schema(ByteSize.self, default: .mebibytes(256), limits: .atMost(.gibibytes(1)))
                == #"{"type":"integer","format":"size","maximum":"1GiB","default":"256MiB"}"#)
        #expect(schema(PadName.self) == #"{"type":"string","format":"pad"}"#)
        #expect(schema(ElementName.self) == #"{"type":"string","format":"element"}"#)
        #expect(schema(PipelineName.self) == #"{"type":"string","format":"pipeline"}"#)
        #expect(schema(InstanceName.self) == #"{"type":"string","format":"instance"}"#)
        #expect(schema(PathName.self, default: "/x") == #"{"type":"string","format":"path","default":"/x"}"#)
        #expect(schema(DeviceName.self, default: "hw:1") == #"{"type":"string","format":"device","default":"hw:1"}"#)
        #expect(schema(ResourceAddress.self) == #"{"type":"string","format":"uri"}"#)
        #expect(schema(Secret.self) == #"{"type":"string","format":"secret"}"#)
        #expect(schema(Everything.Ratio.self) == #"{"type":"string"}"#)
        #expect(
            schema([Duration].self, default: [.seconds(1)], limits: .atLeast(.zero))
                == #"{"type":"array","items":{"type":"integer","format":"duration","minimum":"0s"},"default":["1s"]}"#)
        #expect(schema(Int?.self, limits: .atLeast(1)) == #"{"type":"integer","minimum":1}"#)
        #expect(
            schema(Everything.Point.self)
                == #"{"type":"object","properties":{"x":{"type":"number"},"label":{"type":"string"}},"#
                + #""required":["x"],"additionalProperties":false}"#)
    }

    @Test func requiredIsWhatHasNeitherDefaultNorOptional() {
        #expect(Field("x", \One<Int>.value, "").isRequired)
        #expect(!Field("x", \One<Int>.value, default: 1, "").isRequired)
        #expect(!Field("x", \One<Int?>.value, "").isRequired)
        #expect(Field("x", \One<[Int]>.value, "").isRequired)
        #expect(Field("x", \One<Everything.Point>.value, "").isRequired)
        #expect(!Field("x", \One<Everything.Size>.value, "").isRequired)
    }

    @Test func sizesMayReserve() {
        #expect(
            Field("x", \One<ByteSize>.value, reserves: true, "Kept").schema.json
                == #"{"type":"integer","format":"size","x-reserves":true,"description":"Kept"}"#)
    }

    @Test func resultsSayHowTheyAreShown() {
        #expect(
            Field("x", \One<Int64?>.value, shownAs: .endTime, "Over").schema.json
                == #"{"type":"integer","format":"end-time","description":"Over"}"#)
        #expect(!Field("x", \One<Int64?>.value, shownAs: .time, "").isRequired)
        #expect(Field("x", \One<Double>.value, shownAs: .progress, "").isRequired)
        #expect(JobList.fields.fault == nil)
        let text = JobList.fields.schema.json
        #expect(
            text.contains(#""x-columns":["name","progress","ends_at"],"description":"What is under way""#), "\(text)")
        #expect(
            text.contains(
                #""ends_at":{"type":"integer","format":"end-time","description":"When it is over: a ring goes on to it by itself"}"#
            ),
            "\(text)")
    }

    private struct Twice: PluginRecord {
        let one, other: Int
        static let fields = Fields(Twice.init, Field("x", \.one, ""), Field("x", \.other, ""))
    }

    @Test func aKeyThatStandsTwiceIsFound() {
        #expect(Twice.fields.fault == "key \"x\" is declared twice")
        #expect(Everything.fields.fault == nil)
    }

    private struct Odd: PluginRecord {
        let gains: [Double]
        static let fields = Fields(Odd.init, Field("gains", \.gains, default: [1, .nan], ""))
    }

    @Test func aDefaultThatIsNoNumberIsFound() {
        #expect(Odd.fields.fault == "the default of key \"gains\" is not a finite number")
    }

    @Test func nothingToTakeIsNoSchema() {
        #expect(NoFields.fields.schemaText == nil)
        #expect(NoFields().pluginValue == [:])
    }

    @Test(
        arguments: [
            (.zero, "0s"), (.seconds(7200), "7200s"), (.milliseconds(1500), "1500ms"), (.microseconds(3), "3us"),
            (.nanoseconds(1), "1ns"), (.seconds(-1), "-1s"),
        ] as [(Duration, String)])
    func durationIsWritten(_ duration: Duration, _ text: String) throws {
        #expect(duration.literal == .string(text))
        if duration >= .zero { #expect(try Quantity.duration(text) == duration.wholeNanoseconds) }
    }

    @Test(
        arguments: [
            (.bytes(0), "0B"), (.bytes(1), "1B"), (.bytes(4000), "4kB"), (.kibibytes(4), "4KiB"),
            (.mebibytes(1536), "1536MiB"), (.gibibytes(2), "2GiB"), (.bytes(1_000_001), "1000001B"),
            (.gibibytes(.max), "\(Int.max)B"),
        ] as [(ByteSize, String)])
    func sizeIsWritten(_ size: ByteSize, _ text: String) throws {
        #expect(size.description == text)
        #expect(try Quantity.size(text) == Int64(size.bytes))
    }

    @Test func jsonIsEscaped() throws {
        #expect(JSONWriter.text("\u{0}") == #""\u0000""#)
        let hostile = "\"quoted\" \\ back\nline\r\ttab \u{1}\u{1f}\u{7f}\u{9b} größe 名 🎬 \u{2028}</x>"
        let text = JSONWriter.text([hostile: [.string(hostile), .double(.infinity), .double(1e300), .int(.min), nil]])
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) })
        #expect(text.contains(#"\"quoted\" \\ back\nline\r\ttab \u0001\u001f\u007f\u009b größe 名 🎬"#))
        // The host's own parser, which shares nothing with the writer. (Its strings end at a NUL.)
        let read = try JSONText.parse(text)
        #expect(
            read
                == .map([.init(hostile, [.string(hostile), .null, .double(1e300), .int(.min), .null])]))
    }

    @Test func secretsAreNotShown() {
        let secret: Secret = "hush"
        var dumped = ""
        dump([secret], to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(Everything.plain) \(dumped)".contains("hush"))
    }
}
