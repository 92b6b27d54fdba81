internal import GStreamerKit

/// Texts of devices, made safe for a config file.
enum LaunchWord {
    /// `key=value` as a launch string in a YAML block takes it, or nil where no quoting can carry the value.
    static func setting(_ property: Device.Property) -> String? {
        guard property.text.unicodeScalars.allSatisfy(isPrintable) else { return nil }
        // The file's own variables come before the launch string.
        let value = escapingVariables(property.text)
        let isPlain =
            !value.isEmpty && value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || plain.contains($0) }
        guard !isPlain else { return "\(property.name)=\(value)" }
        var quoted = ""
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return "\(property.name)=\"\(quoted)\""
    }

    /// For comments: one line, nothing that YAML or a terminal takes for more than a letter.
    static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : " " }))
    }

    private static func escapingVariables(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "{", previous == "$" { result += "${" } else { result.unicodeScalars.append(scalar) }
            previous = scalar
        }
        return result
    }

    private static let plain = Array("_-./:@+".utf8)

    /// What YAML allows in a line: no control characters and none of its line breaks. Marks that turn text around are out, too.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x200D, 0x2010...0x2027, 0x202F...0x2065, 0x206A...0xD7FF, 0xE000...0xFEFE,
            0xFF00...0xFFFD,
            0x10000...0x10FFFF:
            true
        default: false
        }
    }
}
