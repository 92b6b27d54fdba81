internal import CGLib

/// How many columns of a terminal a text takes, which is not how many characters it has.
///
/// - Thread: any.
public enum TextWidth {
    public static func columns(of text: String) -> Int {
        // Names and numbers are ASCII: a byte each.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text in at most so many columns: what is longer ends in an ellipsis.
    public static func fitted(_ text: String, to limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        guard limit > 0 else { return "" }
        var fitted = ""
        var used = 0
        for character in text {
            let width = columns(of: character)
            guard used + width < limit else { break }
            fitted.append(character)
            used += width
        }
        return fitted + "…"
    }

    /// On one line, and without what would move a terminal's cursor: texts come from files, devices and the network.
    public static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" {
                shown.append(" ")
            } else {
                shown.append(isControl(scalar) ? "?" : scalar)
            }
        }
        return String(shown)
    }

    /// Whether it is none that is shown: a new line, an escape.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    /// A character may be several scalars: a letter and its accents, or the parts of an emoji, drawn as the widest.
    private static func columns(of character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            // The selector that makes a sign an emoji.
            if scalar.value == 0xFE0F || g_unichar_iswide(scalar.value) != 0 { return 2 }
            if g_unichar_iszerowidth(scalar.value) == 0 { widest = 1 }
        }
        return widest
    }
}
