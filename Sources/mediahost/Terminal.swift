internal import Glibc

/// What may be written to a terminal beyond plain text.
enum Terminal {
    static let output: Int32 = 1
    static let errors: Int32 = 2

    /// Whether a person reads this file as it is written.
    static func isInteractive(_ file: Int32) -> Bool { isatty(file) != 0 && variable("TERM") != "dumb" }

    /// Colours only on a terminal, and never where `NO_COLOR` says anything (no-color.org).
    static func hasColours(_ file: Int32) -> Bool { isInteractive(file) && (variable("NO_COLOR") ?? "").isEmpty }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
