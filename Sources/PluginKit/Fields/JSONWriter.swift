/// Values as JSON text, in one line and in ASCII-safe form for control characters. Numbers that JSON does not have are null.
struct JSONWriter {
    private var text = ""

    static func text(_ value: PluginValue) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return writer.text
    }

    private mutating func write(_ value: PluginValue) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .int(let number): text += String(number)
        case .double(let number): text += number.isFinite ? String(number) : "null"
        case .string(let string): write(string)
        case .list(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                write(item)
            }
            text += "]"
        case .map(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                write(member.key)
                text += ":"
                write(member.value)
            }
            text += "}"
        }
    }

    private mutating func write(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // C1 too: the host refuses texts with control characters.
            case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
