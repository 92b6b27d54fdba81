/// A text as one word of a POSIX shell.
enum ShellWord {
    /// As it is where nothing in it means anything to a shell, else in single quotes.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if isPlain, !text.isEmpty, text.utf8.first != UInt8(ascii: "-") { return text }
        let inside = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        return "'\(inside)'"
    }
}

extension ShellWord {
    /// The same for a word whose value is still to be written: the `=` at its end stays bare.
    static func quotedOpen(_ text: String) -> String {
        guard text.hasSuffix("="), text.count > 1 else { return text.hasPrefix("-") ? text : quoted(text) }
        let name = String(text.dropLast())
        return (name.hasPrefix("-") ? name : quoted(name)) + "="
    }
}
