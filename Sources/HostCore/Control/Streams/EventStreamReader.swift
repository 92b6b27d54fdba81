/// Takes server-sent events apart as they come, in whatever pieces.
///
/// - Thread: any. Pure.
struct EventStreamReader {
    /// A line longer than this is none of a host's; its reader must not grow without end.
    private static let longestLineBytes = 1 << 20

    private var line: [UInt8] = []
    private var id = ""
    private var name = ""
    private var data: String?
    private var isAfterReturn = false

    /// The events that are whole with these bytes.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(ControlError) -> [StreamMessage] {
        var messages: [StreamMessage] = []
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let message = endLine() { messages.append(message) }
                line.removeAll(keepingCapacity: true)
            default:
                guard line.count < Self.longestLineBytes else {
                    throw ControlError(.failed, "a line of the stream has no end: is it a mediahost?")
                }
                line.append(byte)
            }
        }
        return messages
    }

    private mutating func endLine() -> StreamMessage? {
        guard !line.isEmpty else {
            defer { (name, data) = ("", nil) }
            return data.map { StreamMessage(id: id, name: name.isEmpty ? "message" : name, data: $0) }
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "id" where !value.contains(0): id = text
        case "event": name = text
        case "data": data = data.map { $0 + "\n" + text } ?? text
        default: break
        }
        return nil
    }
}
