import Testing

@testable import HostCore

@Suite struct EventStreamTextTests {
    private static func text(_ name: String, _ json: String) -> String {
        var bytes: [UInt8] = []
        EventStreamText.append(
            StreamEntry(sequence: 7, name: name, source: "host", json: Array(json.utf8)), boot: 255, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func anEventHasIdNameAndData() {
        #expect(
            Self.text("pipeline.state", #"{"a":1}"#)
                == "id: 00000000000000ff.7\nevent: pipeline.state\ndata: {\"a\":1}\n\n")
    }

    @Test func noTextForgesAFieldOrAnEvent() {
        #expect(
            Self.text("a\nid: 9\r", "b\n\ndata: c\re")
                == "id: 00000000000000ff.7\nevent: a?id: 9?\ndata: b\ndata: \ndata: data: c e\n\n")
    }

    @Test func aGapSaysHowManyAndGoesOnBehindThem() {
        var bytes: [UInt8] = []
        EventStreamText.append(StreamGap(reason: .slow, lost: 3), before: 12, boot: 1, to: &bytes)
        EventStreamText.append(StreamGap(reason: .restart, lost: nil), before: 0, boot: 1, to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "id: 0000000000000001.11\nevent: gap\ndata: {\"name\":\"gap\",\"lost\":3,\"reason\":\"slow\"}\n\n"
                + "id: 0000000000000001.0\nevent: gap\ndata: {\"name\":\"gap\",\"lost\":null,\"reason\":\"restart\"}\n\n"
        )
    }

    /// What the host writes is what its client reads, however the bytes are cut.
    @Test(arguments: 1...20) func theReaderFindsWhatWasWritten(round: Int) throws {
        let seed = UInt64.random(in: 0..<1 << 32) &+ UInt64(round)
        var random = SeededRandom(seed: seed)
        var bytes = Array(": hello\n\n".utf8)
        var expected: [StreamMessage] = []
        let pieces = ["{\"a\":\"ü\"}", "x: y", "", ": no comment", "data: d", "a\nb", "\n"]
        for number in 1...20 {
            let name = ["a.b", "gap", "log.error"].randomElement(using: &random) ?? ""
            let data = pieces.randomElement(using: &random) ?? ""
            let entry = StreamEntry(sequence: UInt64(number), name: name, source: "", json: Array(data.utf8))
            EventStreamText.append(entry, boot: 3, to: &bytes)
            if Bool.random(using: &random) { bytes += EventStreamText.keepAlive }
            expected.append(
                StreamMessage(id: StreamPosition(boot: 3, sequence: entry.sequence).text, name: name, data: data))
        }
        if Bool.random(using: &random) {
            bytes = bytes.flatMap { $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
        }
        var reader = EventStreamReader()
        var got: [StreamMessage] = []
        while !bytes.isEmpty {
            let count = min(bytes.count, Int.random(in: 1...30, using: &random))
            got += try reader.read(bytes.prefix(count))
            bytes.removeFirst(count)
        }
        #expect(got == expected, "seed \(seed)")
    }

    @Test func aLineWithoutEndIsRefused() {
        var reader = EventStreamReader()
        let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(throws: ControlError.self) {
            for _ in 0..<2 { _ = try reader.read(megabyte) }
        }
    }
}
