/// Entries in the text of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html.
enum EventStreamText {
    /// What comes before the first event. The end of the connection is the end of the body, so it has no length.
    static let head = Array(
        """
        HTTP/1.1 200 OK\r
        Content-Type: text/event-stream\r
        Cache-Control: no-store\r
        Connection: close\r
        \r
        retry: 1000


        """.utf8)

    /// A comment, which clients skip: it shows both sides that the other is there.
    static let keepAlive = Array(": keep-alive\n\n".utf8)

    static func append(_ entry: StreamEntry, boot: UInt64, to text: inout [UInt8]) {
        append(StreamPosition(boot: boot, sequence: entry.sequence), entry.name, entry.json, to: &text)
    }

    /// Its id is that of the last entry that was lost, so who comes back after it goes on behind it.
    static func append(_ gap: StreamGap, before next: UInt64, boot: UInt64, to text: inout [UInt8]) {
        let data: Value = [
            "name": "gap", "lost": gap.lost.map { .int(Int64(clamping: $0)) } ?? .null,
            "reason": .string(gap.reason.rawValue),
        ]
        let last = StreamPosition(boot: boot, sequence: next == 0 ? 0 : next - 1)
        append(last, "gap", Array(JSONText.render(data).utf8), to: &text)
    }

    private static func append(
        _ position: StreamPosition, _ name: String, _ data: [UInt8], to text: inout [UInt8]
    ) {
        text += "id: \(position.text)\nevent: ".utf8
        // A line break in a name would begin a field of its own.
        for byte in name.utf8 { text.append(byte < 0x20 ? UInt8(ascii: "?") : byte) }
        // Each line of the data needs its own field; JSON of ours has one, but this must hold for any.
        text += "\ndata: ".utf8
        for byte in data {
            switch byte {
            case UInt8(ascii: "\n"): text += "\ndata: ".utf8
            case UInt8(ascii: "\r"): text.append(UInt8(ascii: " "))
            default: text.append(byte)
            }
        }
        text += "\n\n".utf8
    }
}
