/// Names of pads and the templates they come from.
enum PadName {
    /// Whether a pad may have this name by a template's: `src_0` by `src_%u`.
    static func fits(_ name: String, _ template: String) -> Bool {
        fits(Array(name.utf8)[...], Array(template.utf8)[...])
    }

    private static func fits(_ name: ArraySlice<UInt8>, _ template: ArraySlice<UInt8>) -> Bool {
        guard let first = template.first else { return name.isEmpty }
        guard first == "%" else {
            // A template's own name asks for any of its pads.
            return name.first == first && fits(name.dropFirst(), template.dropFirst())
        }
        if name.starts(with: template) { return true }
        var rest = template.dropFirst()
        while let byte = rest.first, byte.isASCIIDigit { rest = rest.dropFirst() }
        let isText = rest.first == UInt8(ascii: "s")
        rest = rest.dropFirst()
        var end = name.startIndex
        while end < name.endIndex, isText || name[end].isASCIIAlphanumeric {
            end += 1
            if fits(name[end...], rest) { return true }
        }
        return false
    }
}
