/// What keys and buttons are called: exactly as in linux/input-event-codes.h, and by their number where that has no name.
enum KeyNames {
    /// KEY_MAX.
    static let highest: UInt16 = 0x2ff

    private static let byCode: [UInt16: String] = {
        var names: [UInt16: String] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, var code = UInt16(words[1].dropFirst(2), radix: 16) else { continue }
            for word in words[2...] {
                names[code] = "\(words[0])_\(word)"
                code += 1
            }
        }
        return names
    }()

    private static let byName = Dictionary(byCode.map { ($1, $0) }) { first, _ in first }

    /// "KEY_VOLUMEUP"; "KEY_0x2fe" where it has no name.
    static func name(of code: UInt16) -> String { byCode[code] ?? "KEY_0x\(String(code, radix: 16))" }

    /// The code of a name, also of a second one ("BTN_A"), or of a number as `name` writes it; nil where there is none.
    static func code(of name: String) -> UInt16? {
        if let code = byName[aliases[name] ?? name] { return code }
        let form = "KEY_0x"
        guard name.hasPrefix(form), let code = UInt16(name.dropFirst(form.count), radix: 16), code > 0, code <= highest
        else { return nil }
        return code
    }

    /// The name that was meant.
    static func nearest(to name: String) -> String? {
        Suggestion.nearest(to: name, among: byName.keys.sorted() + aliases.keys.sorted())
    }
}
