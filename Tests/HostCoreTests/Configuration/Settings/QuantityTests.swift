import Testing

@testable import HostCore

@Suite struct QuantityTests {
    @Test(
        arguments: [
            ("0", 0), ("0.0", 0), ("500ms", 500_000_000), ("1s", 1_000_000_000), ("1.5min", 90_000_000_000),
            ("2h", 7_200_000_000_000), ("250us", 250_000), ("10ns", 10), ("1 s", 1_000_000_000), ("0.000000001s", 1),
            ("2562047h", 2_562_047 * 3_600_000_000_000), ("9223372036854775807ns", Int64.max),
            ("1.0000000000000s", 1_000_000_000),
        ] as [(String, Int64)]) func durationIs(_ text: String, _ nanoseconds: Int64) throws
    {
        #expect(try Quantity.duration(text) == nanoseconds)
    }

    @Test(
        arguments: [
            ("0", 0), ("1B", 1), ("4k", 4000), ("4K", 4000), ("256MiB", 268_435_456), ("1GB", 1_000_000_000),
            ("1.5KiB", 1536), ("8388607TiB", 8_388_607 * (1 << 40)),
        ] as [(String, Int64)]) func sizeIs(_ text: String, _ bytes: Int64) throws
    {
        #expect(try Quantity.size(text) == bytes)
    }

    @Test(arguments: [
        ("60", "\"60\" needs a unit"), ("s", "\"s\" is no duration"), ("", "\"\" is no duration"),
        ("-1s", "\"-1s\": a duration cannot be negative"), ("1m", "\"1m\" has an unknown unit \"m\""),
        ("1 S", "\"1 S\" has an unknown unit \"S\""), ("1min30s", "\"1min30s\" has an unknown unit \"min30s\""),
        ("1.s", "\"1.s\" is no duration"), (".5s", "\".5s\" is no duration"), ("1.2.3s", "\"1.2.3s\" is no duration"),
        ("0.5ns", "\"0.5ns\" is no whole number of nanoseconds"),
        ("9223372036854775808ns", "\"9223372036854775808ns\" is too large"),
        ("2562048h", "\"2562048h\" is too large"),
        ("99999999999999999999999h", "\"99999999999999999999999h\" is too large"),
        ("2562047.99h", "\"2562047.99h\" is too large"), ("1e3s", "\"1e3s\" has an unknown unit \"e3s\""),
        ("0.1234567890123456789s", "\"0.1234567890123456789s\" is no whole number of nanoseconds"),
        ("１s", "\"１s\" is no duration"), ("0x1s", "\"0x1s\" has an unknown unit \"x1s\""),
    ]) func durationIsRefused(_ text: String, _ message: String) {
        let help = "a duration is a number and a unit: ns, us, ms, s, min or h"
        #expect(throws: Quantity.Invalid(message: message, help: help)) { try Quantity.duration(text) }
    }

    @Test(arguments: [
        ("1", "\"1\" needs a unit"), ("0.3KiB", "\"0.3KiB\" is no whole number of bytes"),
        ("8388608TiB", "\"8388608TiB\" is too large"), ("1Mb", "\"1Mb\" has an unknown unit \"Mb\""),
    ]) func sizeIsRefused(_ text: String, _ message: String) {
        let help = "a size is a number and a unit: B, kB, MB, GB, TB (thousands) or KiB, MiB, GiB, TiB (1024s)"
        #expect(throws: Quantity.Invalid(message: message, help: help)) { try Quantity.size(text) }
    }

    @Test func textRoundTrips() throws {
        for number: Int64 in [0, 1, 999, 60_000_000_000, 1_500_000_000, 90_000_000_000, .max] {
            #expect(try Quantity.duration(Quantity.durationText(number)) == number)
            #expect(try Quantity.size(Quantity.sizeText(number)) == number)
        }
        #expect(Quantity.durationText(60_000_000_000) == "1min")
        #expect(Quantity.sizeText(268_435_456) == "256MiB")
    }

    @Test func padPaths() throws {
        #expect(try PadPath("porch/encoded.src") == PadPath(pipeline: "porch", element: "encoded", pad: "src"))
        #expect(try PadPath("a/b.c.src_0").element == "b.c")
        #expect(try ElementPath("porch/camera").description == "porch/camera")
        for bad in ["", "porch", "porch/", "porch/a", "porch/a.", "porch/.src", "/a.b", "a/b/c.d", "p q/a.b", "a/b .c"]
        {
            #expect(throws: PathError.self) { try PadPath(bad) }
        }
        #expect(
            throws: PathError(text: "x", form: "pipeline/element.pad, as in porch/encoded.src")
        ) { try PadPath("x") }
    }
}
