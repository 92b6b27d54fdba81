internal import Glibc
internal import HostCore

/// Text for people and scripts: results on standard output, everything else on standard error.
enum Output {
    static func line(_ text: String) { write(text + "\n", to: Terminal.output) }
    static func error(_ text: String) { write(text + "\n", to: Terminal.errors) }
    static func json(_ value: Value) { line(JSONText.render(value, pretty: true)) }

    /// Diagnostics, with colours only on a terminal.
    static func report(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let colour = Terminal.hasColours(Terminal.errors)
        write(DiagnosticRenderer(colour: colour).render(diagnostics), to: Terminal.errors)
    }

    static func write(_ text: String, to file: Int32) { write(Array(text.utf8), to: file) }

    static func write(_ bytes: [UInt8], to file: Int32) {
        bytes.withUnsafeBufferPointer { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return fail(file) }
                written += count
            }
        }
    }

    /// Nobody must take half a result for a whole one.
    private static func fail(_ file: Int32) {
        guard file == Terminal.output else { return }
        let reason = errno
        // A reader that has seen enough is no failure worth a word.
        if reason != EPIPE { error("mediahost: cannot write the output: \(String(cString: strerror(reason)))") }
        exit(ExitCode.failure.rawValue)
    }
}
