internal import CGLib
internal import Glibc

/// What may be written to a terminal beyond plain text.
enum Terminal {
    static let input: Int32 = 0
    static let output: Int32 = 1
    static let errors: Int32 = 2

    static func isTerminal(_ file: Int32) -> Bool { isatty(file) != 0 }

    /// Whether a person reads this file as it is written.
    static func isInteractive(_ file: Int32) -> Bool { isTerminal(file) && variable("TERM") != "dumb" }

    /// Colours only on a terminal, and never where `NO_COLOR` says anything (no-color.org).
    static func hasColours(_ file: Int32) -> Bool { isInteractive(file) && (variable("NO_COLOR") ?? "").isEmpty }

    /// How wide it is, else what `COLUMNS` says; nil where nobody knows.
    static func columns(_ file: Int32) -> Int? {
        size(file)?.columns ?? variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Nil where it is no terminal, or one that does not tell.
    static func size(_ file: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
